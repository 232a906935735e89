package import StreamEngine

/// The end of a trial as a session has noticed it.
package struct TrialEnd {
  package enum Verdict {
    /// The new version stays.
    case kept
    /// The new version has failed, or exceeded a limit.
    case failed(StreamFailure)
    /// The trial was ended from outside, by another stream or the host.
    case stopped(StreamFailure)
  }

  package let verdict: Verdict
  /// The time of the new version.
  package let time: StreamTime

  package init(_ verdict: Verdict, at time: StreamTime) {
    self.verdict = verdict
    self.time = time
  }
}

extension StreamSession {
  /// Returns the end of a trial that the session has noticed since the last use of this method.
  package func takeTrialEnd() -> TrialEnd? {
    defer { trialEnd = nil }
    return trialEnd
  }

  /// Ends the trial as another session with the same events has ended it. Without a trial, nothing happens.
  ///
  /// - Returns: The first effect, if any; `next` returns the rest.
  package func end(_ trial: TrialEnd) -> Effect? {
    guard let former else { return nil }
    switch trial.verdict {
    case .kept:
      self.former = nil
      return nil
    case .failed(let failure): return failed(failure, .limited(failure), at: trial.time)
    case .stopped(let failure):
      stop(former, failure, at: trial.time)
      return nil
    }
  }
}
