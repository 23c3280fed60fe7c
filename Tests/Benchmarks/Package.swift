// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "peapod-benchmarks",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "peapod-benchmarks", targets: ["PeapodBenchmarks"])
  ],
  dependencies: [
    .package(name: "peapod", path: "../..")
  ],
  targets: [
    .target(name: "CBenchmarkSupport"),
    .executableTarget(
      name: "PeapodBenchmarks",
      dependencies: ["CBenchmarkSupport", .product(name: "Peapod", package: "peapod")]),
  ],
  swiftLanguageModes: [.v6]
)
