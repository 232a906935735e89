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
  private let lastRenewal = Mutex<Int64>(0)
  /// The urgencies that were logged last, by role.
  private let toldExpirations = Mutex<[String: RoleExpiration.Urgency]>([:])
  private let lastTold = Mutex<Int64>(0)

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
        ("streams", .int(Int64(hub.streams.count))), ("signs", .list(repository.signedRoles.map(Value.string))),
      ])
  }

  /// The regular work of each second, on the queue of changes.
  private func work() {
    let now = SystemClock.seconds
    do throws(TrustError) {
      // Another program may publish in the same folder.
      try hub.refresh()
      if lastRenewal.withLock({ now - $0 >= 60 }) {
        lastRenewal.withLock { $0 = now }
        if try hub.repository.renewIfNeeded(now: now) {
          hub.log.note(.info, "renewed")
          // The expirations are those of the new metadata.
          try hub.refresh()
        }
      }
      hub.health.withLock { $0.repositoryProblem = nil }
    } catch {
      hub.health.withLock { $0.repositoryProblem = error.description }
      hub.log.note(.error, "repository", [("detail", .string(error.description))])
    }
    hub.health.withLock { $0.lastWork = HTTPLoop.now }
    reportExpirations(now)
    hub.counting.async { [hub] in
      if !hub.reports.save() {
        hub.log.note(.error, "storage", [("detail", "the reports could not be written")])
      }
    }
    do throws(ServerError) { try hub.events.compact() } catch {
      hub.log.note(.error, "storage", [("detail", .string(error.description))])
    }
  }

  /// Logs the roles whose metadata expire: at the start, each day, and when it becomes more urgent.
  func reportExpirations(_ now: Int64) {
    let isDaily = lastTold.withLock { last in
      guard now - last >= 86_400 else { return false }
      last = now
      return true
    }
    for expiring in hub.repository.expirations {
      let urgency = expiring.urgency(at: now)
      let before = toldExpirations.withLock { $0.updateValue(urgency, forKey: expiring.role) } ?? .none
      guard urgency > .none, isDaily || urgency > before else { continue }
      hub.log.note(
        urgency > .soon ? .error : .warning, "expiring",
        [
          ("role", .string(expiring.role)), ("expires", .string(Timestamp(seconds: expiring.expires).rfc3339)),
          ("detail", .string(expiring.text(at: now))),
        ])
    }
  }

  /// Stops the server, and writes what is not on disk yet.
  func stop() {
    timer.source.cancel()
    server.stop()
    hub.attach(nil)
    hub.changes.sync {}
    hub.counting.sync { _ = hub.reports.save() }
    hub.log.note(.info, "stopped")
    hub.log.flush()
  }
}
