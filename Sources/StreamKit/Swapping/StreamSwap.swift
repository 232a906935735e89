public import StreamCore
public import StreamEngine

/// Continues a running stream as another version of itself, between two values.
///
/// Parts that are the same in both versions, as found by `StreamDiff`, keep their state: operators matched by `id`,
/// else by equality in order, else by position; sources their position in the data; inputs their values and buffers. An
/// operator with a changed field keeps its state if the state keeps its meaning. Time continues, and timers keep their
/// deadlines. New parts start now; removed parts are canceled silently.
///
/// ```swift
/// let swap = try StreamSwap(of: execution.snapshot(), from: old, to: new)
/// let next = try Execution(new.pipeline, restoring: swap.snapshot)
/// ```
public struct StreamSwap: Sendable {
  /// The snapshot from which the new version continues.
  public let snapshot: Snapshot
  /// A report of the state that was kept, reset and lost.
  public let report: SwapReport
  /// Calls whose results are no longer needed; the host may stop them.
  public let canceledCalls: [Int64]

  /// - Parameters:
  ///   - saved: The running stream.
  ///   - old: The version that it runs.
  ///   - new: The version that continues.
  ///   - demand: Requested values not yet published; nil, the default, takes the number from the snapshot.
  /// - Throws: `snapshotMismatch` if the snapshot belongs to another version.
  public init(
    of saved: Snapshot, from old: StreamVersion, to new: StreamVersion, demand: Demand? = nil
  ) throws(Diagnostics) {
    let matching = VersionMatching(old, new)
    let plan = SwapPlan(
      oldKey: { matching.oldKey($0, old.pipeline.inputs) }, newKey: { matching.newKey($0, new.pipeline.inputs) },
      isSource: matching.isSource,
      convert: { value, type in
        do throws(InputConversion.Problem) {
          return try InputConversion(type).convert(value)
        } catch {
          return nil
        }
      })
    let result = try saved.swapped(from: old.pipeline, to: new.pipeline, demand: demand, plan)
    snapshot = result.snapshot
    canceledCalls = result.canceledCalls
    report = SwapReport(result.fates, matching)
  }
}
