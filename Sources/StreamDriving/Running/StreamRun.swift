internal import StreamCore
internal import StreamEngine
package import StreamKit

/// Runs a compiled stream with the given options, and reports its end.
package struct StreamRun {
  let options: RunRequest
  let prepared: PreparedStream
  let feeds: [FileFeed]
  let clocks: InputClocks
  let console: Console
  let report: SkipReport
  /// Swaps the stream when its file changes; nil unless requested.
  package var watch: StreamWatch?
  /// The state on disk; nil if it is not kept.
  package var persistence: RunPersistence?
  /// Number of values that may still be written; nil for unlimited.
  package var limit: Int?
  package var outputs: RunOutputs
  /// Records the events from outside; nil unless requested.
  package var recorder: RecordingWriter?
  /// The recording whose events replace the inputs; nil for a run.
  var replay: Replay?
  /// Whether the outputs have a writer of their own, instead of one of the requested format.
  var keepsWriter = false

  package init(
    options: RunRequest, prepared: PreparedStream, feeds: [FileFeed], clocks: InputClocks, console: Console,
    report: SkipReport, outputs: RunOutputs, watch: StreamWatch? = nil, limit: Int? = nil
  ) {
    self.options = options
    self.prepared = prepared
    self.feeds = feeds
    self.clocks = clocks
    self.console = console
    self.report = report
    self.outputs = outputs
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
    var saver: RunSaver?
    var stop: RunStop?
    do throws(RunStop) {
      try run(&session, &saver)
    } catch {
      stop = error
    }
    let problem = session.flatMap { end($0, stop, saver) }
    do throws(RunStop) {
      // With a state, the next run finds the late values of one that has not begun.
      if persistence == nil { try outputs.late?.release() }
    } catch {
      stop = stop ?? error
    }
    // The values before the end come before the message about it.
    do throws(RunStop) {
      if stop?.isClosedOutput != true { try console.output.flushAll() }
    } catch {
      stop = error
    }
    if session?.hasNonFinite == true { console.reportNonFinite() }
    if let warning = prepared.textOrder?.warning { console.report(warning) }
    do throws(RunStop) {
      try recorder?.flush()
    } catch {
      stop = error
    }
    for dropped in session?.stream.drops ?? [] {
      console.report((watch?.current ?? prepared).explanation.diagnostic(of: dropped))
    }
    var code = tell(stop)
    if let problem {
      console.report(problem)
      code = ExitCode.failed
    }
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

  /// Saves the state of a run that stops or has completed, and closes the run. Returns the problem, if there was one.
  private func end(_ session: RunSession, _ stop: RunStop?, _ saver: RunSaver?) -> Diagnostic? {
    func close() {
      recorder?.finish(session, stop)
      session.close()
    }
    guard let saver else {
      close()
      return nil
    }
    // The end of each output is written behind what a resumed run continues, and before a state that no run continues.
    let hasEnded = session.end != nil
    if hasEnded { close() }
    defer { if !hasEnded { close() } }
    switch stop {
    case .failed, .limited, .refused, .outputClosed:
      console.say("note: the state is that before the failure; the next run continues from it")
      return nil
    case nil, .enough, .interrupted:
      // Reading fails if the program is asked to stop.
      if case .failure? = session.end { return nil }
      guard session.hasBegun else { return nil }
      do throws(Diagnostic) {
        try saver.saveLast(session)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Begins to save the state of a run.
  private func persist(_ session: RunSession, _ queues: RecordQueues?) -> RunSaver? {
    guard let persistence else { return nil }
    let saver = RunSaver(
      persistence.folder, every: persistence.request.interval, console
    ) { session in try persistence.state(of: session, self, queues) }
    session.persist(by: saver, isResumed: persistence.saved != nil)
    return saver
  }

  private func run(_ session: inout RunSession?, _ saver: inout RunSaver?) throws(RunStop) {
    if let replay {
      let new = try makeSession(origin: replay.header.origin)
      session = new
      return try ReplayDriver(replay, new).run()
    }
    guard !clocks.isEmpty || standsStill else {
      if persistence?.saved == nil, let warning = clockWarning { console.report(warning) }
      let clock = LiveClock()
      let new = try makeSession(origin: clock.origin)
      session = new
      try observe(new)
      saver = persist(new, nil)
      new.turn = persistence?.saved?.content.turn ?? -1
      return try LiveDriver(session: new, clock: clock, speed: options.speed?.factor ?? 1, waited: waited).run()
    }
    let queues = RecordQueues(clocks, lateOutput: outputs.late)
    var early: [Diagnostic] = []
    defer {
      let known = Set(early.map(\.help))
      for warning in queues.warnings(output: options.output.late) where !known.contains(warning.help) {
        console.report(warning)
      }
    }
    do throws(RunStop) {
      let origin: Timestamp
      if let content = persistence?.saved?.content {
        do throws(Diagnostic) {
          try queues.restore(content, feeds)
        } catch {
          throw .refused(error, nil)
        }
        origin = content.clock.origin
      } else {
        origin = try queues.origin(of: feeds)
        // The end of live input may never come.
        if !feeds.allSatisfy(\.isRegular) { early = queues.warningsAboutUnits }
        for warning in early { console.report(warning) }
      }
      let new = try makeSession(origin: origin)
      session = new
      new.queues = queues
      try observe(new)
      saver = persist(new, queues)
      let driver = VirtualDriver(session: new, queues: queues, pace: clocks.isEmpty ? nil : options.speed?.factor)
      try driver.run()
    } catch {
      if saver == nil { reportHeld(queues) }
      throw error
    }
  }

  /// Whether time moves only when no input can go on: if virtual time is requested, and in a partition without a time of
  /// its own, whose results must be the same on every machine.
  var standsStill: Bool {
    options.virtual || clocks.isEmpty && prepared.stream.model.partition != nil
  }

  private func makeSession(origin: Timestamp) throws(RunStop) -> RunSession {
    let hasEventTime = replay?.header.options.hasEventTime ?? !clocks.isEmpty
    let stamping = options.timestamps ? TimeStamping(origin: hasEventTime ? origin : nil) : nil
    let isLive = !hasEventTime && !standsStill
    let stream = try makeStream(origin: origin, isLive: isLive)
    if !keepsWriter {
      // The time is read after the end, too: a table without rows yet is written then.
      let present = isLive ? nil : { stream.present(since: origin) }
      outputs.begin(stamping, isLive: isLive, present: present)
    }
    recorder?.begin(RecordingHeader(self, prepared, origin: origin))
    let session = RunSession(
      stream, feeds: feeds, until: options.until.map { stream.time + ($0 - .zero) }, limit: limit, outputs: outputs,
      longestValue: options.longestValue, console: console, report: report, watch: watch,
      recorder: recorder, explain: prepared.explanation.diagnostic)
    if feeds.contains(where: \.follows) { session.serve(FollowingService()) }
    if let rows = WaitingRows(outputs) { session.serve(rows) }
    if let lines = FirstLines(feeds) { session.serve(lines) }
    if let parameters = persistence?.saved?.content.parameters {
      // A parameter of this command line is newer than the saved value.
      for argument in options.compile.set where parameters[argument.name] != argument.text {
        guard let input = prepared.version.pipeline.inputs.first(where: { $0.name == argument.name }),
          let value = input.initialValue
        else { continue }
        stream.send(value, named: argument.name, at: stream.latestTime + waited)
      }
    }
    if !options.calls.answers.isEmpty {
      let calls = CallService(options.calls, console)
      session.callReceiver = calls
      session.serve(calls)
    }
    for case let program as ProgramSink in outputs.all.map(\.buffer.sink) { session.serve(program) }
    return session
  }

  /// How long a stream that continues had waited since its latest event.
  private var waited: Interval { persistence?.waited ?? Interval(nanoseconds: 0) }

  /// Creates the stream, or continues it.
  private func makeStream(origin: Timestamp, isLive: Bool) throws(RunStop) -> StreamSession {
    let limit = RunLimits.command(budget: .max, memory: options.memory, timePerValue: options.timePerValue)
    guard let persistence, let saved = persistence.saved else {
      return StreamSession(prepared.version, origin: origin, skipsErrors: options.skipErrors, limit: limit)
    }
    do throws(Diagnostics) {
      let (stream, report) = try StreamSession.restoring(
        saved.session, of: persistence.former, as: prepared.version,
        present: isLive ? persistence.latest(before: origin) : nil, limit: limit)
      if let report { console.say("\(options.file): continued as another version; \(report)") }
      if isLive { recorder?.noteOrigin(stream.execution.origin, at: stream.latestTime) }
      return stream
    } catch {
      console.report(error)
      throw .refused(
        Diagnostic(
          .snapshotMismatch, "the state in '\(persistence.folder.path)' does not fit the stream",
          help: "begin again with --state-mismatch reset"), nil)
    }
  }

  /// Reports an unsuccessful end of the run and returns the exit code.
  private func tell(_ stop: RunStop?) -> Int32 {
    switch stop {
    case nil, .enough, .outputClosed: return ExitCode.good
    case .interrupted: return ExitCode.interrupted
    case .failed(let failure), .limited(let failure):
      var diagnostic = (watch?.current ?? prepared).explanation.diagnostic(of: failure)
      if !options.skipErrors { diagnostic.offerSkipping(failure) }
      console.report(diagnostic)
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
        "the run ended early: \(count.counted("value")) held because of '\(queues.holdingMember)' "
          + "\(count == 1 ? "was" : "were") dropped",
        severity: .warning))
  }
}

extension StreamSession {
  /// The stream's time in the calendar.
  ///
  /// - Parameter origin: Time zero.
  func present(since origin: Timestamp) -> Timestamp {
    Timestamp(seconds: origin.seconds &+ time.nanoseconds / 1_000_000_000)
  }
}

extension RunStop {
  /// Whether the reader has closed the output.
  var isClosedOutput: Bool { if case .outputClosed = self { true } else { false } }
}
