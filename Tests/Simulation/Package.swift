// swift-tools-version: 6.2
import PackageDescription

/// Many clients and hostile repositories, for `StreamSharing`. A package of its own, which uses the library as an
/// app does: by its public API.
let package = Package(
  name: "streamrun-simulation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "streamrun", path: "../..", traits: ["Sharing"]),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .executableTarget(
      name: "SharingSimulation",
      dependencies: [
        "RepositoryFiles",
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamSharing", package: "streamrun"),
        .product(name: "StreamTesting", package: "streamrun"),
      ],
      // One thread, a billion accesses.
      swiftSettings: [.unsafeFlags(["-enforce-exclusivity=unchecked"])]),
    .executableTarget(
      name: "TrustFuzz",
      dependencies: [
        "RepositoryFiles",
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamSharing", package: "streamrun"),
        .product(name: "StreamTesting", package: "streamrun"), .product(name: "Crypto", package: "swift-crypto"),
      ]),
    // Signing keys from seeds, and files in memory.
    .target(
      name: "RepositoryFiles",
      dependencies: [
        .product(name: "StreamKit", package: "streamrun"), .product(name: "StreamSharing", package: "streamrun"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
