// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "peapod", path: Context.environment["PEAPOD"] ?? "../..")],
  targets: [
    consumer("Swift5", .swiftLanguageMode(.v5)),
    consumer("Swift6", .swiftLanguageMode(.v6)),
    consumer("Swift6MainActor", .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)),
  ]
)

/// A program in a language mode.
func consumer(_ name: String, _ settings: SwiftSetting...) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Peapod", "PeapodSystem", "PeapodUI"].map { .product(name: $0, package: "peapod") },
    swiftSettings: settings)
}
