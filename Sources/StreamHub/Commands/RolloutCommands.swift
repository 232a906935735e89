internal import ArgumentParser
internal import StreamConsole
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub promote N`: gives a candidate to more clients, or to all.
struct PromoteCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Gives a candidate to more clients, or makes it the stable version.",
    discussion: """
      Examples:
        streamhub promote checkout/fraud --percent 50
        streamhub promote checkout/fraud
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: ArgumentHelp("The version. Default: the newest candidate.", valueName: "number"))
  var version: Int?

  @Option(
    help: ArgumentHelp("The new percentage of the clients. Default: all, and the rollout ends.", valueName: "number"))
  var percent: Int?

  @OptionGroup var source: SourceOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if let percent, !(0...100).contains(percent) {
      throw ValidationError("--percent is \(percent); expected 0 to 100")
    }
  }

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var repository = try await source.open(name, keys.folder, now: now)
    let promoted = try await repository.promote(name, version: version, percent: percent, now: now)
    let share = percent.map { "goes to \($0) % of the clients" } ?? "is stable"
    console.output.appendLine("\(name), version \(promoted.version), \(share)")
    return ExitCode.good
  }
}

/// `streamhub halt N`: ends a rollout.
struct HaltCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "halt",
    abstract: "Ends the rollout of a candidate; its clients go back to the stable version.",
    discussion: """
      Examples:
        streamhub halt checkout/fraud --reason 'too many false alarms'
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: ArgumentHelp("The version. Default: the newest candidate.", valueName: "number"))
  var version: Int?

  @Option(help: "The reason, for other publishers.")
  var reason = "halted by a publisher"

  @OptionGroup var source: SourceOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var repository = try await source.open(name, keys.folder, now: now)
    let halted = try await repository.halt(name, version: version, reason: reason, now: now)
    let stable = try repository.stream(name).stable.version
    console.output.appendLine("halted \(name), version \(halted.version); clients go back to version \(stable)")
    return ExitCode.good
  }
}

/// `streamhub rollback N`: publishes the content of an earlier version again.
struct RollbackCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Publishes the content of an earlier version as a new version.",
    discussion: """
      Examples:
        streamhub rollback checkout/fraud
        streamhub rollback checkout/fraud --to 5
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: ArgumentHelp("The earlier version. Default: the newest one with another content.", valueName: "number"))
  var to: Int?

  @Option(help: "A remark for other publishers.")
  var notes: String?

  @OptionGroup var source: SourceOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var repository = try await source.open(name, keys.folder, now: now)
    switch try await repository.rollBack(name, to: to, notes: notes, now: now) {
    case .unchanged(let version): console.output.appendLine("\(name) is unchanged: version \(version)")
    case .published(let publication):
      let notes = publication.notes.map { " (\($0))" } ?? ""
      console.output.appendLine("published \(name), version \(publication.version)\(notes)")
    }
    return ExitCode.good
  }
}
