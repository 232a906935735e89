internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamhub tokens`: the tokens of a hub.
struct TokensCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens",
    abstract: "Creates, lists and revokes the tokens of a hub.",
    discussion: """
      A hub that runs with the same --state notices changes at once.

      Examples:
        streamhub tokens new --scope publish:checkout/ --note 'the checkout team' --expires 90
        streamhub tokens new --scope report --note 'the apps'
        streamhub tokens list
        streamhub tokens revoke 1a2b3c4d
      """,
    subcommands: [NewToken.self, ListTokens.self, RevokeToken.self])
}

/// `streamhub tokens new`.
struct NewToken: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Prints a new token, which is shown only once. Its hash is stored.")

  @Option(
    help: ArgumentHelp(
      "A permission; may be repeated: read, publish:PREFIX (streams whose names begin with it), report, or admin.",
      valueName: "scope"))
  var scope: [String]

  @Option(help: "A remark.")
  var note: String?

  @Option(help: ArgumentHelp("The number of days until it expires.", valueName: "days"))
  var expires: Int64?

  @OptionGroup var state: StateOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    for text in scope where TokenScope(text) == nil {
      throw ValidationError(
        "--scope is '\(text)'; expected read, report, admin, or publish: and the beginning of names, for example "
          + "publish:checkout/")
    }
    if let expires, !(1...36_500).contains(expires) {
      throw ValidationError("--expires is \(expires); expected 1 to 36500 days")
    }
  }

  func perform(_ console: Console) async throws -> Int32 {
    let now = now
    let (token, text) = Token.make(
      scopes: scope.compactMap(TokenScope.init), note: note, expires: expires.map { now + $0 * 86_400 }, now: now)
    try TokenFile(try StateFolder(state.state).tokens).change { $0[token.id] = token }
    console.output.appendLine(text)
    return ExitCode.good
  }
}

/// `streamhub tokens list`.
struct ListTokens: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Prints the tokens without their secrets, one JSON object per line.")

  @OptionGroup var state: StateOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let tokens = try TokenFile(try StateFolder(state.state).tokens).tokens()
    for token in tokens.values.sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
      console.output.appendLine(JSONWriter.compact(token.description))
    }
    return ExitCode.good
  }
}

/// `streamhub tokens revoke ID`.
struct RevokeToken: HubCommand {
  static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Removes a token.")

  @Argument(help: "The ID of the token, as 'tokens list' prints it: 8 digits, which follow 'shub_' in the token.")
  var id: String

  @OptionGroup var state: StateOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    var removed: Token?
    try TokenFile(try StateFolder(state.state).tokens).change { removed = $0.removeValue(forKey: id) }
    guard removed != nil else { throw ServerError("there is no token with the ID '\(id)'") }
    console.output.appendLine("revoked \(id)")
    return ExitCode.good
  }
}

extension Token {
  /// The token for people.
  var description: Value {
    var map = ValueMap([
      ("id", .string(id)), ("scopes", .list(scopes.map { .string($0.text) })),
      ("created", .string(Timestamp(seconds: created).rfc3339)),
    ])
    if let expires { map = map.setting("expires", .string(Timestamp(seconds: expires).rfc3339)) }
    if let note { map = map.setting("note", .string(note)) }
    return .map(map)
  }
}
