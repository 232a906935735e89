internal import Dispatch
internal import StreamCore
internal import StreamFiles
internal import StreamSharing
internal import Synchronization

/// A hub with its server and its regular work.
final class RunningHub: Sendable {
  let hub: Hub
  let server: HTTPServer
  private let timer: Timer
  private let told = Mutex(Told())

  /// The times of regular work in seconds since 1970, and what the log has of the condition of the hub.
  private struct Told {
    var renewal: Int64 = 0
    var storage: Int64 = 0
    /// The last line of the day about what is not urgent.
    var daily: Int64 = 0
    var repository: String?
    var keys: HubKeyState?
    var expirations: [String: RoleExpiration.Urgency] = [:]
    var warnings: Set<HealthCause.Kind> = []
    var blocking: Set<HealthCause.Kind> = []
  }

  /// Seconds between two looks whether the folders can be written to.
  private static let storagePause: Int64 = 5

  private struct Timer: @unchecked Sendable {  // Dispatch's sources may be used on any thread
    let source: any DispatchSourceTimer
  }

  /// Starts a hub.
  init(
    _ options: HubOptions, repository: any HubRepository, host: String, port: UInt16, limits: HTTPLimits, log: HubLog
  ) throws {
    hub = try Hub(options, repository: repository, log: log)
    try hub.changes.sync { [hub] in try hub.refresh(isFirst: true) }
    server = try HTTPServer(host: host, port: port, limits: limits, handler: hub)
    hub.attach(server)
    let source = DispatchSource.makeTimerSource(queue: hub.changes)
    timer = Timer(source: source)
    source.schedule(deadline: .now(), repeating: 1, leeway: .milliseconds(100))
    source.setEventHandler { [weak self] in self?.work() }
    source.activate()
    log.note(
      .info, "started",
      [
        ("host", .string(host)), ("port", .int(Int64(server.port))), ("repository", .string(options.repository)),
        ("streams", .int(Int64(hub.streams.count))), ("signs", .list(repository.keyState.signs.map(Value.string))),
      ])
  }

  /// The regular work of each second, on the queue of changes.
  func work() {
    let now = SystemClock.seconds
    var problem: TrustError?
    do throws(TrustError) {
      // Another program may publish in the same folder.
      try hub.refresh()
      if told.withLock({ now - $0.renewal >= 60 }) {
        told.withLock { $0.renewal = now }
        if try hub.repository.renewIfNeeded(now: now) {
          hub.log.note(.info, "renewed")
          // The expirations are those of the new metadata.
          try hub.refresh()
        }
      }
    } catch {
      problem = error
    }
    if let problem, told.withLock({ $0.repository != problem.description }) {
      hub.log.note(.error, "repository", [("detail", .string(problem.description))])
    }
    told.withLock { $0.repository = problem?.description }
    if told.withLock({ now - $0.storage >= Self.storagePause }) {
      told.withLock { $0.storage = now }
      hub.checkStorage()
    }
    let (keys, age) = (hub.repository.keyState, hub.served.problem(of: hub.repository.timestampVersion))
    hub.health.withLock { health in
      (health.repositoryProblem, health.keys, health.ageProblem) = (problem?.description, keys, age)
      health.lastWork = HTTPLoop.now
    }
    report(keys)
    reportCondition(now)
    hub.counting.async { [hub] in
      let isSaved = hub.attributes.save()
      if !hub.reports.save() || !isSaved, hub.health.withLock({ $0.writeProblems.isEmpty }) {
        hub.noteUnwritten("the reports could not be written")
      }
    }
    do throws(ServerError) { try hub.events.compact() } catch {
      hub.noteUnwritten(error.description)
    }
  }

  /// Logs which roles the hub can sign, when that changes.
  private func report(_ keys: HubKeyState) {
    let before = told.withLock { told in
      defer { told.keys = keys }
      return told.keys
    }
    guard let before, before != keys else { return }
    let lost = before.signs.filter { !keys.signs.contains($0) }
    var fields: [(name: String, value: Value)] = [("signs", .list(keys.signs.map(Value.string)))]
    if !lost.isEmpty { fields.append(("lost", .list(lost.map(Value.string)))) }
    if let detail = keys.problem ?? keys.unusedKey?.description { fields.append(("detail", .string(detail))) }
    let isWorse = !lost.isEmpty || keys.unusedKey != nil
    hub.log.note(keys.problem != nil ? .error : isWorse ? .warning : .info, "keys", fields)
  }

  /// Logs what is wrong: at the start, each day, and when it becomes more urgent.
  func reportCondition(_ now: Int64) {
    let isDaily = told.withLock { told in
      guard now - told.daily >= 86_400 else { return false }
      told.daily = now
      return true
    }
    for expiring in hub.repository.expirations {
      let urgency = expiring.urgency(at: now)
      let before = told.withLock { $0.expirations.updateValue(urgency, forKey: expiring.role) } ?? .none
      guard urgency > .none, isDaily || urgency > before else { continue }
      hub.log.note(
        urgency > .soon ? .error : .warning, "expiring",
        [
          ("role", .string(expiring.role)), ("expires", .string(Timestamp(seconds: expiring.expires).rfc3339)),
          ("detail", .string(expiring.text(at: now))),
        ])
    }
    let causes = hub.causes
    let (blocking, warnings) = (causes.filter(\.isBlocking), causes.filter { !$0.isBlocking && $0.kind != .expiring })
    let (wasBlocked, hadWarnings) = told.withLock { told in
      defer { (told.blocking, told.warnings) = (Set(blocking.map(\.kind)), Set(warnings.map(\.kind))) }
      return (told.blocking, told.warnings)
    }
    for warning in warnings where isDaily || !hadWarnings.contains(warning.kind) {
      hub.log.note(
        .warning, "warning", [("kind", .string(warning.kind.rawValue)), ("detail", .string(warning.detail))])
    }
    if !blocking.isEmpty, isDaily || !wasBlocked.isSuperset(of: blocking.map(\.kind)) {
      hub.log.note(
        .error, "not-ready", [("detail", .string(blocking.map(\.detail).joined(separator: "; ")))])
    } else if blocking.isEmpty, !wasBlocked.isEmpty {
      hub.log.note(.info, "ready")
    }
  }

  /// Stops the server, and writes what is not on disk yet.
  func stop() {
    timer.source.cancel()
    server.stop()
    hub.attach(nil)
    hub.changes.sync {}
    hub.counting.sync { _ = hub.reports.save() && hub.attributes.save() }
    hub.log.note(.info, "stopped")
    hub.log.flush()
  }
}
