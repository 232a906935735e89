internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The decisions of a shared stream: which version runs, and what is recorded and reported about it.
///
/// Used by one task at a time.
struct SharedStreamWork {
  /// A message to the task.
  enum Message: Sendable {
    case offered(
      SharedStreamOffer, problem: TrustError?, expiring: [RoleExpiration], CheckedContinuation<Void, Never>)
    case unreachable(TrustError, CheckedContinuation<Void, Never>)
    /// Asks for a version to begin with.
    case begin(CheckedContinuation<LoadedVersion?, Never>)
    case joined(CheckedContinuation<Void, Never>?)
    case left
    case verdict(SwapTrial.Verdict, trial: Int)
    /// The time has come to record the progress of a trial.
    case progress(trial: Int)
    case cancel

    /// Resumes the task that waits for the message.
    func release() {
      switch self {
      case .offered(_, _, _, let told), .unreachable(_, let told): told.resume()
      case .begin(let told): told.resume(returning: nil)
      case .joined(let told): told?.resume()
      case .left, .verdict, .progress, .cancel: break
      }
    }
  }

  /// A new version, and its trial once it runs.
  struct Candidate {
    let loaded: LoadedVersion
    var trial: SwapTrial?
    var number = 0
    /// Waits for the end of the probation.
    var end: StreamToken?
    /// Waits for the next time at which its progress is recorded.
    var recorder: StreamToken?
    /// The time between the last record and the next.
    var pause = Duration.seconds(1)
    var mark: CrashMark?
    /// The progress of the trial that is not recorded yet.
    var elapsed: @Sendable () -> Duration = { .zero }
    var recordedTime = Duration.zero
    var recordedValues = 0

    func stop() {
      end?.cancel()
      recorder?.cancel()
      mark?.remove()
    }
  }

  let shared: SharedStreamCore
  let probation: Probation
  private(set) var record: StreamRecord
  private var candidate: Candidate?
  private var trialCount = 0
  /// The versions that are refused until the process ends, since the app may be another one in the next.
  private var passingRefusals: [StreamRecord.Refused] = []
  private var state: SharedStreamState
  /// The phase while the good version runs.
  private var goodPhase: SharedStreamState.Phase
  /// The contents that subscriptions run, where they are not those that they began with.
  private var contents: [Int: String] = [:]

  init(_ shared: SharedStreamCore, _ record: StreamRecord, _ probation: Probation) {
    self.shared = shared
    self.record = record
    self.probation = probation
    state = shared.states.current
    goodPhase = state.phase
  }

  private var good: LoadedVersion { shared.good }

  private var refusals: [StreamRecord.Refused] { record.refused + passingRefusals }

  mutating func take(_ message: Message) async {
    switch message {
    case .offered(let offer, let problem, let expiring, _):
      (state.problem, state.isCutOff, state.expiring) = (problem, false, expiring)
      await take(offer)
    case .unreachable(let error, _): (state.problem, state.isCutOff) = (error, true)
    case .begin(let told): return told.resume(returning: begin())
    case .joined: await tryCandidate()
    case .left: if shared.subscriptions.isEmpty { withdraw() }
    case .verdict(let verdict, let trial): end(trial, verdict)
    case .progress(let trial):
      guard candidate?.number == trial, candidate?.trial != nil else { break }
      if noteProgress() { store() }
      candidate?.pause *= 2
      scheduleRecord()
    case .cancel: withdraw()
    }
    await align()
    shared.remember(
      SharedStreamCore.Memory(
        trial: record.trial, refusals: refusals, candidate: candidate?.loaded.content))
    shared.states.send(state)
    message.release()
  }

  /// The version of a run without a fallback: it has no other one to go back to, so it needs no probation.
  private mutating func begin() -> LoadedVersion? {
    if good.number != nil { return good }
    guard let first = candidate?.loaded, let number = first.number else { return nil }
    candidate = nil
    shared.accept(first)
    record.good = first.good
    store()
    goodPhase = .good
    state.waitingVersion = nil
    show(first, .good)
    shared.states.send(state)
    report(number, first.content, .good)
    return first
  }

  // MARK: Offers

  private mutating func take(_ offer: SharedStreamOffer) async {
    switch offer {
    case .known(let publication, let expires):
      state.refusal = nil
      if publication.identity == good.content {
        confirmGood(publication, expires)
      } else {
        await tryCandidate()
      }
    case .new(let loaded):
      // A decision since the offer was made counts.
      guard loaded.content != candidate?.loaded.content, loaded.content != good.content,
        !refusals.contains(where: { $0.content == loaded.content && loaded.number ?? 0 <= $0.version })
      else { break }
      state.refusal = nil
      withdraw()
      candidate = Candidate(loaded: loaded)
      state.waitingVersion = loaded.number
      await tryCandidate()
    case .refused(let refusal, let isLasting):
      withdraw()
      candidate = nil
      state.waitingVersion = nil
      refuse(refusal, isLasting: isLasting)
    }
  }

  /// The repository offers the content that is good.
  private mutating func confirmGood(_ publication: Publication, _ expires: Int64) {
    // The publisher has gone back to it: it needs no probation.
    withdraw()
    candidate = nil
    state.waitingVersion = nil
    let isNewVersion = good.number != publication.version
    shared.confirmGood(publication.version, expires)
    show(good, goodPhase)
    if isNewVersion { report(publication.version, good.content, .good) }
    guard let entry = good.good, entry != record.good else { return }
    record.good = entry
    store()
  }

  private mutating func refuse(_ refusal: StreamRecord.Refused, isLasting: Bool) {
    state.refusal = SharedStreamState.Refusal(
      version: refusal.version, content: PublishedParameters.content(of: refusal.content), reasons: refusal.reasons)
    guard !refusals.contains(refusal) else { return }
    if isLasting {
      record.refuse(refusal)
      if record.trial?.content == refusal.content { record.trial = nil }
      store()
    } else {
      passingRefusals.removeAll { $0.content == refusal.content }
      passingRefusals.append(refusal)
    }
    report(refusal.version, refusal.content, .failed, refusal.reasons)
  }

  // MARK: Probation

  /// Starts the candidate on probation if there is a subscription. The start is recorded first.
  private mutating func tryCandidate() async {
    guard let loaded = candidate?.loaded, candidate?.trial == nil, !shared.subscriptions.isEmpty,
      let number = loaded.number
    else { return }
    let known = record.trial.flatMap { $0.content == loaded.content && $0.version == number ? $0 : nil }
    let begun = known ?? StreamRecord.Trial(version: number, content: loaded.content)
    record.trial = begun
    guard store() else { return }
    trialCount += 1
    let trialNumber = trialCount
    // The trial counts the values that earlier processes and earlier subscriptions have published.
    let trial = SwapTrial(values: probation.values.map { max(1, $0 - begun.values) }) { [mail = shared.mail] verdict in
      mail.yield(.verdict(verdict, trial: trialNumber))
    }
    candidate?.trial = trial
    candidate?.number = trialNumber
    candidate?.mark = shared.repository.cache.setMark(of: shared.name)
    candidate?.elapsed = Self.stopwatch(shared.repository.clock)
    candidate?.recordedTime = .zero
    candidate?.recordedValues = 0
    candidate?.pause = .seconds(1)
    scheduleRecord()
    if let seconds = probation.seconds {
      let left = max(0, seconds - Double(begun.milliseconds) / 1_000)
      candidate?.end = shared.repository.clock.schedule(after: .seconds(left)) { trial.pass() }
    }
    state.waitingVersion = nil
    show(loaded, .probation)
    report(number, loaded.content, .running)
  }

  /// Ends a probation without a verdict. It continues with the next subscription, or in the next process.
  private mutating func withdraw() {
    guard let running = candidate, running.trial != nil else { return }
    if noteProgress() { store() }
    running.stop()
    candidate?.trial = nil
    state.waitingVersion = running.loaded.number
    show(good, goodPhase)
  }

  /// Adds what has gone well since the last call to the record. Returns whether there is anything.
  private mutating func noteProgress() -> Bool {
    guard let running = candidate, let trial = running.trial, record.trial?.content == running.loaded.content else {
      return false
    }
    let (time, values) = (running.elapsed(), trial.valueCount)
    let (seconds, attoseconds) = (time - running.recordedTime).components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0 || values > running.recordedValues else { return false }
    if var progress = record.trial {
      progress.milliseconds += milliseconds
      progress.values = min(Int(Int32.max), progress.values + values - running.recordedValues)
      record.trial = progress
    }
    candidate?.recordedTime = time
    candidate?.recordedValues = values
    return true
  }

  /// Waits for the next time at which the progress of the trial is recorded: after 1, 2, 4, 8 … seconds, for the case that
  /// the process is killed.
  private mutating func scheduleRecord() {
    guard let running = candidate else { return }
    candidate?.recorder = shared.repository.clock.schedule(after: running.pause) {
      [mail = shared.mail, trial = running.number] in mail.yield(.progress(trial: trial))
    }
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  private mutating func end(_ trial: Int, _ verdict: SwapTrial.Verdict) {
    guard let ended = candidate, ended.trial != nil, ended.number == trial, let number = ended.loaded.number else {
      return
    }
    ended.stop()
    candidate = nil
    switch verdict {
    case .open: return
    case .passed:
      shared.accept(ended.loaded)
      settle(ended.loaded, now: ended.loaded.content)
      record.good = ended.loaded.good
      record.trial = nil
      store()
      goodPhase = .good
      show(ended.loaded, .good)
      report(number, ended.loaded.content, .good)
    case .failed(let failure):
      settle(ended.loaded, now: good.content)
      goodPhase = .restored
      show(good, .restored)
      refuse(
        StreamRecord.Refused(version: number, content: ended.loaded.content, reasons: failure.reasons),
        isLasting: true)
    }
  }

  /// Makes the subscriptions that run a version notice that its trial is over.
  private mutating func settle(_ loaded: LoadedVersion, now content: String) {
    for subscription in shared.subscriptions where contents[subscription.number] == loaded.content {
      subscription.stream.settle()
      contents[subscription.number] = content
    }
  }

  /// Brings every subscription to the version that is to run.
  private mutating func align() async {
    var target = good
    var trial: SwapTrial?
    if let candidate, let running = candidate.trial { (target, trial) = (candidate.loaded, running) }
    let subscriptions = shared.subscriptions
    contents = contents.filter { entry in subscriptions.contains { $0.number == entry.key } }
    for subscription in subscriptions
    where contents[subscription.number, default: subscription.content] != target.content {
      do throws(Diagnostics) {
        try await subscription.stream.swap(to: target, on: trial)
        contents[subscription.number] = target.content
      } catch {
        // The state of this subscription cannot be saved: it continues with the version that it has.
        trial?.fail(StreamFailure(error))
      }
    }
  }

  // MARK: Telling

  private mutating func show(_ loaded: LoadedVersion, _ phase: SharedStreamState.Phase) {
    state.version = loaded.number
    state.content = PublishedParameters.content(of: loaded.content)
    state.phase = phase
  }

  private func report(
    _ version: Int, _ content: String, _ state: StreamReport.State, _ reasons: [String] = []
  ) {
    shared.repository.reports?.send(
      StreamReport(
        client: shared.repository.client.id, stream: shared.name, version: version,
        content: PublishedParameters.content(of: content), state: state, diagnostics: reasons))
  }

  /// Writes the record. Returns whether that has succeeded.
  @discardableResult
  private mutating func store() -> Bool {
    do throws(TrustError) {
      try shared.repository.cache.streams.store(record.bytes, as: shared.name.description)
      state.cacheProblem = nil
      return true
    } catch {
      state.cacheProblem = error
      return false
    }
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
