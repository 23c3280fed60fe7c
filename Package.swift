// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "peapod",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Peapod", targets: ["Peapod"]),
    .library(name: "PeapodSystem", targets: ["PeapodSystem"]),
    .library(name: "PeapodTesting", targets: ["PeapodTesting"]),
    .library(name: "PeapodUI", targets: ["PeapodUI"]),
  ],
  targets: [
    .target(name: "Peapod"),
    .target(name: "PeapodSystem", dependencies: ["Peapod"]),
    .target(name: "PeapodTesting", dependencies: ["Peapod"]),
    .target(name: "PeapodUI", dependencies: ["Peapod"]),
    .testTarget(name: "PeapodTests", dependencies: ["Peapod"]),
    .testTarget(name: "PeapodSystemTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"]),
    .testTarget(
      name: "PeapodTestingTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"], exclude: ["Graphs"]),
    .testTarget(name: "PeapodUITests", dependencies: ["Peapod", "PeapodUI"]),
    .testTarget(name: "ModelTests", dependencies: ["Peapod"]),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"], exclude: ["Pages/Graphs"]),
    .testTarget(
      name: "CompileErrorTests", dependencies: ["Peapod", "PeapodSystem"],
      exclude: ["MustCompile", "MustNotCompile", "SwiftUI"]),
  ],
  swiftLanguageModes: [.v6]
)
