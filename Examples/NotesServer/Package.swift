// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "NotesServer",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "notes-server", targets: ["NotesServer"])
  ],
  dependencies: [
    .package(name: "peapod", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "NotesServer",
      dependencies: [
        "NotesService",
        "NotesWiring",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Peapod", package: "peapod"),
      ]),
    // The service and its HTTP interface. It does not know Peapod.
    .target(
      name: "NotesService",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    // How the parts come together: with Peapod, and by hand for comparison.
    .target(
      name: "NotesWiring",
      dependencies: [
        "NotesService",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
      ]),
    .testTarget(
      name: "NotesServerTests",
      dependencies: [
        "NotesServer",
        "NotesService",
        "NotesWiring",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Peapod", package: "peapod"),
        .product(name: "PeapodSystem", package: "peapod"),
        .product(name: "PeapodTesting", package: "peapod"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
