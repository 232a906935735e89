internal import StreamCore
internal import StreamEngine
internal import StreamKit

// Continuing as another version, and the end of its trial, as a recording says.
extension RunSession {
  /// Records the end of the trial of a version, if the stream has noticed it.
  ///
  /// - Parameter place: The number of effects since the latest event or swap, nil if the stream has finished its work; and
  ///   the number of all effects before the next one. Default those of the effect that `drain` has found.
  func noteTrialEnd(at place: (after: Int?, next: Int)? = nil) {
    guard let end = stream.takeTrialEnd(), let recorder else { return }
    let place = place ?? self.place ?? (drainCount - drainStart, drainCount + 1)
    recorder.note(end, after: place.after)
    drainStart = place.next
  }

  /// Continues as another version of the stream, after a number of effects if it is still at work.
  ///
  /// - Parameters:
  ///   - count: The number of effects since the latest event from outside or the latest swap; nil if all work is done.
  ///   - explain: Makes a diagnostic of a failure of the version.
  func become(
    _ next: StreamVersion, after count: Int?, isTrial: Bool, explain: @escaping (StreamFailure) -> Diagnostic
  ) throws(RunStop) {
    try take(count ?? 0)
    do throws(Diagnostics) {
      stream.become(try stream.prepare(next), on: isTrial ? SwapTrial { _ in } : nil)
    } catch {
      throw .refused(error.all.first ?? Diagnostic(.snapshotMismatch, "the stream cannot be swapped"), nil)
    }
    self.explain = explain
  }

  /// Ends the trial of a version, after a number of effects if the stream is still at work.
  func end(_ trial: TrialEnd, after count: Int?) throws(RunStop) {
    try take(count ?? 0)
    if let effect = stream.end(trial) { try handle(effect) }
  }

  /// Writes a number of effects.
  private func take(_ count: Int) throws(RunStop) {
    for _ in 0..<count {
      guard let effect = stream.next() else { break }
      try handle(effect)
      try checkInterruption()
    }
  }
}
