#if Sharing
internal import ArgumentParser
internal import StreamSharing

/// The repository in a folder that commands change.
struct FolderOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of the repository.", valueName: "folder"))
  var repository = "repository"

  func validate() throws {
    guard repository.contains("://") else { return }
    throw ValidationError("--repository is an address; only a folder can be changed, on the machine that has it")
  }

  /// Opens the repository with the keys of its roles that are at hand.
  ///
  /// - Parameter roles: Whether a role's keys are wanted. Default: all but those of the root.
  func open(
    _ keys: KeyFolder, _ isWanted: (String) -> Bool = { $0 != "root" }
  ) throws(TrustError) -> Repository {
    var opened = try Repository(opening: repository, keys: [])
    var ids: Set<String> = []
    for role in opened.roleNames where isWanted(role) { ids.formUnion(try opened.authority(of: role).ids) }
    opened.add(try keys.keys(ids))
    return opened
  }
}

/// The repository that commands read: a folder, or an address.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder or the address of the repository, or the address of a hub.", valueName: "folder or url"))
  var repository = "repository"

  @OptionGroup var trust: TrustOptions
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
#endif
