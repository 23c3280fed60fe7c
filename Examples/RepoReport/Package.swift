// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RepoReport",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "repo-report", targets: ["RepoReport"])
  ],
  dependencies: [
    .package(name: "peapod", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "RepoReport",
      dependencies: [
        "RepoReportCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Peapod", package: "peapod"),
      ]),
    .target(
      name: "RepoReportCore",
      dependencies: [
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
      ]),
    .testTarget(
      name: "RepoReportTests",
      dependencies: [
        "RepoReport",
        "RepoReportCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
        .product(name: "PeapodTesting", package: "peapod"),
      ],
      exclude: ["Graphs"]),
  ],
  swiftLanguageModes: [.v6]
)
