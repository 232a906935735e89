// swift-tools-version: 6.2
import PackageDescription

/// Benchmarks are a package of their own, so that users of the library never resolve their dependencies.
let package = Package(
  name: "streamrun-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "streamrun", path: "../..", traits: ["OpenCombine"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
  ],
  targets: [
    .executableTarget(
      name: "CELBenchmarks",
      dependencies: [
        .product(name: "CEL", package: "streamrun"), .product(name: "StreamKit", package: "streamrun"),
      ]),
    .target(name: "CMemory"),
    .executableTarget(
      name: "Differential",
      dependencies: [.product(name: "StreamTesting", package: "streamrun")]),
    .executableTarget(
      name: "LivePipelines",
      dependencies: [
        "CMemory",
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
      ]),
    .executableTarget(
      name: "Soak",
      dependencies: [.product(name: "StreamKit", package: "streamrun")]),
    .executableTarget(
      name: "Workloads",
      dependencies: [
        "CMemory",
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamCombine", package: "streamrun"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
