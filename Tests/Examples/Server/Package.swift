// swift-tools-version: 6.2
import PackageDescription

/// A web server whose rules are stream files: an app of StreamKit alone, with Hummingbird.
let package = Package(
  name: "streamrun-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "streamrun", path: "../../..", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("Streams")])
  ],
  swiftLanguageModes: [.v6]
)
