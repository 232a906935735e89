internal import ArgumentParser
internal import CLibrary
internal import Dispatch
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub serve`: runs a hub.
struct ServeCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Runs a hub: serves a repository, takes publications, notifies clients and counts their reports.",
    discussion: """
      Clients trust the signatures in the repository, never the hub. The hub listens on this machine only unless --host \
      is given; put a proxy with TLS in front of it. It signs with the keys in the folder --keys, that of the root \
      excepted, and notices when they are replaced; without keys it serves what others publish. One hub uses a folder and \
      its --state. The log is on standard error, one JSON object per line. SIGINT and \
      SIGTERM stop it.

      Examples:
        streamhub serve
        streamhub tokens new --scope publish:checkout/ && streamhub serve --public
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup var keys: KeyOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var appearance: AppearanceOptions

  @Option(help: "The name or the address to listen at; 0.0.0.0 for all addresses of this machine.")
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for a free one.", valueName: "number"))
  var port: UInt16 = 8390

  @Flag(help: "Streams, rollouts, events and metrics can be read without a token.")
  var `public` = false

  @Flag(help: "The files of the repository cannot be read without a token.")
  var `private` = false

  @Flag(help: "A proxy in front states the addresses of clients in 'X-Forwarded-For'.")
  var behindProxy = false

  @Option(help: ArgumentHelp("Requests per second of one token.", valueName: "number"))
  var rate: Double = 100

  @Option(help: ArgumentHelp("Requests with reports per second of one token.", valueName: "number"))
  var reportRate: Double = 2_000

  @Option(
    help: ArgumentHelp(
      "Percentage of failing clients above which a rollout is halted, if it is above with 95 % certainty.",
      valueName: "number"))
  var haltPercent: Double = 2

  @Option(help: ArgumentHelp("Number of reports on a version before it can be halted.", valueName: "count"))
  var haltReports = 20

  @Option(help: ArgumentHelp("Number of failing clients before a version can be halted.", valueName: "count"))
  var haltFailures = 5

  @Option(
    help: ArgumentHelp("Maximum seconds for all tests of an uploaded file together.", valueName: "seconds"))
  var testSeconds: Double = 10

  @Option(help: ArgumentHelp("Maximum number of connections.", valueName: "count"))
  var connections = 16_384

  @Flag(help: "Logs every request.")
  var logRequests = false

  func validate() throws {
    for (name, value) in [("--rate", rate), ("--report-rate", reportRate)] where !(value > 0 && value <= 1_000_000) {
      throw ValidationError("\(name) is \(value); expected more than 0, and at most 1000000")
    }
    guard haltPercent >= 0, haltPercent <= 100 else {
      throw ValidationError("--halt-percent is \(haltPercent); expected 0 to 100")
    }
    guard haltReports >= 1 else { throw ValidationError("--halt-reports is \(haltReports); expected 1 or more") }
    guard haltFailures >= 1 else { throw ValidationError("--halt-failures is \(haltFailures); expected 1 or more") }
    guard testSeconds > 0, testSeconds <= 3_600 else {
      throw ValidationError("--test-seconds is \(testSeconds); expected more than 0, and at most 3600")
    }
    guard connections >= 1 else { throw ValidationError("--connections is \(connections); expected 1 or more") }
    if `public`, `private` { throw ValidationError("--public and --private cannot be combined") }
  }

  private var options: HubOptions {
    var options = HubOptions(repository: folder.repository, state: state.state)
    options.isRepositoryPublic = !`private`
    options.isReadPublic = `public`
    options.isBehindProxy = behindProxy
    (options.rate, options.reportRate) = (rate, reportRate)
    options.halting = HaltRule(percent: haltPercent, reports: haltReports, failures: haltFailures)
    options.testSeconds = testSeconds
    options.logsRequests = logRequests
    return options
  }

  func perform(_ console: Console) async throws -> Int32 {
    var limits = HTTPLimits()
    limits.connections = connections
    let lock = try StateFolder(state.state).lock()
    defer { withExtendedLifetime(lock) {} }
    let repository = try openRepository()
    let hub = try RunningHub(options, repository: repository, host: host, port: port, limits: limits, log: HubLog())
    while !Interruption.hasHappened { _ = Waiting.readable([], nanoseconds: 1_000_000_000) }
    // The signal's own alarm would end the process before the requests.
    alarm(UInt32(limits.stopMilliseconds / 1_000 + 2))
    hub.stop()
    return ExitCode.good
  }
}

extension ServeCommand {
  private func openRepository() throws(TrustError) -> FolderRepository {
    let watched = WatchedKeys(keys.keys, passphraseFile: keys.passphraseFile, signing: folder.repository)
    let repository = try FolderRepository(folder.repository, keys: watched)
    if let unused = repository.keyState.unusedKey { throw unused }
    watched.detach()
    return repository
  }
}

/// The folder for a hub's state.
struct StateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of tokens, events, reports and the audit; never served.", valueName: "folder"))
  var state = "hub"
}
