internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

extension SharedStreamWork {
  /// A trial that runs.
  struct RunningTrial {
    let loaded: LoadedVersion
    let trial: SwapTrial
    let number: Int
    /// The state of the version that was reported last.
    var reported: StreamReport.State
    /// Waits for the end of the probation.
    var end: StreamToken?
    /// Waits for the next time at which its progress is recorded.
    var recorder: StreamToken?
    /// The time between the last record and the next.
    var pause = Duration.seconds(1)
    var mark: CrashMark?
    /// The time since the first value, and the part of the progress that is recorded.
    var elapsed: @Sendable () -> Duration = { .zero }
    var recordedTime = Duration.zero
    var recordedValues = 0

    func stop() {
      end?.cancel()
      recorder?.cancel()
      mark?.remove()
    }
  }

  /// Whether the trial that runs is that of the good version, which has none to return to.
  private var isGoodOnTrial: Bool { trial.map { $0.loaded.content == good.content } ?? false }

  /// Starts the trial of the candidate, or else of a good version that has to prove itself, if there is a subscription.
  /// The start is recorded first.
  mutating func startTrial() {
    guard trial == nil, !shared.subscriptions.isEmpty, let loaded = candidate ?? (record.isGoodOnTrial ? good : nil),
      let entry = loaded.entry
    else { return }
    var begun = StreamRecord.Trial(version: entry)
    if let known = record.trial, known.version.content == entry.content,
      candidate == nil || known.version.number == entry.number
    {
      begun = known
      begun.version = entry
    }
    record.trial = begun
    guard store() || candidate == nil else { return }
    trialCount += 1
    watched = []
    let number = trialCount
    // The trial counts the values that earlier processes and earlier subscriptions have published.
    let trial = SwapTrial(values: probation.values.map { max(1, $0 - begun.values) }) { [mail = shared.mail] in
      mail.yield(.value(trial: number))
    } tell: { [mail = shared.mail] verdict in
      mail.yield(.verdict(verdict, trial: number))
    }
    var running = RunningTrial(
      loaded: loaded, trial: trial, number: number, reported: begun.hasValue ? .running : .inconclusive)
    running.mark = shared.repository.cache.setMark(of: shared.name)
    self.trial = running
    state.failures = begun.failures
    if candidate != nil {
      state.waitingVersion = nil
      show(loaded, begun.hasValue ? .probation : .inconclusive)
    }
    report(entry.number, entry.content, running.reported)
  }

  /// The version on trial has worked on its first value: its time begins.
  mutating func noteFirstValue() {
    guard let onTrial = trial?.trial else { return }
    if let seconds = probation.seconds {
      let left = max(0, seconds - Double(record.trial?.milliseconds ?? 0) / 1_000)
      trial?.end = shared.repository.clock.schedule(after: .seconds(left)) { onTrial.pass() }
    }
    trial?.elapsed = Self.stopwatch(shared.repository.clock)
    scheduleRecord()
    guard trial?.reported == .inconclusive, let loaded = trial?.loaded, let version = loaded.number else { return }
    trial?.reported = .running
    if !isGoodOnTrial { show(loaded, .probation) }
    report(version, loaded.content, .running)
  }

  /// Ends a trial without a verdict. It continues with the next subscription, or in the next process.
  mutating func withdraw() {
    guard let running = trial else { return }
    if noteProgress() { store() }
    running.stop()
    trial = nil
    guard candidate != nil else { return }
    state.waitingVersion = running.loaded.number
    show(good, goodPhase)
  }

  /// Adds what has gone well since the last call to the record. Returns whether there is anything.
  mutating func noteProgress() -> Bool {
    guard let running = trial, record.trial?.version.content == running.loaded.content else { return false }
    let (time, values) = (running.elapsed(), running.trial.valueCount)
    let (seconds, attoseconds) = (time - running.recordedTime).components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0 || values > running.recordedValues else { return false }
    if var progress = record.trial {
      progress.milliseconds += milliseconds
      progress.values = min(Int(Int32.max), progress.values + values - running.recordedValues)
      record.trial = progress
    }
    trial?.recordedTime = time
    trial?.recordedValues = values
    return true
  }

  /// Waits for the next time at which the progress of the trial is recorded: after 1, 2, 4, 8 … seconds, for the case that
  /// the process is killed.
  mutating func scheduleRecord() {
    guard let running = trial else { return }
    trial?.recorder = shared.repository.clock.schedule(after: running.pause) {
      [mail = shared.mail, number = running.number] in mail.yield(.progress(trial: number))
    }
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Acts on the verdict of the trial that runs.
  mutating func end(_ verdict: SwapTrial.Verdict) {
    guard let ended = trial, let number = ended.loaded.number else { return }
    let wasGood = isGoodOnTrial
    ended.stop()
    trial = nil
    candidate = nil
    switch verdict {
    case .open: return
    case .passed:
      if !wasGood {
        // The version that a halted one has replaced for a while is none to return to.
        record.former = good.number.map { $0 < number } ?? false ? good.entry : nil
        shared.accept(ended.loaded)
        record.good = ended.loaded.entry
      }
      settle(ended.loaded, now: ended.loaded.content)
      record.trial = nil
      store()
      if !wasGood || goodPhase == .first { goodPhase = .good }
      state.failures = 0
      show(good, goodPhase)
      report(good.number ?? number, good.content, .good)
    case .failed(let failure):
      settle(ended.loaded, now: good.content)
      goodPhase = .restored
      state.failures = 0
      show(good, .restored)
      refuse(
        StreamRecord.Refused(version: number, content: ended.loaded.content, reasons: failure.reasons),
        isLasting: true)
    }
  }

  // MARK: The end of a run

  /// A run has ended with a failure of the good version: also with one that a version on probation has as well. No version
  /// is to blame for wrong data.
  mutating func noteEnd(_ failure: StreamFailure) {
    guard let number = good.number, !failure.isOfData else { return }
    report(number, good.content, .failed, failure.reasons)
    guard candidate == nil, let entry = good.entry else { return }
    trial?.stop()
    trial = nil
    let known = record.isGoodOnTrial ? record.trial : nil
    record.trial = StreamRecord.Trial(
      version: entry, crashes: known?.crashes ?? 0, failures: (known?.failures ?? 0) + 1)
    state.failures = record.trial?.failures ?? 0
    store()
  }

  /// Puts a good version that fails at each start on probation again: the one before it is at hand then.
  mutating func demoteGood() {
    let failing = good
    guard record.demoteGood(after: probation.attempts, hasFallback: shared.hasFallback) else { return }
    shared.accept(shared.former(of: record))
    candidate = failing
    goodPhase = good.number == nil ? .fallback : .cached
    state.waitingVersion = failing.number
    show(good, goodPhase)
    store()
  }
}

extension StreamFailure {
  /// One line for the failure, and for each of its causes, as reports have them.
  fileprivate var reasons: [String] {
    sequence(first: self) { $0.cause }.prefix(20).map { failure in
      let place = failure.pointer.tokens.isEmpty ? "" : " at \(failure.pointer)"
      return "\(failure.code)\(place): \(failure.message)".limited(to: 1_000)
    }
  }
}
