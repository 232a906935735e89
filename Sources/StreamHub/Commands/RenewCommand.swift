#if Sharing
internal import ArgumentParser
internal import StreamCommands
internal import StreamDriving
internal import StreamSharing

/// `streamhub renew`: signs metadata again before they expire.
struct RenewCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Signs the snapshot and the timestamp again, so that clients accept them for longer.",
    discussion: """
      A timestamp expires after 7 days, a snapshot after 30, the list of streams after 90, and a root after a year. A hub \
      renews the first two automatically. For a repository on a web server, run this command once a day.

      Examples:
        streamhub renew
        streamhub renew targets root
      """)

  @Argument(help: "Other roles to sign again: root, targets, or delegated ones.")
  var roles: [String] = []

  @OptionGroup var folder: FolderOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let wanted = Set(roles + ["snapshot", "timestamp"])
    var repository = try folder.open(keys.folder, wanted.contains)
    for role in roles { _ = try repository.authority(of: role) }
    try repository.renew(roles, now: now)
    console.output.appendLine("signed \(wanted.sorted().joined(separator: ", "))")
    return ExitCode.good
  }
}
#endif
