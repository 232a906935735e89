package import StreamCore
package import StreamEngine

/// The state of a session between two events.
package struct SavedSession: Sendable {
  package var execution: Snapshot
  /// The newest values for inputs that the version lacks.
  package var unheard: [String: Value]

  /// The session's number of each call whose result is awaited, by the execution's number, and the next number.
  package var calls: [Int64: Int64]
  package var callCount: Int64

  package init(
    execution: Snapshot, unheard: [String: Value] = [:], calls: [Int64: Int64] = [:], callCount: Int64 = 0
  ) {
    self.execution = execution
    self.unheard = unheard
    self.calls = calls
    self.callCount = callCount
  }
}

extension StreamSession {
  /// Returns the state; nil while a version is on trial, since it is not known yet which version continues.
  ///
  /// Calls whose results are awaited are made again by a session that continues from it.
  package func save() throws -> SavedSession? {
    guard former == nil, suspicion == nil else { return nil }
    return SavedSession(
      execution: try execution.snapshot(), unheard: unheard, calls: calls, callCount: callCount)
  }

  /// Creates a session that continues from a saved one.
  ///
  /// - Parameters:
  ///   - saved: The state of the version `old`.
  ///   - old: The version that was saved, if `version` is another one.
  ///   - present: The calendar time now, if time goes by the machine's clock; nil if it continues at the saved time.
  /// - Returns: The session, and what has become of the state if the version is another one.
  /// - Throws: `snapshotMismatch` if the state is of another stream.
  package static func restoring(
    _ saved: SavedSession, of old: StreamVersion? = nil, as version: StreamVersion, present: Timestamp?,
    limit: RunLimits = RunLimits()
  ) throws(Diagnostics) -> (session: StreamSession, report: SwapReport?) {
    var snapshot = saved.execution
    var report: SwapReport?
    if let old {
      let swap = try StreamSwap(of: snapshot, from: old, to: version, demand: .unlimited)
      (snapshot, report) = (swap.snapshot, swap.report)
    }
    let execution = try Execution(version.pipeline, restoring: snapshot)
    if let present { execution.setPresent(present) }
    let session = StreamSession(execution, version, limit)
    session.unheard = saved.unheard
    session.callCount = saved.callCount
    session.makeOpenCalls(numbered: saved.calls)
    return (session, report)
  }
}
