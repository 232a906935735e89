internal import Dispatch
internal import StreamCore
internal import StreamSharing
internal import Synchronization

/// A hub: serves a repository, takes publications, notifies clients, and counts their reports.
///
/// Requests that only read are answered on the thread of the server, from the last known state of the repository.
/// Changes are made one after the other on a queue.
final class Hub: HTTPHandler {
  let options: HubOptions
  let repository: any HubRepository
  let files: RepositoryFiles
  let events: EventLog
  let reports: ReportStore
  let audit: AuditLog
  let tokens: TokenFile
  let served: ServedVersion
  let attributes: AttributeNames
  let log: HubLog
  let metrics = HubMetrics()
  private let limiter: RateLimiter
  private let reportLimiter: RateLimiter
  private let strangerLimiter: RateLimiter

  /// The queue of changes.
  let changes = DispatchQueue(label: "streamhub.changes")
  /// The queue of tests of uploaded files, which may take long: no change waits for them.
  let checking = DispatchQueue(label: "streamhub.checks")
  /// The number of uploads on that queue.
  let waitingChecks = Atomic<Int>(0)
  /// Maximum number of uploads that wait for their tests.
  static let checkLimit = 32
  /// The queue of reports.
  let counting = DispatchQueue(label: "streamhub.reports")
  /// The queue of comparisons, which may take long.
  let comparing = DispatchQueue(label: "streamhub.comparisons")
  /// The queue of large files.
  let reading = DispatchQueue(label: "streamhub.files")

  /// Whether the regular work is done, and how.
  let health = Mutex(HubHealth())
  private let known = Mutex<[HubStream]>([])
  private let server = Mutex<HTTPServer?>(nil)
  /// The versions that are being halted.
  let halting = Mutex<Set<ReportCounts.Key>>([])

  /// - Throws: If the folder of the state cannot be used.
  init(
    _ options: HubOptions, repository: any HubRepository, log: HubLog
  ) throws(ServerError) {
    self.options = options
    self.repository = repository
    self.log = log
    let state = try StateFolder(options.state)
    files = RepositoryFiles(options.repository, isPublic: options.isRepositoryPublic)
    events = try EventLog(state.events, now: SystemClock.seconds)
    reports = try ReportStore(state.reports)
    audit = try AuditLog(state.audit)
    tokens = TokenFile(state.tokens)
    served = ServedVersion(state.served)
    attributes = AttributeNames(state.attributes)
    limiter = RateLimiter(rate: options.rate, burst: 2 * options.rate)
    reportLimiter = RateLimiter(rate: options.reportRate, burst: 2 * options.reportRate)
    strangerLimiter = RateLimiter(rate: 10, burst: 40)
  }

  // MARK: State

  /// The streams as they were last read.
  var streams: [HubStream] { known.withLock { $0 } }

  /// A stream as it was last read.
  ///
  /// - Throws: `notFound`.
  func stream(_ name: StreamName) throws(Problem) -> HubStream {
    let streams = streams
    if let stream = streams.first(where: { $0.name == name }) { return stream }
    let near = nearestName(to: name.description, among: streams.map(\.name.description))
    throw Problem(
      .notFound, "there is no stream '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  /// Connects the server through which events are sent.
  func attach(_ server: HTTPServer?) { self.server.withLock { $0 = server } }

  var counts: HTTPServer.Counts { server.withLock { $0 }?.currentCounts ?? HTTPServer.Counts() }

  /// Reads the repository again, and notifies clients of changes. Called on the queue of changes.
  func refresh(isFirst: Bool = false) throws(TrustError) {
    let old = streams
    let new = try repository.streams()
    guard new != old || isFirst else { return }
    known.withLock { $0 = new }
    reports.keep(new)
    let digest = EntityTag.of(new.map { "\($0.name) \($0.tag)" }.joined(separator: "\n"))
    guard !isFirst else {
      // The streams that a hub finds at its start are not news, unless they have changed since its last event.
      if let last = events.lastDigest, last != digest { _ = events.append("reset", .object(), digest: digest) }
      return
    }
    for change in HubChange.changes(from: old, to: new) { publish(change, digest) }
  }

  private func publish(_ change: HubChange, _ digest: String) {
    let (id, bytes, isSaved) = events.append(change.kind.rawValue, change.json, digest: digest)
    server.withLock { $0 }?.send(event: bytes, id: id)
    metrics.noteChange(change.kind)
    log.note(
      .info, change.kind.rawValue,
      [
        ("stream", .string(change.stream.description)), ("version", .int(Int64(change.version.number))),
        ("id", .int(Int64(id))),
      ])
    if !isSaved { noteUnwritten("the event could not be written") }
  }

  // MARK: Permission

  /// The caller of a request.
  struct Caller: Sendable {
    /// The ID of the token; nil without one.
    let token: Token?
    let address: String

    /// The name in the log and in the audit.
    var name: String { token?.id ?? "anonymous" }
  }

  /// Checks the token and the rate of a request.
  ///
  /// - Parameter scope: nil if everybody may.
  func authorize(_ head: HTTPRequestHead, peer: String, _ scope: TokenScope?) throws(Problem) -> Caller {
    let now = HTTPLoop.now
    let address = options.isBehindProxy ? Self.forwarded(head) ?? peer : peer
    let token = try presentedToken(head, address, now)
    let caller = Caller(token: token, address: address)
    if let scope, !isPublic(scope) {
      guard let token else {
        throw try unauthorized("this needs a token: 'Authorization: Bearer shub_…'", address, now)
      }
      guard token.permits(scope) else {
        throw Problem(.forbidden, "the token does not have the scope '\(scope.text)'")
      }
    }
    guard scope != nil || token != nil else { return caller }
    let limiter = scope == .report ? reportLimiter : limiter
    if let wait = limiter.take(token?.id ?? address, now: now) { throw Self.tooMany(wait) }
    return caller
  }

  private func isPublic(_ scope: TokenScope) -> Bool { scope == .read && options.isReadPublic }

  private func presentedToken(_ head: HTTPRequestHead, _ address: String, _ now: Int64) throws(Problem) -> Token? {
    guard let field = head["authorization"] else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    let found: Token?
    do throws(ServerError) {
      found =
        parts.count == 2 && parts[0].lowercased() == "bearer"
        ? try tokens.token(String(parts[1].trimmingSpaces), now: SystemClock.seconds) : nil
    } catch {
      log.note(.error, "tokens", [("detail", .string(error.description))])
      throw Problem(.internalError, "the tokens cannot be read")
    }
    guard let found else { throw try unauthorized("the token is unknown, revoked or expired", address, now) }
    return found
  }

  private func unauthorized(_ detail: String, _ address: String, _ now: Int64) throws(Problem) -> Problem {
    if let wait = strangerLimiter.take(address, now: now) { throw Self.tooMany(wait) }
    var problem = Problem(.unauthorized, detail)
    problem.fields = [("www-authenticate", "Bearer")]
    return problem
  }

  private static func tooMany(_ seconds: Int) -> Problem {
    var problem = Problem(.tooManyRequests, "try again in \(seconds) s")
    problem.fields = [("retry-after", String(seconds))]
    return problem
  }

  /// The address of the client that the proxy in front has added.
  private static func forwarded(_ head: HTTPRequestHead) -> String? {
    head["x-forwarded-for"]?.split(separator: ",").last.map { String($0.trimmingSpaces.prefix(64)) }
  }
}
