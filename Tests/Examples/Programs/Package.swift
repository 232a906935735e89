// swift-tools-version: 6.2
import PackageDescription

/// Programs such as apps have, and their tests. Each is written from the pages alone, with public API.
let package = Package(
  name: "streamrun-programs",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Programs", targets: ["Programs"])],
  dependencies: [.package(name: "streamrun", path: "../../..", traits: ["OpenCombine"])],
  targets: [
    .target(
      name: "Programs",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
        .product(name: "StreamEditing", package: "streamrun"),
      ]),
    .target(
      name: "AlarmApp",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
      ], exclude: ["Rules"]),
    .target(
      name: "Cold",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
        .product(name: "StreamEditing", package: "streamrun"),
      ]),
    .testTarget(
      name: "ColdTests",
      dependencies: [
        "Cold", .product(name: "StreamKit", package: "streamrun"),
        .product(name: "StreamCombine", package: "streamrun"), .product(name: "StreamTesting", package: "streamrun"),
      ]),
    .testTarget(
      name: "AlarmAppTests",
      dependencies: [
        "AlarmApp", .product(name: "StreamKit", package: "streamrun"),
        .product(name: "StreamTesting", package: "streamrun"),
      ]),
    .testTarget(
      name: "ProgramsTests",
      dependencies: [
        "Programs", .product(name: "StreamEditing", package: "streamrun"),
        .product(name: "StreamKit", package: "streamrun"),
        .product(name: "StreamCombine", package: "streamrun"), .product(name: "StreamTesting", package: "streamrun"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
