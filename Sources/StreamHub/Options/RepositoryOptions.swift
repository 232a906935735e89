internal import ArgumentParser
internal import StreamFiles
internal import StreamSharing

/// The repository in a folder, for commands that need its files.
struct FolderOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of the repository.", valueName: "folder"))
  var repository = "repository"

  func validate() throws {
    guard repository.contains("://") else { return }
    throw ValidationError("--repository is an address; this command needs the folder, on the machine that has it")
  }

  /// Opens the repository with the keys of its roles that are at hand.
  ///
  /// - Parameter roles: Whether a role's keys are wanted. Default: all but those of the root.
  func open(
    _ keys: KeyFolder, _ isWanted: (String) -> Bool = { $0 != "root" }
  ) throws(TrustError) -> Repository {
    var opened = try Repository(opening: repository, keys: [])
    opened.add(try keys.keys(of: opened, isWanted))
    return opened
  }
}

/// The repository that commands read or change: a folder, or an address.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder or the address of the repository, or the address of a hub.", valueName: "folder or url"))
  var repository = "repository"

  @OptionGroup var trust: TrustOptions
}

extension SourceOptions {
  /// Opens the repository to change a stream, or only to read it.
  ///
  /// The keys of a publisher sign, if the folder of the keys has them; else those of the hub.
  func open(
    _ name: StreamName, _ keys: KeyFolder, toChange: Bool = true, now: Int64
  ) async throws(TrustError) -> any WritableRepository {
    guard RepositoryLocation.isAddress(repository) else {
      var opened = try Repository(opening: repository, keys: [])
      if toChange { opened.add(try keys.keys(of: opened) { $0 != "root" }) }
      return RepositoryPublisher(opened)
    }
    let hub = try hub(toChange: toChange)
    let reader = try await RepositoryReader(self, now: now)
    if toChange, Directory.isDirectory(keys.path) {
      let remote = try await remote(reader, keys)
      if remote.canSign(name) { return SignedRepository(remote, at: hub) }
    }
    return try await HubSignedRepository(reader, at: hub)
  }

  /// Opens the repository at a hub to sign it with a publisher's keys.
  func openSigned(_ keys: KeyFolder, now: Int64) async throws(TrustError) -> SignedRepository {
    let hub = try hub(toChange: true)
    return SignedRepository(try await remote(try await RepositoryReader(self, now: now), keys), at: hub)
  }

  private func hub(toChange: Bool) throws(TrustError) -> HubInterface {
    guard let address = RepositoryLocation.hub(of: repository) else {
      throw TrustError(
        .notFound, repository, "only a hub takes changes, and its address has no path, such as https://hub.example")
    }
    let token = FollowingOptions.token
    guard token != nil || !toChange else {
      throw TrustError(
        .notFound, FollowingOptions.tokenVariable,
        "changes at a hub need a token with the scope 'publish' in this variable")
    }
    return try HubInterface(address, token: token ?? "")
  }

  private func remote(_ reader: RepositoryReader, _ keys: KeyFolder) async throws(TrustError) -> RemotePublisher {
    var remote = try await RemotePublisher(reader.client, targets: reader.targets)
    remote.add(try keys.keys(of: remote.publisher.repository) { RoleName(rawValue: $0) ?? .targets == .targets })
    return remote
  }
}

/// The options for whom a command trusts, and where it keeps what it trusts.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The root of the repository's publisher, which an address needs the first time.", valueName: "path"))
  var trust: String?

  @Option(
    help: ArgumentHelp(
      "The folder of trusted metadata and of streams that were read. (default: ~/.cache/streamhub)",
      valueName: "folder"))
  var cache: String?
}
