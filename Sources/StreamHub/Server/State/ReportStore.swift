internal import StreamCore
internal import StreamSharing
internal import Synchronization

/// The reports of clients, in memory and in a journal.
///
/// New lines of the journal are written once a second: a power failure loses at most a second, and clients that report
/// again are counted once.
final class ReportStore: Sendable {
  private struct State: ~Copyable {
    var counts: ReportCounts
    var journal: Journal
    var unwritten: [Value] = []
  }

  private let state: Mutex<State>

  init(_ path: String) throws(ServerError) {
    var counts = ReportCounts()
    let journal = try Journal(path) { line in
      guard let client = line.member("client")?.text.flatMap({ UInt64($0, radix: 16) }),
        let stream = line.member("stream")?.text.flatMap({ try? StreamName($0) }),
        case .int(let version)? = line.member("version"),
        let report = line.member("state")?.text.flatMap(StreamReport.State.init)
      else { return }
      var diagnostics: [String] = []
      if case .list(let list)? = line.member("diagnostics") { diagnostics = list.compactMap(\.text) }
      var time: Int64 = 0
      if case .int(let seconds)? = line.member("time") { time = seconds }
      _ = counts.add(client, stream, Int(version), report, diagnostics, time: time)
    }
    state = Mutex(State(counts: counts, journal: journal))
  }

  /// Counts a report. A client counts once for each version, with its last state.
  ///
  /// - Returns: Whether it changes anything.
  func add(_ report: StreamReport, time: Int64) -> Bool {
    let client = ReportCounts.hash(of: report.client)
    return state.withLock { state in
      let isNew = state.counts.add(
        client, report.stream, report.version, report.state, report.diagnostics, time: time)
      if isNew {
        state.unwritten.append(
          Self.line(client, report.stream, report.version, report.state, report.diagnostics, time))
      }
      return isNew
    }
  }

  private static func line(
    _ client: UInt64, _ stream: StreamName, _ version: Int, _ state: StreamReport.State, _ diagnostics: [String],
    _ time: Int64
  ) -> Value {
    var map = ValueMap([
      ("client", .string(String(client, radix: 16))), ("stream", .string(stream.description)),
      ("version", .int(Int64(version))), ("state", .string(state.rawValue)),
    ])
    if !diagnostics.isEmpty {
      map = map.setting("diagnostics", .list(diagnostics.map(Value.string))).setting("time", .int(time))
    }
    return .map(map)
  }

  /// The reports on a version; nil if there are none.
  func version(_ number: Int, of stream: StreamName) -> ReportCounts.Version? {
    state.withLock { $0.counts[stream, number] }
  }

  /// The number of reports in each state, for all versions.
  var totals: [StreamReport.State: Int] {
    state.withLock { state in
      state.counts.versions.values.reduce(into: [:]) { sum, version in
        for (state, count) in version.counts { sum[state, default: 0] += count }
      }
    }
  }

  /// Writes new lines to the journal, and removes lines that newer ones replace when they are the greater part.
  ///
  /// - Returns: Whether the disk has taken them.
  func save() -> Bool {
    state.withLock { state in
      var isSaved = true
      if !state.unwritten.isEmpty {
        isSaved = state.journal.append(state.unwritten, isSafe: false)
        if isSaved { state.unwritten = [] }
        // They are counted, but no memory grows while a disk is full.
        if state.unwritten.count > 100_000 { state.unwritten = [] }
      }
      let live = state.counts.versions.values.reduce(0) { $0 + $1.total }
      if state.journal.lineCount > 2 * live + 10_000 {
        isSaved = (try? state.journal.replace(Self.lines(state.counts))) != nil && isSaved
      }
      return isSaved
    }
  }

  private static func lines(_ counts: ReportCounts) -> [Value] {
    var lines: [Value] = []
    for (key, version) in counts.versions {
      for (client, state) in version.states { lines.append(line(client, key.stream, key.version, state, [], 0)) }
    }
    return lines
  }

  /// Forgets reports about old versions.
  func keep(_ streams: [HubStream]) { state.withLock { $0.counts.keep(streams) } }
}
