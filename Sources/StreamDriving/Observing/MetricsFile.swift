internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Rewrites a file of metrics for Prometheus, at fixed intervals and at the end.
///
/// The collector `textfile` of a node exporter reads it. A reader finds the whole old or the whole new text. A file that
/// cannot be written never ends the run: one warning reports it, and a note when it is written again.
final class MetricsFile: RunService {
  private let path: String
  private let interval: Int64
  private let streamName: String
  private var next: Int64 = 0
  private var feeds = FeedLog()
  private let clock = LiveClock()
  /// Whether the file could not be written the last time.
  private var hasFailed = false

  /// - Parameters:
  ///   - seconds: Time between two writes.
  ///   - streamName: The path of the stream file.
  init(_ path: String, every seconds: Double, of streamName: String) {
    self.path = path
    interval = Int64(min(seconds, 1e9) * 1e9)
    self.streamName = streamName
  }

  var untilDue: Int64? { max(0, next - clock.now.nanoseconds) }

  func serve(_ run: RunSession) throws(RunStop) {
    feeds.note(run.feeds)
    let now = clock.now.nanoseconds
    guard now >= next else { return }
    next = now + interval
    write(run)
  }

  func close(_ run: RunSession) {
    feeds.note(run.feeds)
    write(run)
  }

  private func write(_ run: RunSession) {
    let text = PrometheusText(RunFigures(run, feeds: feeds.all), of: streamName).text
    do throws(Diagnostic) {
      try AtomicFile.write(Array(text.utf8), to: path)
      run.console.usedFiles.noteReplacedOutput(path)
      if hasFailed { run.console.say("note: the metrics are written to '\(path)' again") }
      hasFailed = false
    } catch {
      if !hasFailed { run.console.report(error.asWarning("the run continues without its metrics")) }
      hasFailed = true
    }
  }
}

extension PrometheusText {
  /// The metrics of a run.
  init(_ figures: RunFigures, of streamName: String) {
    self.init(prefix: "streamrun")
    addBuild(streamName)
    add("uptime_seconds", .gauge, "Time since the run started.", figures.uptime)
    let inputs = figures.inputs
    add(
      "values_in_total", .counter, "Values read for an input.",
      inputs.map { (["input": $0.name], Double($0.values)) })
    add(
      "input_bytes_behind", .gauge, "Bytes of a regular file that have not been read.",
      inputs.compactMap { input in input.bytesBehind.map { (["input": input.name], Double($0)) } })
    add(
      "values_out_total", .counter, "Values written to an output.",
      figures.outputs.map { (["output": $0.name], Double($0.values)) })
    add(
      "lines_skipped_total", .counter, "Lines that were not read because they are invalid.",
      Double(figures.skippedLines))
    add(
      "values_skipped_total", .counter, "Values that were skipped because an operator failed, or their type is wrong.",
      Double(figures.skippedValues))
    add("values_late_total", .counter, "Values that arrived behind the watermark.", figures.late.map(Double.init))
    add("values_held", .gauge, "Values that wait for the watermark.", figures.held.map(Double.init))
    add(
      "values_dropped_total", .counter, "Values that an operator or input dropped, by reason.",
      figures.drops.map { drop in
        let labels = [
          "operator": drop.input ?? drop.name, "place": drop.pointer.description, "reason": drop.reason.rawValue,
        ]
        return (labels, Double(drop.count))
      })
    add("calls_total", .counter, "Calls that the stream has made.", Double(figures.calls))
    add("calls_waiting", .gauge, "Calls without an answer.", Double(figures.openCalls))
    add(
      "program_restarts_total", .counter, "Restarts of a program for calls or for an output.",
      figures.counters.restarts.sorted { $0.key < $1.key }.map { (["program": $0.key], Double($0.value)) })
    add("resident_memory_bytes", .gauge, "Resident memory of the process.", figures.residentBytes.map(Double.init))
    add("timers", .gauge, "Timers that are set. The groups of one operator may share one.", Double(figures.timers))
    add(
      "event_time_seconds", .gauge, "Newest event time, since 1970.",
      figures.eventTime.map { $0.seconds(since: Timestamp(seconds: 0)) })
    add("event_time_lag_seconds", .gauge, "Present time less the newest event time.", figures.lag)
    guard let saved = figures.counters.savedState else { return }
    add(
      "state_saves_failed_total", .counter, "States that could not be saved.",
      Double(figures.counters.failedSaveCount))
    add("state_saves_total", .counter, "States saved.", Double(saved.count))
    add(
      "state_age_seconds", .gauge, "Time since the state was saved.",
      figures.counters.clock.now.seconds - saved.time.seconds)
    add("state_save_seconds", .gauge, "Time that saving the state took, the last time.", saved.seconds)
    add("state_bytes", .gauge, "Size of the saved state.", Double(saved.bytes))
  }
}
