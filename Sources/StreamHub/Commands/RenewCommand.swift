internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub renew`: signs metadata again before they expire.
struct RenewCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Signs the snapshot and the timestamp again, so that clients accept them for longer.",
    discussion: """
      A timestamp expires after 7 days, a snapshot after 30, the list of streams after 90, and a root after a year. A hub \
      renews what its keys sign. For a repository on a web server, run this command once a day. With the address of a hub, \
      it signs roles whose keys the hub does not have.

      Examples:
        streamhub renew
        streamhub renew targets root
        streamhub renew targets --repository https://hub.example
      """)

  @Argument(help: "Other roles to sign again: root, targets, or delegated ones.")
  var roles: [String] = []

  @OptionGroup var source: SourceOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    if RepositoryLocation.isAddress(source.repository) { return try await renewAtHub(console) }
    let wanted = Set(roles + ["snapshot", "timestamp"])
    var repository = try Repository(opening: source.repository, keys: [])
    repository.add(try keys.folder.keys(of: repository, wanted.contains))
    for role in roles { _ = try repository.authority(of: role) }
    try repository.renew(roles, now: now)
    console.output.appendLine("signed \(wanted.sorted().joined(separator: ", "))")
    return ExitCode.good
  }

  private func renewAtHub(_ console: Console) async throws -> Int32 {
    guard !roles.isEmpty, roles.allSatisfy({ RoleName(rawValue: $0) ?? .targets == .targets }) else {
      throw TrustError(
        .notFound, "roles", "at a hub, name 'targets' or delegated roles; the hub signs the snapshot and the timestamp")
    }
    var repository = try await source.openSigned(keys.folder, now: now)
    for role in roles { try await repository.renew(role, now: now) }
    console.output.appendLine("signed \(roles.joined(separator: ", "))")
    return ExitCode.good
  }
}
