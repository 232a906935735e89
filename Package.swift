// swift-tools-version: 6.2
import PackageDescription

/// The release build of the command. An app that depends on a library of ours has `traits: []`, and gets the usual flags.
let releasedCommand = BuildSettingCondition.when(configuration: .release, traits: ["CommandLine"])

/// Warnings are errors in the gate, which sets this variable. An app that depends on a folder with this package gets
/// these settings, too, and a new deprecation must not break its build.
let strictness: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// Every target of ours is compiled with these.
let language: [SwiftSetting] =
  strictness + [
    .enableUpcomingFeature("ExistentialAny"),  // `any` is written out: a box on the hot path is seen
    .enableUpcomingFeature("MemberImportVisibility"),  // a file imports what it uses
    .enableUpcomingFeature("InternalImportsByDefault"),  // a dependency shows in the API only where it is said
    // No debug information, which the linker would strip: a first build takes less.
    .unsafeFlags(["-Xfrontend", "-gnone"], releasedCommand),
  ]

/// Without optimization, the compiler would read the sources twice: for the module, and for machine code.
let unoptimized = ["-Onone", "-no-emit-module-separately-wmo"]

/// Two threads for machine code.
let settings = language + [.unsafeFlags(["-num-threads", "2"], releasedCommand)]

/// Tools for people (commands, edits, diagrams, explanations, tests) are compiled without optimization, which takes a
/// quarter of the time: they handle files, not values, and stay faster than the eye.
let toolSettings = language + [.unsafeFlags(unoptimized, releasedCommand)]

/// Tests are compiled without optimization: a release build optimizes what they test.
let testSettings = language + [.unsafeFlags(unoptimized, .when(configuration: .release))]

/// Links everything into the command, the C library too: it starts in half the time, since nothing is to be found and
/// moved first, and runs wherever the kernel does. Unsafe flags bar a target from use as a dependency; nobody depends on
/// an executable.
let staticLinking: [LinkerSetting] = [
  // lld, because the other linker warns of a `mktemp` that FoundationEssentials has and nobody calls.
  .unsafeFlags(
    [
      "-static-executable", "-use-ld=lld", "-Xlinker", "--strip-all",
      // Swift's runtime reads /proc at the start without it: see `ProcessArguments.swift`.
      "-Xlinker", "--wrap=swift_copyAuxiliaryExecutablePath",
    ],
    .when(platforms: [.linux], configuration: .release)),
  // What FoundationEssentials, which the argument parser uses, needs beside itself when it is linked statically.
  .linkedLibrary("_FoundationCollections", .when(platforms: [.linux], configuration: .release)),
  .linkedLibrary("_FoundationCShims", .when(platforms: [.linux], configuration: .release)),
]

/// The address sanitizer needs a dynamic linker: `.ci/long` sets this variable.
let staticExecutable = Context.environment["DYNAMIC_LINK"] == nil ? staticLinking : []

/// Publishers on platforms without Combine.
let publishers: [Target.Dependency] = ["OpenCombine", "OpenCombineDispatch"].map { product in
  .product(
    name: product, package: "OpenCombine",
    condition: .when(platforms: [.linux, .android], traits: ["OpenCombine"]))
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))

/// Signatures and key files. Without the trait, the targets that use them are empty.
let cryptography: [Target.Dependency] = [
  ("Crypto", "swift-crypto"), ("CryptoExtras", "swift-crypto"), ("SwiftASN1", "swift-asn1"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["Sharing"])) }

/// The server of the studio. Only the product `streamstudio` and its tests build it.
let webServer: Target.Dependency = .product(
  name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Studio"]))

/// The layers, from the bottom to the top: each imports only those above it in this list, which `LayerTests` checks.
let package = Package(
  name: "streamrun",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "CEL", targets: ["CEL"]),
    .library(name: "StreamKit", targets: ["StreamKit", "StreamEngine", "StreamCore"]),
    .library(name: "StreamCombine", targets: ["StreamCombine"]),
    .library(name: "StreamEditing", targets: ["StreamEditing"]),
    .library(name: "StreamTools", targets: ["StreamTools"]),
    .library(name: "StreamTesting", targets: ["StreamTesting"]),
    .library(name: "StreamSharing", targets: ["StreamSharing"]),
    .executable(name: "streamrun", targets: ["streamrun"]),
    .executable(name: "streamhub", targets: ["streamhub"]),
    .executable(name: "streamstudio", targets: ["streamstudio"]),
  ],
  // A package that depends on StreamKit alone says `traits: []`, and resolves swift-collections and nothing else.
  traits: [
    .default(enabledTraits: ["CommandLine", "OpenCombine", "Studio"]),
    .trait(name: "CommandLine", description: "The command `streamrun`, with swift-argument-parser."),
    .trait(name: "OpenCombine", description: "Publishers (`StreamCombine`) on platforms without Combine."),
    .trait(name: "Sharing", description: "Signed repositories of stream files (`StreamSharing`, `streamhub`)."),
    .trait(name: "Studio", description: "The studio in a browser (`streamstudio`), with Hummingbird."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    .target(name: "CLibrary", swiftSettings: settings),
    .systemLibrary(name: "CEventPoll"),
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CTransfer"),
    .target(name: "StreamCore", dependencies: ["CLibrary"], swiftSettings: settings),
    .target(name: "CEL", dependencies: ["CLibrary", "StreamCore"], swiftSettings: settings),
    .target(
      name: "StreamEngine",
      dependencies: [
        "CLibrary", "StreamCore", "CEL",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "StreamKit",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "StreamEditing", dependencies: ["StreamCore", "CEL", "StreamEngine", "StreamKit"],
      swiftSettings: toolSettings),
    .target(
      name: "StreamTools", dependencies: ["StreamCore", "CEL", "StreamEngine", "StreamKit"],
      resources: [.embedInCode("Player/player.js"), .embedInCode("Player/player.css")],
      // The studio draws a run with each move of a dragged marble: without optimization, that takes twice as long.
      swiftSettings: settings),
    .target(
      name: "StreamTesting",
      dependencies: ["CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit"],
      swiftSettings: toolSettings),
    .target(
      name: "StreamFiles",
      dependencies: ["CLibrary", "CProcess", "StreamCore", "StreamEngine", "StreamKit"],
      swiftSettings: settings),
    .target(
      name: "StreamDriving",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamFiles",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "StreamConsole",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamFiles", "StreamDriving",
        argumentParser,
      ],
      swiftSettings: toolSettings),
    .target(
      name: "StreamPartition",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamFiles",
        "StreamDriving",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "StreamCommands",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools",
        "StreamFiles", "StreamDriving", "StreamConsole", "StreamPartition", argumentParser,
      ],
      swiftSettings: toolSettings),
    .target(
      name: "StreamSharing",
      dependencies: ["CLibrary", "CTransfer", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamFiles"]
        + cryptography,
      swiftSettings: settings,
      // By its file name, since the name without a number needs a package for developers.
      linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: [.linux], traits: ["Sharing"]))]),
    .target(
      name: "StreamCombine",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit",
        .target(name: "StreamSharing", condition: .when(traits: ["Sharing"])),
        .product(name: "HeapModule", package: "swift-collections"),
      ] + publishers,
      swiftSettings: settings),
    .target(
      name: "StreamHub",
      dependencies: [
        "CLibrary", "CEventPoll", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamFiles",
        "StreamDriving", "StreamConsole", "StreamSharing", argumentParser,
      ],
      swiftSettings: settings),
    .target(
      name: "StreamStudio",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools", "StreamFiles",
        "StreamDriving", "StreamConsole", argumentParser, webServer,
      ],
      resources: [.copy("Page")],
      swiftSettings: toolSettings),
    .plugin(name: "CommitVersion", capability: .buildTool()),
    .executableTarget(
      name: "streamstudio", dependencies: ["StreamStudio"], swiftSettings: settings, plugins: ["CommitVersion"]),
    .executableTarget(
      name: "streamhub", dependencies: ["StreamHub"], swiftSettings: settings, plugins: ["CommitVersion"]),
    .executableTarget(
      name: "streamrun",
      dependencies: ["CLibrary", "StreamCommands"],
      swiftSettings: settings,
      linkerSettings: staticExecutable,
      plugins: ["CommitVersion"]),
    .testTarget(name: "StreamCoreTests", dependencies: ["StreamCore", "StreamTesting"], swiftSettings: testSettings),
    .testTarget(
      name: "CELTests", dependencies: ["StreamCore", "CEL", "StreamEngine", "StreamTesting"],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamEngineTests", dependencies: ["StreamCore", "CEL", "StreamEngine", "StreamTesting"],
      swiftSettings: testSettings),
    // The stream files, folders and processes of tests.
    .target(
      name: "TestSupport", dependencies: ["CLibrary", "StreamCore", "StreamEngine", "StreamKit", "StreamTesting"],
      path: "Tests/TestSupport", swiftSettings: testSettings),
    .testTarget(
      name: "StreamKitTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools",
        "StreamTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamEditingTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamToolsTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools",
        "StreamTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamTestingTests", dependencies: ["StreamCore", "StreamKit", "StreamTesting"],
      swiftSettings: testSettings),
    .testTarget(name: "StreamFilesTests", dependencies: ["StreamCore", "StreamFiles"], swiftSettings: testSettings),
    .testTarget(
      name: "StreamDrivingTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamTesting", "StreamFiles", "StreamDriving",
        "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamConsoleTests",
      dependencies: ["CLibrary", "StreamCore", "StreamFiles", "StreamConsole", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamCommandsTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools", "StreamTesting",
        "StreamFiles", "StreamDriving", "StreamConsole", "StreamCommands", "TestSupport", argumentParser,
      ],
      exclude: ["Broken", "codes.txt", "Completions", "Differing", "Failing", "Picturing", "Sessions"],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamPartitionTests",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamTesting", "StreamFiles",
        "StreamDriving", "StreamPartition",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamSharingTests",
      dependencies: [
        "CLibrary", "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamCombine", "StreamTesting",
        "StreamSharing", "StreamHub", "TestSupport",
      ] + cryptography,
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamHubTests",
      dependencies: [
        "CLibrary", "StreamCore", "StreamFiles", "StreamDriving", "StreamConsole", "StreamSharing", "StreamHub",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamStudioTests",
      dependencies: [
        "StreamCore", "CEL", "StreamEngine", "StreamKit", "StreamEditing", "StreamTools", "StreamFiles",
        "StreamDriving", "StreamStudio", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "StreamCombineTests",
      dependencies: ["StreamCore", "StreamEngine", "StreamKit", "StreamCombine", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "OracleTests",
      dependencies: ["StreamCore", "StreamEngine", "StreamKit", "StreamCombine"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArticleTests",
      dependencies: ["StreamCore", "StreamEngine", "StreamKit", "StreamEditing", "StreamCombine", "StreamTesting"],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)
