// swift-tools-version: 6.2
import PackageDescription

/// An app that follows a stream of a signed repository. Apart from the other examples, since it builds swift-crypto.
let package = Package(
  name: "streamrun-sharing-example",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "streamrun", path: "../../..", traits: ["Sharing"])],
  targets: [
    .executableTarget(
      name: "FollowStream",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamSharing", package: "streamrun"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
