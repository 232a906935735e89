internal import ArgumentParser
internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// The options of `streamhub run` for the repository that it follows.
struct FollowingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address of a hub, such as http://127.0.0.1:8390, or the folder or the address of a repository.",
      valueName: "folder or url"))
  var from = "repository"

  @OptionGroup var trust: TrustOptions

  @Option(
    help: ArgumentHelp(
      "An attribute of this client for the conditions of rollouts, for example platform=ios; JSON, or else a string.",
      valueName: "name=value"))
  var attribute: [NamedArgument] = []

  @Option(help: ArgumentHelp("Seconds between two looks at the repository.", valueName: "seconds"))
  var refresh = 60.0

  @Option(
    help: ArgumentHelp(
      "Maximum seconds to look for a new version before the start; 0 to start at once.", valueName: "seconds"))
  var wait = 5.0

  @Flag(help: "Runs the version of the cache, and asks nobody for a newer one.")
  var offline = false

  @Flag(
    help: ArgumentHelp(
      "Ends with the exit code \(FollowingRefusal.notRefreshed.rawValue) if the repository cannot be read in --wait "
        + "seconds."))
  var refreshFirst = false

  @Option(
    help: ArgumentHelp(
      "Ends with the exit code \(FollowingRefusal.notFresh.rawValue) if the repository was last read longer ago, for "
        + "example 5m or 1h.", valueName: "duration"))
  var requireFresh: Freshness?

  @Option(
    help: ArgumentHelp(
      "Ends with the exit code \(FollowingRefusal.tooOld.rawValue) if the version at the start is older.",
      valueName: "version"))
  var atLeast: Int?

  @Option(
    help: ArgumentHelp(
      "Seconds since the first value without a failure after which a new version is good.", valueName: "seconds"))
  var probation = 60.0

  @Option(
    help: ArgumentHelp("Number of values without a failure after which a new version is good.", valueName: "count"))
  var probationValues = 1_000

  @Flag(help: "Tells the hub which version runs, and whether it works. The token is in the variable STREAMHUB_TOKEN.")
  var report = false

  /// The variable of the environment with the token for a hub.
  static let tokenVariable = "STREAMHUB_TOKEN"

  /// The token for a hub; nil if there is none.
  static var token: String? {
    ProcessEnvironment.variable(tokenVariable).flatMap { $0.isEmpty ? nil : $0 }
  }

  func validate() throws {
    if !(refresh >= 0.1) { throw ValidationError("--refresh is \(refresh); expected 0.1 seconds or more") }
    if !(wait >= 0 && wait <= 86_400) {
      throw ValidationError("--wait is \(wait); expected 0 to 86400 seconds")
    }
    if offline, refreshFirst { throw ValidationError("--offline and --refresh-first cannot be combined") }
    if refreshFirst, wait == 0 { throw ValidationError("--refresh-first needs a --wait of more than 0 seconds") }
    if let atLeast, atLeast < 1 { throw ValidationError("--at-least is \(atLeast); expected 1 or more") }
    if offline, report { throw ValidationError("--offline and --report cannot be combined") }
    if !(probation >= 0) { throw ValidationError("--probation is \(probation); expected 0 seconds or more") }
    if probationValues < 1 {
      throw ValidationError("--probation-values is \(probationValues); expected 1 or more")
    }
    if report, hub == nil { throw ValidationError("--report needs the address of a hub: --from http://host:port") }
  }

  /// The address of the hub; nil if the repository is served by something else.
  var hub: String? { RepositoryLocation.hub(of: from) }

  var attributes: ValueMap {
    ValueMap(
      attribute.map { argument in
        var reader = JSONReader()
        return (.string(argument.name), (try? reader.read(argument.text)) ?? .string(argument.text))
      })
  }
}

/// The greatest age of the last read of a repository, such as `5m`.
struct Freshness: ExpressibleByArgument {
  /// In seconds, 0 or more.
  let seconds: Int64

  init?(argument: String) {
    guard let duration = try? Duration(goText: argument), duration >= .zero else { return nil }
    seconds = duration.components.seconds
  }
}

/// Why a run does not begin: the run may not use the version at hand. The raw value is the exit code.
enum FollowingRefusal: Int32 {
  /// `--refresh-first`, and the repository could not be read.
  case notRefreshed = 3
  /// `--require-fresh`, and the repository was last read too long ago.
  case notFresh = 4
  /// `--at-least`, and the version is older.
  case tooOld = 5
}

extension FollowingOptions {
  /// The reason why a stream may not begin; nil if it may.
  ///
  /// - Parameters:
  ///   - refreshed: The time at which the repository was read last, in seconds since 1970; nil if that is not known.
  ///   - now: The current time.
  func refusal(
    of shared: SharedStream, refreshed: Int64?, at now: Int64
  ) -> (kind: FollowingRefusal, text: String)? {
    let reason = shared.state.problem.map { ": \($0)" } ?? ""
    if refreshFirst, !shared.hasRefreshed {
      return (.notRefreshed, "the repository could not be read, as --refresh-first requires\(reason)")
    }
    if let requireFresh, refreshed.map({ now - $0 > requireFresh.seconds }) ?? true {
      let age = refreshed.map { "was last read \(max(0, now - $0).durationText) ago" } ?? "has never been read"
      return (
        .notFresh,
        "the repository \(age); --require-fresh permits \(requireFresh.seconds.durationText)\(reason)"
      )
    }
    guard let atLeast, shared.firstVersion ?? 0 < atLeast else { return nil }
    let version = shared.firstVersion.map { "version \($0)" } ?? "the version built in"
    return (.tooOld, "\(version) would run; --at-least is \(atLeast)\(reason)")
  }
}
