// swift-tools-version: 6.2
import PackageDescription

/// Providers with planted errors of every kind, for the checks of `check-graph`.
let package = Package(
  name: "GraphFixture",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "peapod", path: "../..")],
  targets: [
    .target(name: "PlantedCore", dependencies: [.product(name: "Peapod", package: "peapod")]),
    .target(name: "Planted", dependencies: ["PlantedCore", .product(name: "Peapod", package: "peapod")]),
    .target(name: "PlantedUnused", dependencies: ["PlantedCore", .product(name: "Peapod", package: "peapod")]),
    .testTarget(
      name: "PlantedTests",
      dependencies: ["Planted", "PlantedUnused", .product(name: "PeapodTesting", package: "peapod")]),
  ],
  swiftLanguageModes: [.v6]
)
