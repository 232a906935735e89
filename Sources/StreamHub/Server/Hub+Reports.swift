internal import Dispatch
internal import StreamCore
internal import StreamSharing
internal import Synchronization

/// Reports of clients, and the rollouts that they halt.
extension Hub {
  /// Maximum number of reports in one request.
  static let reportLimit = 500

  /// Counts the reports of a request. Called on the queue of reports.
  func count(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let value = try JSONBody.read(request.body)
    let list: [Value]
    if case .list(let elements) = value { list = elements.elements } else { list = [value] }
    guard list.count <= Self.reportLimit else {
      throw Problem(.badRequest, "more than \(Self.reportLimit) reports in one request")
    }
    var reports: [StreamReport] = []
    for element in list {
      do throws(TrustError) {
        reports.append(try StreamReport(element))
      } catch {
        throw Problem(.badRequest, error.description)
      }
    }
    var streams = streamsByName
    if !reports.allSatisfy({ Self.isPublished($0, streams) }) {
      // A client may have read a version from the repository's files before the hub has read them again.
      do { try changes.sync { try refresh() } } catch {
        log.note(.error, "repository", [("detail", .string("\(error)"))])
      }
      streams = streamsByName
    }
    var accepted = 0
    var changed: Set<ReportCounts.Key> = []
    for report in reports {
      // Reports on what the hub has not published count nothing, and take no memory.
      guard Self.isPublished(report, streams) else { continue }
      accepted += 1
      attributes.add(report.attributes)
      if self.reports.add(report, time: SystemClock.seconds), report.state == .failed {
        changed.insert(ReportCounts.Key(stream: report.stream, version: report.version))
      }
    }
    metrics.noteReports(accepted)
    for key in changed { haltIfNeeded(key) }
    return Self.json(
      ["accepted": .int(Int64(accepted)), "ignored": .int(Int64(reports.count - accepted))], status: 202)
  }

  private var streamsByName: [StreamName: HubStream] {
    Dictionary(streams.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func isPublished(_ report: StreamReport, _ streams: [StreamName: HubStream]) -> Bool {
    let versions = streams[report.stream]?.versions.prefix(ReportCounts.versionLimit)
    return versions?.first { $0.number == report.version }?.content == report.content
  }

  /// Halts the rollout of a version if too many of its clients report failures.
  private func haltIfNeeded(_ key: ReportCounts.Key) {
    guard let counts = reports.version(key.version, of: key.stream),
      options.halting.halts(counts[.failed], of: counts.total),
      let version = streams.first(where: { $0.name == key.stream })?[key.version], version.isCandidate,
      halting.withLock({ $0.insert(key).inserted })
    else { return }
    let reason = "\(counts[.failed]) of \(counts.total) clients report failures"
    changes.async { [self] in
      defer { _ = halting.withLock { $0.remove(key) } }
      do throws(TrustError) {
        _ = try repository.halt(key.stream, version: key.version, reason: reason, now: SystemClock.seconds)
        metrics.noteSelfHalt()
        note("halt", nil, key.stream, [("version", .int(Int64(key.version))), ("reason", .string(reason))])
        log.note(
          .warning, "self-halt",
          [
            ("stream", .string(key.stream.description)), ("version", .int(Int64(key.version))),
            ("reason", .string(reason)),
          ])
        try refresh()
      } catch {
        log.note(
          .error, "self-halt-failed",
          [("stream", .string(key.stream.description)), ("detail", .string(error.description))])
      }
    }
  }

  /// The reports on the versions of a stream.
  func rollout(_ name: StreamName, _ head: HTTPRequestHead) throws(Problem) -> HTTPResponse {
    let stream = try stream(name)
    let versions = stream.versions.prefix(ReportCounts.versionLimit).map { version -> Value in
      let counts = reports.version(version.number, of: name)
      guard case .map(var map) = version.json else { return .null }
      var states = ValueMap()
      for state in StreamReport.State.allCases {
        states = states.setting(state.rawValue, .int(Int64(counts?[state] ?? 0)))
      }
      map = map.setting("reports", .map(states))
      let failures = counts?.failures.map { failure -> Value in
        [
          "time": .string(Timestamp(seconds: failure.time).rfc3339),
          "diagnostics": .list(failure.diagnostics.map(Value.string)),
        ]
      }
      return .map(map.setting("failures", .list(failures ?? [])))
    }
    let threshold = ValueMap([
      ("percent", .double(options.halting.percent)), ("reports", .int(Int64(options.halting.reports))),
      ("failures", .int(Int64(options.halting.failures))),
    ])
    return Self.json(
      .map(
        ValueMap([
          ("name", .string(name.description)),
          ("threshold", .map(threshold)),
          ("versions", .list(versions)),
        ])), head)
  }
}
