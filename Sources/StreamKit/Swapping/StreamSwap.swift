public import StreamCore
public import StreamRuntime

/// A running stream that goes on as another version of itself, between two values.
///
/// What is the same in both versions, as `StreamDiff` finds it, keeps its state: operators by their `id`, else by
/// equality in order, else by their place; sources their position; inputs their values, and what waits. A changed field
/// that leaves what is kept its meaning changes it no further. Time goes on, and timers are due when they were. What the
/// new version has beside that begins now; what the old one had is canceled without a word.
///
/// ```swift
/// let swap = try StreamSwap(of: execution.snapshot(), from: old, to: new)
/// let execution = try Execution(new.pipeline, restoring: swap.snapshot)
/// print(swap.account)
/// ```
public struct StreamSwap: Sendable {
  /// What the new version goes on from.
  public let snapshot: Snapshot
  /// What was kept, what began anew, and what was lost.
  public let account: SwapReport
  /// Calls whose answers nobody waits for any more: the host may stop them.
  public let canceledCalls: [Int64]

  /// - Parameters:
  ///   - saved: the running stream.
  ///   - old: the version that it runs as.
  ///   - new: the version to run.
  ///   - demand: what has been asked for and not been published; nil, the default, where only the stream knows.
  /// - Throws: `snapshotMismatch` where it was not saved of that version.
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
    account = SwapReport(result.fates, matching)
  }
}
