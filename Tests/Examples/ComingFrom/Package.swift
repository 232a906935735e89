// swift-tools-version: 6.2
import PackageDescription

/// The programs of the page "From Combine, RxSwift and AsyncAlgorithms", each written with the other library and with
/// StreamKit. A package of its own, so that users of the library never resolve these dependencies.
let package = Package(
  name: "streamrun-coming-from",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(name: "streamrun", path: "../../..", traits: ["OpenCombine"]),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .testTarget(
      name: "ComingFromTests",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
        .product(name: "StreamTesting", package: "streamrun"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
