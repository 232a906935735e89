internal import ArgumentParser
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

  @Flag(help: "Runs the last good version, and asks nobody for a newer one.")
  var offline = false

  @Option(
    help: ArgumentHelp("Seconds without a failure after which a new version is good.", valueName: "seconds"))
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
