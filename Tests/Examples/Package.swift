// swift-tools-version: 6.2
import PackageDescription

/// Programs that use streamrun as an app would: from outside, by its products alone.
let package = Package(
  name: "streamrun-examples",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "streamrun", path: "../..", traits: ["OpenCombine"])],
  targets: [
    .executableTarget(
      name: "NameForm",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
      ]),
    .executableTarget(
      name: "SerialStream",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamEditing", package: "streamrun"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
