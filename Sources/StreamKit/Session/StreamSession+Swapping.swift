package import StreamCore
internal import StreamEngine

/// Continuing as another version.
extension StreamSession {
  /// A prepared swap, which cannot fail.
  package struct Swap {
    fileprivate let version: StreamVersion
    fileprivate let execution: Execution
    fileprivate let saved: Snapshot
    fileprivate let canceledCalls: [Int64]
    package let report: SwapReport
  }

  /// Prepares to continue as another version. The stream is unchanged until `become`, which must be the next call.
  ///
  /// - Throws: `snapshotMismatch` if the state cannot be saved.
  package func prepare(_ next: StreamVersion) throws(Diagnostics) -> Swap {
    guard let version else { preconditionFailure("a session that swaps begins with a version") }
    let saved: Snapshot
    do {
      saved = try execution.snapshot()
    } catch {
      throw Diagnostics(.snapshotMismatch, "the state of the stream cannot be saved: \(error)")
    }
    let swap = try StreamSwap(of: saved, from: version, to: next, demand: .unlimited)
    return Swap(
      version: next, execution: try Execution(next.pipeline, restoring: swap.snapshot), saved: saved,
      canceledCalls: swap.canceledCalls, report: swap.report)
  }

  /// Continues as another version. Inputs keep their values; those for inputs that only the new version has are sent.
  ///
  /// - Parameter trial: The trial of the new version; nil if it replaces the one before for good. During a trial, the
  ///   version before the first swap stays the one to which the stream returns.
  package func become(_ swap: Swap, on trial: SwapTrial?) {
    lastingTrial = nil
    if let trial, let version {
      if former == nil {
        former = FormerVersion(
          version, swap.saved, trial, at: execution.time,
          openCalls: Dictionary(calls.map { ($1, $0) }) { first, _ in first }, unheard: unheard)
      }
      former?.trial = trial
    } else {
      former = nil
    }
    version = swap.version
    execution = swap.execution
    meter = WorkMeter(limit)
    gauge?.watch(execution)
    swap.canceledCalls.forEach(cancelCall)
    for (name, value) in unheard {
      guard let input = execution.pipeline.input(named: name) else { continue }
      unheard[name] = nil
      if execution.pipeline.inputs[input].initialValue != nil { send(value, named: name, at: execution.time) }
    }
  }

  /// Begins a trial of the version that runs. There is no other one to return to: a failure ends the stream.
  package func begin(_ trial: SwapTrial) { if former == nil { lastingTrial = trial } }

  /// Continues as the same stream compiled in another way, such as with probes.
  ///
  /// - Throws: `snapshotMismatch` if the state cannot be saved, or if it is another stream.
  package func recompile(as same: StreamVersion) throws(Diagnostics) {
    let saved: Snapshot
    do {
      saved = try execution.snapshot()
    } catch {
      throw Diagnostics(.snapshotMismatch, "the state of the stream cannot be saved: \(error)")
    }
    let next = try Execution(same.pipeline, restoring: saved)
    if let sink = execution.rowSink { next.rowSink = sink }
    if version != nil { version = same }
    execution = next
    meter = WorkMeter(limit)
  }

  /// Acts on the verdict of a trial that another stream or the host has reached. Returns whether there are effects.
  @discardableResult
  package func settle() -> Bool {
    if let trial = lastingTrial, trial.verdict != .open { lastingTrial = nil }
    guard let former else { return false }
    switch former.trial.verdict {
    case .open: break
    case .passed:
      self.former = nil
      trialEnd = TrialEnd(.kept, at: execution.time)
    case .failed(let failure):
      trialEnd = TrialEnd(.stopped(failure), at: execution.time)
      stop(former, failure, at: execution.time)
    }
    return !effects.isEmpty
  }

  /// Returns to the version before, which continues after all that the new version has done.
  func stop(_ former: FormerVersion, _ failure: StreamFailure, at time: StreamTime) {
    endWork()
    self.former = nil
    var former = former
    former.finishWork(at: time)
    effects.append(.rolledBack(failure))
    if let completion = restore(former, at: time) { effects.append(.event(ExecutionEvent(completion))) }
  }

  // MARK: Trials

  /// Notes that all work is done that follows from the latest event from outside.
  func finishWork() {
    guard former != nil || suspicion != nil else { return }
    former?.finishWork(at: execution.time)
    confirmSuspicion()
  }

  /// Blames the new version, since the version before has not failed with the same input.
  func confirmSuspicion() {
    guard let suspicion else { return }
    self.suspicion = nil
    suspicion.trial.endSuspicion(suspicion.failure)
  }

  /// Returns the effect of a failure: a return to the version before, if there is one, and `effect` otherwise.
  ///
  /// - Parameter time: The time of the new version; nil for that of the execution.
  func failed(_ failure: StreamFailure, _ effect: Effect, at time: StreamTime? = nil) -> Effect {
    defer { endWork() }
    if let suspicion {
      self.suspicion = nil
      suspicion.trial.endSuspicion(nil)
      return effect
    }
    if lastingTrial != nil {
      // The values before the failure do not make the version pass.
      cancelWork()
      lastingTrial = nil
    }
    guard let former, !isInterrupted() else { return effect }
    let time = time ?? execution.time
    guard former.trial.suspect() else {
      self.former = nil
      trialEnd = TrialEnd(.kept, at: time)
      return effect
    }
    self.former = nil
    switch restore(former, at: time) {
    case .finished:
      former.trial.endSuspicion(failure)
      effects.append(.event(.finished))
    case .failure:
      former.trial.endSuspicion(nil)
      return effect
    case nil:
      suspicion = (former.trial, failure, execution.stepCount + WorkMeter.slice)
      // A version that fails at once is not said to continue.
      switch execution.step(atMost: WorkMeter.slice) {
      case .event(.failure): return failed(failure, effect)
      case .event(let event): effects.append(heard(event))
      case .idle: finishWork()
      case .unfinished: break
      }
    }
    trialEnd = TrialEnd(.failed(failure), at: time)
    return .rolledBack(failure)
  }

  /// Restores the version before, and makes its calls.
  ///
  /// - Returns: The completion of that version, if it has completed.
  private func restore(_ former: FormerVersion, at time: StreamTime) -> Completion? {
    version = former.version
    meter = WorkMeter(limit)
    for (number, call) in calls where former.openCalls[call] == nil { cancelCall(number) }
    do throws(Diagnostics) {
      let restored = try former.restored()
      (execution, unheard) = (restored.execution, restored.unheard)
      gauge?.watch(execution)
      if let completion = restored.completion { return completion }
    } catch {
      // NB: The snapshot is one of this pipeline, made in this process.
      return .failure(StreamFailure(error))
    }
    makeOpenCalls()
    execution.advance(to: time)
    return nil
  }
}
