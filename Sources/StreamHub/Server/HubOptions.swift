internal import StreamCore
internal import StreamFiles
internal import StreamSharing

/// The settings of a hub.
struct HubOptions: Sendable {
  /// The folder of the repository.
  var repository: String
  /// The folder of tokens, events, reports and the audit.
  var state: String
  /// Whether the files of the repository are served without a token.
  var isRepositoryPublic = true
  /// Whether the scope `read` is granted without a token.
  var isReadPublic = false
  /// Whether a proxy in front states the addresses of clients in `x-forwarded-for`.
  var isBehindProxy = false
  /// Requests per second of one token, or of one address without a token.
  var rate: Double = 100
  /// Reports per second of one token.
  var reportRate: Double = 2_000
  /// When a rollout is halted because of reports.
  var halting = HaltRule()
  /// Maximum duration of all tests of an uploaded file together, in seconds.
  var testSeconds: Double = 10
  /// Whether each request is logged.
  var logsRequests = false
}

/// The files of a hub's state.
struct StateFolder {
  let path: String

  /// Creates the folder, accessible to its owner only, unless it exists.
  init(_ path: String) throws(ServerError) {
    do throws(SystemError) {
      try Directory.create(path, isPrivate: true)
    } catch {
      throw ServerError("the folder '\(path)' cannot be created: \(error.explanation)")
    }
    self.path = path
  }

  /// The folder of a hub, which may not exist, to be read only.
  init(existing path: String) { self.path = path }

  var tokens: String { Path.join(path, "tokens.json") }
  var events: String { Path.join(path, "events.ndjson") }
  var reports: String { Path.join(path, "reports.ndjson") }
  var audit: String { Path.join(path, "audit.ndjson") }
  var attributes: String { Path.join(path, "attributes.json") }
  var served: String { Path.join(path, "served.json") }

  /// The right to use the folder, until the process ends.
  ///
  /// - Throws: If another hub uses it.
  func lock() throws(ServerError) -> ProcessLock {
    let lock: ProcessLock?
    do throws(SystemError) {
      lock = try ProcessLock.take(Path.join(path, "lock"))
    } catch {
      throw ServerError(error.diagnostic(writing: path).message)
    }
    if let lock { return lock }
    throw ServerError("another hub uses the folder '\(path)'; give each hub a --state of its own")
  }
}
