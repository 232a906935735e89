internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub tuf … init|refresh|download`: a plain TUF client, for any repository.
///
/// The command line is that of the client under test of the TUF conformance suite.
struct TUFCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "tuf",
    abstract: "Runs the client workflow of The Update Framework with any repository.",
    discussion: """
      'init ROOT' trusts a root. 'refresh' brings the metadata up to date. 'download' refreshes, then downloads targets \
      that are not there yet. Exit code 1 means that something was refused; the reason is on standard error.

      Examples:
        streamhub tuf --metadata-dir trusted init root.json
        streamhub tuf --metadata-dir trusted --metadata-url https://example.org/metadata refresh
        streamhub tuf --metadata-dir trusted --metadata-url https://example.org/metadata --target-dir files \
      --target-base-url https://example.org/targets --target-name checkout/fraud.json download
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case `init`, refresh, download
  }

  @Option(help: ArgumentHelp("The folder of the metadata that the client trusts.", valueName: "folder"))
  var metadataDir: String

  @Option(help: ArgumentHelp("The address, or the folder, of the repository's metadata.", valueName: "url"))
  var metadataUrl: String?

  @Option(help: ArgumentHelp("The path of a target; may be repeated.", valueName: "path"))
  var targetName: [String] = []

  @Option(help: ArgumentHelp("The address, or the folder, of the repository's targets.", valueName: "url"))
  var targetBaseUrl: String?

  @Option(help: ArgumentHelp("The folder for downloaded targets.", valueName: "folder"))
  var targetDir: String?

  @Option(
    help: ArgumentHelp(
      """
      Changes a limit; may be repeated. The names: \(RepositoryLimits.names.map(\.name).joined(separator: ", ")).
      """, valueName: "name=number"))
  var limit: [String] = []

  @OptionGroup var appearance: AppearanceOptions

  @Argument(help: "init, refresh or download.")
  var action: Action

  @Argument(help: "With init: the file with the root to trust.", completion: .file(extensions: ["json"]))
  var root: String?

  func validate() throws {
    switch action {
    case .`init`: if root == nil { throw ValidationError("init needs the file with the root to trust") }
    case .refresh: if metadataUrl == nil { throw ValidationError("refresh needs --metadata-url") }
    case .download:
      if metadataUrl == nil || targetBaseUrl == nil || targetDir == nil || targetName.isEmpty {
        throw ValidationError(
          "download needs --metadata-url, --target-base-url, --target-dir and at least one --target-name")
      }
    }
    if action != .`init`, root != nil { throw ValidationError("only init takes a file") }
    _ = try limits()
  }

  private func limits() throws -> RepositoryLimits {
    var limits = RepositoryLimits()
    for text in limit {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[1]), number >= 0 else {
        throw ValidationError("--limit is '\(text)'; expected name=number, for example delegations=8")
      }
      guard let known = RepositoryLimits.names.first(where: { $0.name == parts[0] }) else {
        let near = nearestName(to: String(parts[0]), among: RepositoryLimits.names.map(\.name))
        throw ValidationError("there is no limit '\(parts[0])'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      limits[keyPath: known.path] = number
    }
    return limits
  }

  func perform(_ console: Console) async throws -> Int32 {
    try await perform(try limits())
    return ExitCode.good
  }

  private func perform(_ limits: RepositoryLimits) async throws(TrustError) {
    let store = FolderStore(metadataDir)
    if action == .`init`, let root {
      return try RepositoryClient.trust(try readRoot(root), in: store)
    }
    guard let metadataUrl else { return }
    var client = try RepositoryClient(
      metadata: try Self.transport(metadataUrl), store: store, limits: limits, now: now)
    try await client.refresh()
    guard action == .download, let targetBaseUrl, let targetDir else { return }
    let targets = try Self.transport(targetBaseUrl)
    for name in targetName {
      guard let target = try await client.target(name) else {
        throw TrustError(.notFound, name, "no role of the repository has this target")
      }
      let place = Path.join(targetDir, PercentEncoding.encode(name))
      if let known = try FolderFiles.read(place, atMost: target.length, of: name),
        (try? client.check(known, as: target)) != nil
      {
        continue
      }
      try FolderFiles.write(try await client.read(target, from: targets), to: place, of: name)
    }
  }

  private func readRoot(_ path: String) throws(TrustError) -> [UInt8] {
    guard let bytes = try FolderFiles.read(path, atMost: RepositoryLimits().rootBytes, of: path) else {
      throw TrustError(.storage, path, "there is no such file")
    }
    return bytes
  }

  private static func transport(_ place: String) throws(TrustError) -> any RepositoryTransport {
    place.contains("://") ? try HTTPTransport(place) : FolderTransport(place)
  }
}
