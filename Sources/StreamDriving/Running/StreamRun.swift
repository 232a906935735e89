internal import StreamCore
internal import StreamEngine
package import StreamKit

/// Runs a compiled stream with the given options, and reports its end.
package struct StreamRun {
  let options: RunRequest
  let prepared: PreparedStream
  let feeds: [FileFeed]
  let eventClock: EventClock?
  let console: Console
  let report: SkipReport
  /// Swaps the stream when its file changes; nil unless requested.
  package var watch: StreamWatch?
  /// Number of values that may still be written; nil for unlimited.
  package var limit: Int?
  /// Takes the values that arrive too late; nil unless they have an output of their own.
  package var lateOutput: LateOutput?
  /// Records the events from outside; nil unless requested.
  package var recorder: RecordingWriter?
  /// The recording whose events replace the inputs; nil for a run.
  var replay: Replay?
  /// Takes the values instead of a writer of the requested format.
  var writer: (any ValueWriter)?

  package init(
    options: RunRequest, prepared: PreparedStream, feeds: [FileFeed], eventClock: EventClock?, console: Console,
    report: SkipReport, watch: StreamWatch? = nil, limit: Int? = nil
  ) {
    self.options = options
    self.prepared = prepared
    self.feeds = feeds
    self.eventClock = eventClock
    self.console = console
    self.report = report
    self.watch = watch
    self.limit = limit
  }

  /// The result of a run.
  package struct Outcome {
    package let code: Int32
    /// Whether it was the stream that ended, rather than the run.
    let hasEnded: Bool
    /// Whether the output is all that the arguments ask for.
    let isWhole: Bool
    let writtenCount: Int
    /// The files that feed its inputs.
    let feeds: [FileFeed]
  }

  /// Runs the stream to its end.
  package func run() -> Outcome {
    var session: RunSession?
    var stop: RunStop?
    do throws(RunStop) {
      try run(&session)
    } catch {
      stop = error
    }
    if let session { recorder?.finish(session, stop) }
    session?.close()
    // The values before the end come before the message about it.
    do throws(RunStop) {
      if stop?.isClosedOutput != true { try console.output.flush() }
    } catch {
      stop = error
    }
    if session?.hasNonFinite == true { console.reportNonFinite() }
    do throws(RunStop) {
      try recorder?.flush()
    } catch {
      stop = error
    }
    for dropped in session?.stream.drops ?? [] {
      console.report((watch?.current ?? prepared).explanation.diagnostic(of: dropped))
    }
    let code = tell(stop)
    if watch == nil {
      let feeds = session?.feeds ?? feeds
      report.close(fed: feeds.isEmpty ? nil : feeds.reduce(0) { $0 + $1.count })
    }
    if let replay {
      replay.report(written: session?.writtenCount ?? 0, console)
    } else if stop == nil, session?.end == nil, console.isAttended {
      console.say("note: the stream is still open, but nothing more can happen")
    }
    let hasEnded =
      switch stop {
      case nil, .failed: true
      default: false
      }
    let isWhole =
      switch stop {
      case nil, .failed, .enough: true
      default: false
      }
    return Outcome(
      code: code, hasEnded: hasEnded, isWhole: isWhole, writtenCount: session?.writtenCount ?? 0,
      feeds: session?.feeds ?? feeds)
  }

  private func run(_ session: inout RunSession?) throws(RunStop) {
    if let replay {
      let new = makeSession(origin: replay.header.origin)
      session = new
      return try ReplayDriver(replay, new).run()
    }
    guard eventClock != nil || standsStill else {
      let clock = LiveClock()
      let new = makeSession(origin: clock.origin)
      session = new
      return try LiveDriver(session: new, clock: clock, speed: options.speed?.factor ?? 1).run()
    }
    let queues = RecordQueues(eventClock, of: prepared.stream, lateOutput: lateOutput)
    defer { for warning in queues.warnings(output: options.lateOutput) { console.report(warning) } }
    do throws(RunStop) {
      let new = makeSession(origin: try queues.origin(of: feeds))
      session = new
      var driver = VirtualDriver(session: new, queues: queues, pace: eventClock == nil ? nil : options.speed?.factor)
      try driver.run()
    } catch {
      reportHeld(queues)
      throw error
    }
  }

  /// Whether time moves only when no input can go on: if virtual time is requested, and in a partition without a time of
  /// its own, whose results must be the same on every machine.
  var standsStill: Bool {
    options.virtual || eventClock == nil && prepared.stream.model.partition != nil
  }

  private func makeSession(origin: Timestamp) -> RunSession {
    let hasEventTime = replay?.header.options.hasEventTime ?? (eventClock != nil)
    let stamping = options.timestamps ? TimeStamping(origin: hasEventTime ? origin : nil) : nil
    let standard: any ValueWriter =
      switch options.format {
      case .ndjson: NDJSONWriter(stamping)
      case .json: JSONArrayWriter(stamping)
      case .text: TextWriter(stamping)
      case .csv: CSVWriter(stamping)
      case .marbles: MarblesWriter(isLive: !hasEventTime && !standsStill)
      }
    let stream = StreamSession(
      prepared.version, origin: origin, skipsErrors: options.skipErrors,
      limit: .command(budget: .max, memory: options.memory))
    recorder?.begin(RecordingHeader(self, prepared, origin: origin))
    return RunSession(
      stream, feeds: feeds, until: options.until, limit: limit, writer: writer ?? standard,
      longestValue: options.longestValue, console: console, report: report, watch: watch,
      recorder: recorder, explain: prepared.explanation.diagnostic)
  }

  /// Reports an unsuccessful end of the run and returns the exit code.
  private func tell(_ stop: RunStop?) -> Int32 {
    switch stop {
    case nil, .enough, .outputClosed: return ExitCode.good
    case .interrupted: return ExitCode.interrupted
    case .failed(let failure), .limited(let failure):
      console.report((watch?.current ?? prepared).explanation.diagnostic(of: failure))
      return ExitCode.code(of: failure)
    case .refused(let diagnostic, let source):
      console.report(diagnostic, in: source)
      return ExitCode.code(ofRefusal: diagnostic)
    }
  }

  /// Reports the number of values that are lost when the run ends before its input.
  private func reportHeld(_ queues: RecordQueues) {
    let count = queues.heldCount
    guard count > 0 else { return }
    console.report(
      Diagnostic(
        .valuesDropped,
        "the run ended early: \(count.counted("value")) held because of 'lateness' "
          + "\(count == 1 ? "was" : "were") dropped",
        severity: .warning))
  }
}

extension RunStop {
  /// Whether the reader has closed the output.
  var isClosedOutput: Bool { if case .outputClosed = self { true } else { false } }
}
