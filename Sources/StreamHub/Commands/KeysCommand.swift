internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub keys`: the keys of a repository.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Creates, lists, replaces and delegates to keys.",
    subcommands: [NewKey.self, ListKeys.self, RotateKeys.self, DelegatePaths.self])

  /// `streamhub keys new`.
  struct NewKey: HubCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Writes a new private key, which signs nothing until a role has it.")

    @Argument(help: "The beginning of the file's name.")
    var name = "key"

    @OptionGroup var keys: KeyOptions
    @OptionGroup var new: NewKeyOptions
    @OptionGroup var appearance: AppearanceOptions

    func validate() throws {
      guard FolderFiles.isName(name) else { throw ValidationError("'\(name)' is not the name of a file") }
    }

    func perform(_ console: Console) async throws -> Int32 {
      let key = try new.generate()
      let file = try keys.folder.write(key, for: name, isEncrypted: !new.noPassphrase)
      console.output.appendLine("\(file)  \(key.scheme.rawValue)  \(key.id)")
      return ExitCode.good
    }
  }

  /// `streamhub keys list`.
  struct ListKeys: HubCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the keys of each role, and the files that have them.")

    @OptionGroup var folder: FolderOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var appearance: AppearanceOptions

    func perform(_ console: Console) async throws -> Int32 {
      let repository = try Repository(opening: folder.repository, keys: [])
      let files = (try? keys.folder.entries) ?? []
      var rows: [[String]] = []
      for role in repository.roleNames {
        let (ids, threshold) = try repository.authority(of: role)
        for id in ids {
          let file = files.first { $0.prefix.map(id.hasPrefix) ?? false }?.path
          rows.append([role, "\(threshold) of \(ids.count)", String(id.prefix(16)), file ?? "not at hand"])
        }
      }
      for line in PublicationText.table(rows) { console.output.appendLine(line) }
      return ExitCode.good
    }
  }

  /// `streamhub keys rotate`.
  struct RotateKeys: HubCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate", abstract: "Replaces the keys of a role by new ones.",
      discussion: """
        The keys of the root sign the new keys of a top-level role, so they must be at hand. The old files stay; delete \
        them when no repository needs them any more.

        Examples:
          streamhub keys rotate timestamp
          streamhub keys rotate root --count 3 --threshold 2
        """)

    @Argument(help: "The role: root, targets, snapshot, timestamp, or a delegated one.")
    var role: String

    @Option(help: ArgumentHelp("Number of new keys.", valueName: "count"))
    var count = 1

    @Option(help: ArgumentHelp("Number of keys that have to sign.", valueName: "count"))
    var threshold = 1

    @OptionGroup var folder: FolderOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var new: NewKeyOptions
    @OptionGroup var appearance: AppearanceOptions

    func validate() throws { try KeysCommand.check(count, threshold) }

    func perform(_ console: Console) async throws -> Int32 {
      let keyFolder = keys.folder
      let topLevel = RoleName(rawValue: role)
      var repository = try folder.open(keyFolder) { topLevel != nil || $0 != "root" }
      let created = try new.generate(count)
      _ = try repository.authority(of: role)
      // Written first: a role without its keys can never be changed.
      for key in created {
        let file = try keyFolder.write(key, for: role, isEncrypted: !new.noPassphrase)
        console.output.appendLine(file)
      }
      let authority = RoleAuthority(created, threshold: threshold)
      if let topLevel {
        try repository.rotate([topLevel: authority], now: now)
      } else {
        try repository.rotate(delegated: role, authority, now: now)
      }
      console.output.appendLine("replaced the keys of \(role)")
      return ExitCode.good
    }
  }

  /// `streamhub keys delegate`.
  struct DelegatePaths: HubCommand {
    static let configuration = CommandConfiguration(
      commandName: "delegate", abstract: "Lets new keys publish some of the streams.",
      discussion: """
        Give the new key files to the team, and delete them here. A pattern covers the names in one folder: 'checkout/*' \
        covers checkout/fraud and not checkout/cards/limit.

        Examples:
          streamhub keys delegate checkout --paths 'checkout/*'
        """)

    @Argument(help: "The name of the new role.")
    var role: String

    @Option(
      parsing: .upToNextOption, help: ArgumentHelp("Patterns of names, such as checkout/*.", valueName: "pattern"))
    var paths: [String]

    @Option(help: ArgumentHelp("Number of new keys.", valueName: "count"))
    var count = 1

    @Option(help: ArgumentHelp("Number of keys that have to sign.", valueName: "count"))
    var threshold = 1

    @OptionGroup var folder: FolderOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var new: NewKeyOptions
    @OptionGroup var appearance: AppearanceOptions

    func validate() throws { try KeysCommand.check(count, threshold) }

    func perform(_ console: Console) async throws -> Int32 {
      let keyFolder = keys.folder
      var repository = try folder.open(keyFolder)
      try repository.checkNewRole(role)
      let created = try new.generate(count)
      for key in created {
        let file = try keyFolder.write(key, for: role, isEncrypted: !new.noPassphrase)
        console.output.appendLine(file)
      }
      try repository.delegate(paths, to: role, RoleAuthority(created, threshold: threshold), now: now)
      console.output.appendLine("\(role) may publish \(paths.joined(separator: ", "))")
      return ExitCode.good
    }
  }

  private static func check(_ count: Int, _ threshold: Int) throws {
    if !(1...100).contains(count) { throw ValidationError("--count is \(count); expected 1 to 100") }
    if !(1...count).contains(threshold) {
      throw ValidationError("--threshold is \(threshold); expected 1 to \(count), the number of keys")
    }
  }
}
