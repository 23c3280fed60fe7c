// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Movies",
  defaultLocalization: "en",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11)],
  products: [
    .executable(name: "movies", targets: ["Movies"]),
    .library(name: "MoviesUI", targets: ["MoviesUI"]),
  ],
  dependencies: [
    .package(name: "peapod", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Movies",
      dependencies: ["MoviesCore", "MoviesUI", .product(name: "Peapod", package: "peapod")]),
    .target(
      name: "MoviesUI",
      dependencies: [
        "MoviesCore",
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
        .product(name: "PeapodUI", package: "peapod"),
      ]),
    .target(
      name: "MoviesCore",
      dependencies: [
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
      ],
      resources: [.process("Resources")]),
    .testTarget(
      name: "MoviesTests",
      dependencies: [
        "MoviesCore",
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
        .product(name: "PeapodTesting", package: "peapod"),
      ],
      exclude: ["Graphs"]),
  ],
  swiftLanguageModes: [.v6]
)
