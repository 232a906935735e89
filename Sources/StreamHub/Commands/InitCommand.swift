internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub init`: creates a repository and its keys.
struct InitCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Creates a repository, and the keys that sign it.",
    discussion: """
      The file root.json is for clients: they trust what its keys sign. Keep the keys of the root offline, and a copy of \
      them in a safe place: with them, all other keys can be replaced.

      Examples:
        streamhub init
        streamhub init --root-keys 3 --root-threshold 2
      """)

  @Option(help: ArgumentHelp("The folder of the repository.", valueName: "folder"))
  var repository = "repository"

  @Option(help: ArgumentHelp("Number of keys of the root.", valueName: "count"))
  var rootKeys = 1

  @Option(help: ArgumentHelp("Number of keys that have to sign a root.", valueName: "count"))
  var rootThreshold = 1

  @Option(help: ArgumentHelp("The file for the root that clients trust.", valueName: "path"))
  var root = "root.json"

  @OptionGroup var keys: KeyOptions
  @OptionGroup var new: NewKeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if !(1...100).contains(rootKeys) { throw ValidationError("--root-keys is \(rootKeys); expected 1 to 100") }
    if !(1...rootKeys).contains(rootThreshold) {
      throw ValidationError("--root-threshold is \(rootThreshold); expected 1 to \(rootKeys), the number of keys")
    }
  }

  func perform(_ console: Console) async throws -> Int32 {
    var authorities: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases {
      authorities[role] = RoleAuthority(
        try new.generate(role == .root ? rootKeys : 1), threshold: role == .root ? rootThreshold : 1)
    }
    // Asked for before anything is written.
    let folder = keys.folder
    if !new.noPassphrase { _ = try folder.passphrases.new() }
    guard try FolderFiles.read(Path.join(repository, "metadata/1.root.json"), atMost: .max, of: repository) == nil
    else {
      throw TrustError(.storage, repository, "there is a repository in this folder")
    }
    // The keys first: a repository without its keys can never be changed.
    var lines: [(file: String, words: String)] = []
    for role in RoleName.allCases {
      for key in authorities[role]?.keys ?? [] {
        let file = try folder.write(key, for: role.rawValue, isEncrypted: !new.noPassphrase)
        lines.append((file, Self.words(role)))
      }
    }
    _ = try Repository.create(in: repository, authorities: authorities, now: now) { bytes throws(TrustError) in
      try FolderFiles.write(bytes, to: root, of: root)
    }
    lines.append((root, "clients begin with it"))
    lines.append((repository, "the repository; any web server can serve it"))
    let width = lines.map(\.file.count).max() ?? 0
    for line in lines {
      console.output.appendLine(
        line.file + String(repeating: " ", count: width - line.file.count) + "  " + line.words)
    }
    return ExitCode.good
  }

  private static func words(_ role: RoleName) -> String {
    switch role {
    case .root: "signs the keys of all roles; keep it offline"
    case .targets: "publishes streams"
    case .snapshot: "signs the list of what is published"
    case .timestamp: "signs that the list is up to date"
    }
  }
}
