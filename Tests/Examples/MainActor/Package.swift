// swift-tools-version: 6.2
import PackageDescription

/// An app whose declarations belong to the main actor unless they say otherwise, as in new projects of Xcode.
let package = Package(
  name: "streamrun-main-actor",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "streamrun", path: "../../..", traits: ["OpenCombine"])],
  targets: [
    .executableTarget(
      name: "MainActorApp",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)])
  ],
  swiftLanguageModes: [.v6]
)
