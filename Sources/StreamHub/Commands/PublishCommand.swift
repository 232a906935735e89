internal import ArgumentParser
internal import CEL
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamSharing

/// `streamhub publish FILE --name N`: publishes a stream file as the next version.
struct PublishCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publishes a stream file as the next version of a stream.",
    discussion: """
      The file must be valid, its tests must pass, and it cannot refer to other files. The differences from the version \
      that clients run are printed first. With --percent or --where, only some of the clients take the version, until \
      it is promoted. --set and --parameters give values to the parameters of the file; a client compiles the version \
      with them, and its own --set takes precedence. With the address of a hub, the keys in the folder --keys sign if \
      they may, else those of the hub; the token is in the variable STREAMHUB_TOKEN. A warning tells of attributes in \
      --where that no client has sent to the hub, whose --state is read for a folder. The exit code is 1 if a test fails, \
      and 2 if the file is invalid.

      Examples:
        streamhub publish Streams/tilt.json --name tilt
        streamhub publish fraud.json --name checkout/fraud --percent 20 --where 'client.build >= 420'
        STREAMHUB_TOKEN=… streamhub publish tilt.json --name tilt --repository https://hub.example
        streamhub publish tilt.json --name tilt --set quiet=10 --percent 20
        streamhub publish tilt.json --name tilt --behavior --input gravity=day.ndjson --check-only
      """)

  @Argument(help: "The stream file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "The name of the stream, for example checkout/fraud.")
  var name: String

  @Option(help: ArgumentHelp("Percentage of the clients that take the version, 0 to 100.", valueName: "number"))
  var percent: Int?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "A condition over 'client' for those that take the version, for example client.platform == 'ios'.",
      valueName: "expression"))
  var condition: String?

  @Option(
    help: ArgumentHelp(
      "A text that selects the clients: rollouts with the same one select the same clients. Default: the name and the "
        + "version.", valueName: "text"))
  var salt: String?

  @Option(help: "A remark for other publishers.")
  var notes: String?

  @Flag(help: "Checks and compares the file, and publishes nothing.")
  var checkOnly = false

  @OptionGroup var parameters: ParameterOptions
  @OptionGroup var behavior: BehaviorOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if let percent, !(0...100).contains(percent) {
      throw ValidationError("--percent is \(percent); expected 0 to 100")
    }
    if salt != nil, percent == nil, condition == nil { throw ValidationError("--salt needs --percent or --where") }
    try behavior.validate(.text)
  }

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    if let condition {
      let text = ExpressionText(condition, file: "--where")
      console.remember(text.source)
      _ = try text.plan(over: [Variable("client")])
    }
    let bytes = try console.makeLoader().text(of: file).bytes
    let arguments = try parameters.request.arguments()
    let check = PublicationCheck(name, bytes, file: file, arguments: arguments)
    check.print(on: console)
    if check.untestable {
      console.say("note: the tests were not run, because the file requires functions or operators of an app")
    }
    guard var draft = check.draft else { return check.report.isWrong ? ExitCode.wrong : ExitCode.failed }
    for name in check.openParameters {
      console.say("note: the parameter '\(name)' has no value and no default, so each client has to give one")
    }
    draft.notes = notes

    var repository = try await source.open(name, keys.folder, toChange: !checkOnly, now: now)
    let known = try repository.streams.first { $0.name == name }
    if percent != nil || condition != nil {
      let version = (known?.versions.first?.number ?? 0) + 1
      draft.rollout = Rollout(
        percent: percent ?? 100, salt: salt ?? "\(name)-\(version)", where: condition.map { CELExpression($0) })
    }
    if let known { try await compare(known, draft, repository, console) }
    guard !checkOnly else { return ExitCode.good }
    switch try await repository.publish(draft, now: now) {
    case .unchanged(let version): console.output.appendLine("\(name) is unchanged: version \(version)")
    case .published(let publication):
      let share = draft.rollout.map { " to \(PublicationText.clients($0))" } ?? ""
      let values = draft.parameters.isEmpty ? "" : ", with \(PublicationText.parameters(draft.parameters))"
      console.output.appendLine("published \(name), version \(publication.version)\(share)\(values)")
    }
    for warning in repository.warnings + warnings(of: draft.rollout) { console.say("warning: --where: \(warning)") }
    for expiring in repository.expirations where expiring.urgency(at: now) > .none {
      console.say("note: \(expiring.text(at: now))")
    }
    return ExitCode.good
  }

  /// Warnings about a rollout, according to the attributes that clients have sent to the hub of a folder.
  private func warnings(of rollout: Rollout?) -> [String] {
    guard let rollout, !RepositoryLocation.isAddress(source.repository) else { return [] }
    return rollout.warnings(knowing: AttributeNames(StateFolder(existing: state.state).attributes).names)
  }

  /// Prints the differences from the stable version, of the file and, with recordings, of the output.
  private func compare(
    _ known: PublishedStream, _ draft: Draft, _ repository: any WritableRepository, _ console: Console
  ) async throws {
    guard let stable = known.versions.first(where: { $0.state == .stable }), known.stable.identity != draft.identity
    else { return }
    let old = "\(known.name) version \(stable.number)"
    let texts = NamedTexts([old: try await repository.bytes(of: stable), file: draft.bytes])
    let comparison = VersionComparison(
      old, file, texts, stable.publication.parameters, draft.parameters, color: appearance.color)
    try comparison.print(.text, on: console)
    if behavior.behavior { try comparison.print(.text, behavior: behavior, on: console) }
  }
}
