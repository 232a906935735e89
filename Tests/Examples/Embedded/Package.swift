// swift-tools-version: 6.2
import PackageDescription

/// The least that an app links: StreamKit, without traits. `check.sh` looks at what it resolves, `.ci/long size` at its bytes.
let package = Package(
  name: "streamrun-embedded",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "streamrun", path: "../../..", traits: [])],
  targets: [
    .executableTarget(name: "Embedded", dependencies: [.product(name: "StreamKit", package: "streamrun")])
  ],
  swiftLanguageModes: [.v6]
)
