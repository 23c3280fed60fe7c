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
    .executable(name: "check-graph", targets: ["check-graph"]),
    .plugin(name: "CheckGraphPlugin", targets: ["CheckGraphPlugin"]),
  ],
  targets: [
    .target(name: "Peapod"),
    .target(name: "PeapodSystem", dependencies: ["Peapod"]),
    .target(name: "PeapodTesting", dependencies: ["Peapod", "GraphCheck", "IndexStore"]),
    .target(name: "PeapodUI", dependencies: ["Peapod"]),
    // The static check of the graph: a reader of the compiler's index store, the checks, the tool and its plugin.
    .target(name: "IndexStore"),
    .target(name: "GraphCheck", dependencies: ["Peapod", "IndexStore"]),
    .executableTarget(name: "check-graph", dependencies: ["GraphCheck"]),
    .plugin(
      name: "CheckGraphPlugin",
      capability: .command(intent: .custom(verb: "check-graph", description: "Checks the provider graph.")),
      dependencies: ["check-graph"], path: "Sources/CheckGraphPlugin"),
    .target(name: "PlantedCore", dependencies: ["Peapod"], path: "Tests/GraphFixture/Sources/PlantedCore"),
    .target(name: "Planted", dependencies: ["PlantedCore", "Peapod"], path: "Tests/GraphFixture/Sources/Planted"),
    .target(
      name: "PlantedUnused", dependencies: ["PlantedCore", "Peapod"], path: "Tests/GraphFixture/Sources/PlantedUnused"),
    .target(name: "PlantedEmpty", dependencies: ["Peapod"], path: "Tests/GraphFixture/Sources/PlantedEmpty"),
    .testTarget(
      name: "GraphCheckTests",
      dependencies: ["PeapodTesting", "GraphCheck", "check-graph", "Planted", "PlantedUnused", "PlantedEmpty"]),
    .testTarget(name: "PeapodTests", dependencies: ["Peapod"]),
    .testTarget(name: "PeapodSystemTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"]),
    .testTarget(
      name: "PeapodTestingTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"], exclude: ["Graphs"]),
    .testTarget(name: "PeapodUITests", dependencies: ["Peapod", "PeapodUI"]),
    .testTarget(name: "ModelTests", dependencies: ["Peapod"]),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Peapod", "PeapodSystem", "PeapodTesting"],
      exclude: ["Pages/Guides/Graphs"]),
    .testTarget(
      name: "CompileErrorTests", dependencies: ["Peapod", "PeapodSystem"],
      exclude: ["MustCompile", "MustNotCompile", "SwiftUI"]),
  ],
  swiftLanguageModes: [.v6]
)
