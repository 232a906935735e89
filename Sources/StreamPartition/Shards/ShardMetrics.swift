internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Rewrites a file of metrics for Prometheus about the shards of this process, at fixed intervals and at the end.
///
/// Totals are those of a shard since its beginning, whichever process has had it.
struct ShardMetrics {
  private let path: String
  private let interval: Int
  private let streamName: String
  private let start = MonotonicTime.milliseconds
  private var next: Int

  init(_ path: String, everyMilliseconds interval: Int, of streamName: String) {
    (self.path, self.interval, self.streamName) = (path, interval, streamName)
    next = start
  }

  mutating func writeIfDue(_ owners: [ShardOwner]) throws(Diagnostic) {
    let now = MonotonicTime.milliseconds
    guard now >= next else { return }
    next = now + interval
    try write(owners)
  }

  func write(_ owners: [ShardOwner]) throws(Diagnostic) {
    let uptime = Double(MonotonicTime.milliseconds - start) / 1_000
    let figures = owners.compactMap(\.figures)
    let now = LiveClock().origin.seconds(since: Timestamp(seconds: 0))
    let text = Self.text(figures, uptime: uptime, now: now, of: streamName)
    try AtomicFile.write(Array(text.utf8), to: path)
  }

  /// - Parameter now: Seconds since 1970.
  static func text(_ shards: [ShardOwner.Figures], uptime: Double, now: Double, of streamName: String) -> String {
    var text = PrometheusText(prefix: "streamrun")
    text.addBuild(streamName)
    text.add("uptime_seconds", .gauge, "Time since the run started.", uptime)
    text.add(
      "resident_memory_bytes", .gauge, "Resident memory of the process.", ProcessMemory.residentBytes.map(Double.init))
    text.add("shards_owned", .gauge, "Shards that this process runs.", Double(shards.count))
    func add(
      _ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: (ShardOwner.Figures) -> Double?
    ) {
      text.add(
        "shard_" + name, kind, help,
        shards.compactMap { shard in value(shard).map { (["shard": String(shard.number)], $0) } })
    }
    add("records_total", .counter, "Records processed.") { Double($0.totals.records) }
    add("results_total", .counter, "Results stored.") { Double($0.totals.outputs) }
    add("records_late_total", .counter, "Records that arrived behind the watermark.") { Double($0.totals.late) }
    add(
      "records_skipped_total", .counter,
      "Records that were skipped because they are invalid, and values that made an operator fail."
    ) {
      Double($0.totals.skipped)
    }
    add("keys", .gauge, "Keys in memory; Redis may have more.") { Double($0.keys) }
    add("memory_bytes", .gauge, "Memory that these keys take.") { Double($0.memory) }
    add("event_time_seconds", .gauge, "Newest event time, since 1970.") { $0.newest }
    add("event_time_lag_seconds", .gauge, "Present time less the newest event time.") { shard in
      shard.newest.map { now - $0 }
    }
    return text.text
  }
}
