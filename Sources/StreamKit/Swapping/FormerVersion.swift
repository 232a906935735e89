internal import StreamCore
internal import StreamRuntime

/// The version before a swap on trial, its state, and everything that has arrived since.
struct FormerVersion {
  /// A value, a completion or a result, and its time.
  struct Entry {
    let message: ChangingWork.Message
    let time: StreamTime
  }

  let version: StreamVersion
  let saved: Snapshot
  let unheard: [String: Value]
  /// The calls that were waiting for a result.
  let openCalls: Set<Int64>
  var trial: SwapTrial
  /// The messages since the swap; nil if there were too many.
  var entries: [Entry]? = []
  /// Time of the latest message whose work is done.
  var latest: StreamTime

  /// Maximum number of messages that are kept. With more, a restoration does without any of them.
  static let entryLimit = 10_000

  /// Maximum number of steps in which messages are delivered again. After it they are delivered at once, so that a
  /// version that publishes without end can be restored.
  static let stepLimit = 1_000_000
}

extension ChangingWork {
  /// Keeps a message for a restoration, and marks it as the current one.
  mutating func record(_ message: Message, at time: StreamTime) -> FormerVersion.Entry {
    let entry = FormerVersion.Entry(message: message, time: time)
    guard let former else { return entry }
    // The results of later calls are those of the new version.
    if case .result(_, let call, _) = message, !former.openCalls.contains(call) { return entry }
    current = entry
    if let count = former.entries?.count, count < FormerVersion.entryLimit {
      self.former?.entries?.append(entry)
    } else {
      self.former?.entries = nil
    }
    return entry
  }

  /// Begins a trial with a swap, or ends it if there is none. During a trial, the version before it stays the former.
  mutating func begin(_ trial: SwapTrial?, _ saved: Snapshot) {
    guard let trial else { return former = nil }
    if former == nil {
      former = FormerVersion(
        version: version, saved: saved, unheard: unheard, openCalls: Set(execution.openCalls.map(\.id)), trial: trial,
        latest: now)
    }
    former?.trial = trial
  }

  /// Acts on a verdict that another stream or the host has reached.
  mutating func settle() {
    guard let former else { return }
    switch former.trial.verdict {
    case .open: break
    case .passed: self.former = nil
    case .failed:
      self.former = nil
      if let completion = restore(former, before: nil, silentUntil: now) { end(completion) }
    }
  }

  /// Returns to the former version after a failure of the new one.
  ///
  /// - Returns: False if there is no former version, or if that has failed, too.
  mutating func restoreFormer(after failure: StreamFailure) -> Bool {
    if let suspicion {
      suspicion.trial.endSuspicion(nil)
      self.suspicion = nil
      return false
    }
    guard let former, former.trial.suspect() else { return false }
    self.former = nil
    switch restore(former, before: current, silentUntil: former.latest) {
    case nil: suspicion = (former.trial, failure)
    case .finished:
      former.trial.endSuspicion(failure)
      end(.finished)
    case .failure:
      former.trial.endSuspicion(nil)
      return false
    }
    return true
  }

  /// Blames the new version if the former one has not failed with the same input.
  mutating func confirmSuspicion() {
    guard let suspicion else { return }
    self.suspicion = nil
    suspicion.trial.endSuspicion(suspicion.failure)
  }

  /// Restores the former version, and delivers what has arrived since.
  ///
  /// - Parameters:
  ///   - last: The message at which the new version failed. Its output is published.
  ///   - time: The time up to which nothing is published.
  /// - Returns: The completion of the former version, if it has completed before that message.
  private mutating func restore(
    _ former: FormerVersion, before last: FormerVersion.Entry?, silentUntil time: StreamTime
  ) -> Completion? {
    do throws(Diagnostics) {
      execution = try Execution(former.version.pipeline, restoring: former.saved)
    } catch {
      // NB: The snapshot is one of this pipeline, made in this process.
      return .failure(StreamFailure(error))
    }
    version = former.version
    unheard = former.unheard
    era += 1
    for (call, running) in tasks where !former.openCalls.contains(call) {
      running.task.cancel()
      tasks[call] = nil
    }
    var steps = FormerVersion.stepLimit
    for entry in (former.entries ?? []).dropLast(last == nil ? 0 : 1) {
      deliver(entry)
      if let completion = runSilently(&steps) { return completion }
    }
    execution.advance(to: time)
    if let completion = runSilently(&steps) { return completion }
    for call in execution.openCalls where tasks[call.id] == nil { start(call) }
    if let last { deliver(last) }
    execution.advance(to: now)
    return nil
  }

  /// Works without publishing anything, as far as the steps suffice.
  ///
  /// - Returns: The completion, if the version has completed.
  private mutating func runSilently(_ steps: inout Int) -> Completion? {
    while steps > 0, !isCancelled() {
      let before = execution.stepCount
      let progress = execution.step(atMost: min(steps, Self.patience))
      steps -= max(1, execution.stepCount - before)
      switch progress {
      case .event(.call(let call)): start(call)
      case .event(.finished): return .finished
      case .event(.failure(let failure)): return .failure(failure)
      case .event: break
      case .idle: return nil
      case .unfinished: break
      }
    }
    return nil
  }
}
