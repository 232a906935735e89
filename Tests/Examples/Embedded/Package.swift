// swift-tools-version: 6.2
import PackageDescription

/// The least that an app links: StreamKit, without traits. `check.sh` checks its dependencies, `.ci/long size` its
/// size.
let package = Package(
  name: "streamrun-embedded",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "streamrun", path: "../../..", traits: [])],
  targets: [
    .executableTarget(name: "Embedded", dependencies: [.product(name: "StreamKit", package: "streamrun")])
  ],
  swiftLanguageModes: [.v6]
)
