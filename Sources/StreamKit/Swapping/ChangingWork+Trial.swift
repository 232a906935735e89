internal import StreamCore
internal import StreamRuntime

/// The version of a `ChangingStream` before a swap on trial.
struct FormerWork {
  let version: StreamVersion
  let unheard: [String: Value]
  /// The calls that were waiting for a result.
  let openCalls: Set<Int64>
  var state: FormerVersion<ChangingWork.Message>
}

extension ChangingWork {
  /// Keeps a message for a restoration.
  mutating func record(_ message: Message, at time: StreamTime) {
    guard let former else { return }
    // The results of later calls are those of the new version.
    if case .result(_, let call, _) = message, !former.openCalls.contains(call) { return }
    self.former?.state.record(message, at: time)
  }

  /// Begins a trial with a swap, or ends it if there is none. During a trial, the version before it stays the former.
  mutating func begin(_ trial: SwapTrial?, _ saved: Snapshot) {
    guard let trial else { return former = nil }
    if former == nil {
      former = FormerWork(
        version: version, unheard: unheard, openCalls: Set(execution.openCalls.map(\.id)),
        state: FormerVersion(version.pipeline, saved, trial, at: now))
    }
    former?.state.trial = trial
  }

  /// Acts on a verdict that another stream or the host has reached.
  mutating func settle() {
    guard var former else { return }
    switch former.state.trial.verdict {
    case .open: break
    case .passed: self.former = nil
    case .failed:
      self.former = nil
      former.state.finishWork(at: now)
      if let completion = restore(former) { end(completion) }
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
    guard let former, former.state.trial.suspect() else { return false }
    self.former = nil
    let trial = former.state.trial
    switch restore(former) {
    case nil: suspicion = (trial, failure)
    case .finished:
      trial.endSuspicion(failure)
      end(.finished)
    case .failure:
      trial.endSuspicion(nil)
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

  /// Restores the former version, and makes its calls.
  ///
  /// - Returns: The completion of the former version, if it has completed.
  private mutating func restore(_ former: FormerWork) -> Completion? {
    version = former.version
    unheard = former.unheard
    era += 1
    for (call, running) in tasks where !former.openCalls.contains(call) {
      running.task.cancel()
      tasks[call] = nil
    }
    do throws(Diagnostics) {
      let restored = try former.state.restored { message, time, restored in
        execution = restored
        deliver(message, at: time)
      }
      execution = restored.execution
      if let completion = restored.completion { return completion }
    } catch {
      // NB: The snapshot is one of this pipeline, made in this process.
      return .failure(StreamFailure(error))
    }
    for call in execution.openCalls where tasks[call.id] == nil { start(call) }
    execution.advance(to: now)
    return nil
  }
}
