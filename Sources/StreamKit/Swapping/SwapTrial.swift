package import StreamEngine
internal import Synchronization

/// A period in which a new version of running streams has to prove itself. A trial can watch many streams.
///
/// A stream whose version fails while the trial is open returns to the version before the swap, with the state from
/// before the swap. The inputs received since then are sent to that version again, with its output discarded, so that
/// its state is as if there had been no swap. Its output for the input at which the new version failed is published. If
/// it fails at that input as well, the new version is not to blame, and the stream fails.
///
/// A trial can also watch a version without another one to return to: its failure ends the stream, and leaves the trial
/// open.
package final class SwapTrial: Sendable {
  package enum Verdict: Hashable, Sendable {
    case open
    case passed
    case failed(StreamFailure)
  }

  private struct State {
    var verdict = Verdict.open
    var valueCount = 0
    /// Whether the version has worked on a value.
    var hasValue = false
    /// Number of streams that find out whether the former version has the same failure.
    var suspicionCount = 0
    /// Number of streams of the version that are not idle.
    var workCount = 0
    /// Whether the trial passes as soon as there is no suspicion, and all streams are idle.
    var isAboutToPass = false
  }

  private let state = Mutex(State())
  private let values: Int?
  private let begin: @Sendable () -> Void
  private let tell: @Sendable (Verdict) -> Void

  /// Opens a trial.
  ///
  /// - Parameters:
  ///   - values: Number of values without a failure after which the version has passed; nil for no limit.
  ///   - begin: Called once, on any thread, when the version has worked on its first value: an input has received it, or
  ///     the version has published it. Until then, the trial has seen nothing. Default: does nothing.
  ///   - tell: Called once with the verdict, on any thread.
  package init(
    values: Int? = nil, begin: @escaping @Sendable () -> Void = {}, tell: @escaping @Sendable (Verdict) -> Void
  ) {
    self.values = values
    self.begin = begin
    self.tell = tell
  }

  package var verdict: Verdict { state.withLock(\.verdict) }

  /// Number of values that the version has published, if a number of them decides.
  package var valueCount: Int { state.withLock(\.valueCount) }

  /// Ends the trial well, if it is open, as soon as no stream has just failed, and all are idle.
  package func pass() { change { $0.isAboutToPass = true } }

  /// Ends the trial for a reason outside the streams, if it is open.
  package func fail(_ failure: StreamFailure) {
    change { if $0.verdict == .open { $0.verdict = .failed(failure) } }
  }

  /// Keeps the trial from passing until a stream of the new version is idle.
  package func beginWork() { change { $0.workCount += 1 } }

  /// Counts the values that a stream has published before it became idle.
  package func endWork(values count: Int) {
    change { state in
      state.workCount -= 1
      state.hasValue = true
      guard let values else { return }
      state.valueCount += count
      if state.valueCount >= values { state.isAboutToPass = true }
    }
  }

  /// Ends the work of a stream that is canceled before it is idle. The version has not passed by that.
  package func cancelWork() {
    state.withLock { state in
      state.workCount -= 1
      state.isAboutToPass = false
    }
  }

  /// Keeps the trial from passing while a stream finds out whether the former version has the same failure.
  ///
  /// - Returns: False if the version has passed.
  package func suspect() -> Bool {
    state.withLock { state in
      guard state.verdict != .passed else { return false }
      state.suspicionCount += 1
      return true
    }
  }

  /// Ends a suspicion.
  ///
  /// - Parameter failure: The failure that only the new version has; nil if the former has it, too.
  package func endSuspicion(_ failure: StreamFailure?) {
    change { state in
      state.suspicionCount -= 1
      if let failure, state.verdict == .open { state.verdict = .failed(failure) }
    }
  }

  /// Changes the state, and reports the verdict if it has just been reached.
  private func change(_ body: (inout State) -> Void) {
    let (isFirst, verdict) = state.withLock { state -> (Bool, Verdict?) in
      let (wasOpen, hadValue) = (state.verdict == .open, state.hasValue)
      body(&state)
      if state.verdict == .open, state.isAboutToPass, state.suspicionCount == 0, state.workCount == 0 {
        state.verdict = .passed
      }
      return (state.hasValue && !hadValue, wasOpen && state.verdict != .open ? state.verdict : nil)
    }
    if isFirst { begin() }
    if let verdict { tell(verdict) }
  }
}
