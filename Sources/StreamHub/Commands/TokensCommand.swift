#if Sharing
internal import ArgumentParser
internal import StreamCore
internal import StreamDriving

/// `streamhub tokens`: the tokens of a hub.
struct TokensCommand: ParsableCommand {
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
struct NewToken: ParsableCommand {
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

  func run() throws {
    try TokensCommand.run { () throws(ServerError) in
      let now = SystemClock.seconds
      let (token, text) = Token.make(
        scopes: scope.compactMap(TokenScope.init), note: note, expires: expires.map { now + $0 * 86_400 }, now: now)
      try TokenFile(try StateFolder(state.state).tokens).change { $0[token.id] = token }
      try? FileDescriptor.standardOutput.write(text + "\n")
    }
  }
}

/// `streamhub tokens list`.
struct ListTokens: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Prints the tokens without their secrets, one JSON object per line.")

  @OptionGroup var state: StateOptions

  func run() throws {
    try TokensCommand.run { () throws(ServerError) in
      let tokens = try TokenFile(try StateFolder(state.state).tokens).tokens()
      for token in tokens.values.sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
        try? FileDescriptor.standardOutput.write(JSONWriter.compact(token.description) + "\n")
      }
    }
  }
}

/// `streamhub tokens revoke ID`.
struct RevokeToken: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Removes a token.")

  @Argument(help: "The ID of the token, as 'tokens list' prints it: 8 digits, which follow 'shub_' in the token.")
  var id: String

  @OptionGroup var state: StateOptions

  func run() throws {
    try TokensCommand.run { () throws(ServerError) in
      var removed: Token?
      try TokenFile(try StateFolder(state.state).tokens).change { removed = $0.removeValue(forKey: id) }
      guard removed != nil else { throw ServerError("there is no token with the ID '\(SourceExcerpt.visible(id))'") }
    }
  }
}

extension TokensCommand {
  /// Runs a command; an error ends it with exit code 1.
  static func run(_ body: () throws(ServerError) -> Void) throws {
    do throws(ServerError) {
      try body()
    } catch {
      Messages.error(error.description)
      throw ExitCode(1)
    }
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
#endif
