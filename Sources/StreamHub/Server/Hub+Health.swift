internal import Dispatch
internal import StreamCore
internal import StreamFiles
internal import StreamSharing
internal import Synchronization

/// The condition of the hub, and its metrics.
extension Hub {
  /// The present problems.
  var causes: [HealthCause] {
    health.withLock { $0 }.causes(repository.expirations, at: SystemClock.seconds, HTTPLoop.now)
  }

  /// Whether the hub can serve clients and make changes.
  func readiness(_ head: HTTPRequestHead) throws(Problem) -> HTTPResponse {
    let blocking = causes.filter(\.isBlocking)
    guard blocking.isEmpty else { throw Problem(.notReady, blocking.map(\.detail).joined(separator: "; ")) }
    return Self.json(.object(("ready", true)), head)
  }

  /// The condition of the hub with all its causes. Its status is that of `/readyz`: a warning is none.
  func condition(_ head: HTTPRequestHead) -> HTTPResponse {
    let (causes, now) = (causes, SystemClock.seconds)
    let isReady = !causes.contains(where: \.isBlocking)
    let json = Value.object(
      ("status", .string(isReady ? causes.isEmpty ? "pass" : "warn" : "fail")),
      ("causes", .list(causes.map(\.json))), ("roles", .list(repository.expirations.map { $0.json(at: now) })),
      ("signs", .list(repository.keyState.signs.map(Value.string))))
    return isReady ? Self.json(json, head) : Self.json(json, status: 503)
  }

  // MARK: Storage

  /// The folders that the hub writes to: that of the repository only if it signs.
  private var writtenFolders: [String] {
    repository.keyState.signs.isEmpty ? [options.state] : [options.state, options.repository]
  }

  /// Looks again whether folders can be written to, since something could not.
  func suspectStorage() { changes.async { [self] in checkStorage() } }

  /// Looks whether the folders of the hub can be written to, by writing. Called on the queue of changes.
  func checkStorage() {
    var (problems, space) = ([String: String](), [String: DiskSpace]())
    for folder in writtenFolders {
      // The folder of the metadata is one that the hub never creates.
      let written = folder == options.repository ? Path.join(folder, "metadata") : folder
      problems[folder] = DiskSpace.problem(writingTo: written)
      space[folder] = DiskSpace(of: folder)
    }
    let before = health.withLock { health in
      defer { (health.writeProblems, health.space) = (problems, space) }
      return health.writeProblems
    }
    for folder in writtenFolders where (problems[folder] == nil) != (before[folder] == nil) {
      log.note(
        problems[folder] == nil ? .info : .error, "storage",
        [("detail", .string(problems[folder] ?? "'\(folder)' can be written again"))])
    }
  }

  /// Logs that something was not written, and looks whether anything can be.
  func noteUnwritten(_ detail: String) {
    log.note(.error, "storage", [("detail", .string(detail))])
    suspectStorage()
  }

  // MARK: Metrics

  /// The text of `/metrics`: counters, and what is measured now.
  var metricsText: String {
    var text = metrics.text
    let counts = counts
    text.add("connections", .gauge, "Open connections.", Double(counts.connections))
    text.add("event_readers", .gauge, "Readers of events.", Double(counts.eventReaders))
    text.add(
      "event_readers_dropped", .gauge, "Readers that lagged behind and were disconnected.",
      Double(counts.droppedReaders))
    text.add("connections_refused", .gauge, "Connections beyond the maximum.", Double(counts.refusedConnections))
    let totals = reports.totals
    text.add(
      "clients", .gauge, "Clients by their last state, summed over versions.",
      StreamReport.State.allCases.map { (["state": $0.rawValue], Double(totals[$0] ?? 0)) })
    text.add("streams", .gauge, "Streams.", Double(streams.count))
    let (now, expirations) = (SystemClock.seconds, repository.expirations)
    text.add(
      "role_expires_seconds", .gauge, "Seconds until the metadata of a role expire.",
      expirations.map { (["role": "\($0.role)"], Double($0.expires - now)) })
    let timestamp = expirations.first { $0.role == RoleName.timestamp.rawValue }
    text.add(
      "timestamp_expires_seconds", .gauge, "Seconds until the timestamp expires.",
      timestamp.map { Double($0.expires - now) })
    let causes = causes
    text.add(
      "ready", .gauge, "1 if the hub is ready, as /readyz says, else 0.", causes.contains(where: \.isBlocking) ? 0 : 1)
    text.add(
      "health_causes", .gauge, "Reasons to act, as /health lists them, by kind.",
      HealthCause.Kind.allCases.map { kind in
        (["kind": kind.rawValue], Double(causes.count { $0.kind == kind }))
      })
    text.add(
      "disk_available_bytes", .gauge, "Bytes that the hub may still write, by folder.",
      health.withLock(\.space).sorted { $0.key < $1.key }.map { (["folder": $0.key], Double($0.value.available)) })
    let signs = repository.keyState.signs
    text.add(
      "signs", .gauge, "1 if the keys of a role are at hand, else 0.",
      expirations.filter { $0.role != RoleName.root.rawValue }.map {
        (["role": $0.role], signs.contains($0.role) ? 1 : 0)
      })
    return text.text
  }
}
