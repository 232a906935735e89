internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// The extent of a run of a stream without inputs: until its sources have published a number of values, or to its end.
struct SourceExtent {
  /// Number of values published by its sources.
  private(set) var taken = 0
  /// Number of values published by the stream.
  private(set) var published = 0
  /// When that is.
  private(set) var time = StreamTime.zero
  /// Whether it ended because of the work of the run.
  private(set) var isStopped = false
  /// Whether the stream has ended by then.
  private(set) var hasEnded = false

  /// Runs the stream to determine the extent.
  ///
  /// - Parameters:
  ///   - pipeline: The stream without fused segments, whose sources can be observed.
  ///   - limit: A sufficient number of source values, if the stream publishes something for them.
  ///   - workLimit: Limit on the work until the sources publish.
  init(
    _ pipeline: Pipeline, limit: Int, _ workLimit: RunLimits, skipsErrors: Bool,
    explain: @escaping (StreamFailure) -> Diagnostic
  ) throws(MeasurementStop) {
    var run = MeasuredRun(pipeline, skipsErrors: skipsErrors, workLimit, count: limit, explain: explain)
    let counter = SourceCounter()
    run.session.execution.publicationWatcher = counter.handle
    run.subscribe()
    // NB: what publishes nothing is stepped through a little at a time, since its sources may have no end.
    while !run.session.isEnded, counter.count < limit || (!canBeFound && counter.count < Self.most) {
      try run.checkInterruption()
      let heard = counter.count
      defer { if counter.count != heard { run.session.noteEvent() } }
      if let effect = run.session.next(atMost: Self.patience) {
        try run.handle(effect)
        published = run.tally.published
      } else {
        hasEnded = !run.session.advanceToNextTimer()
      }
      time = run.session.time
      if hasEnded || canBeFound && run.isUsedUp() { break }
    }
    isStopped = run.tally.isStopped
    hasEnded = hasEnded || run.session.isEnded
    taken = counter.count
  }

  private static let patience = 64
  /// Number of source values after which the stream is assumed to publish nothing.
  private static let most = 10_000_000

  /// Whether a run that stops there stops anywhere.
  var canBeFound: Bool { hasEnded || published > 0 || time > .zero }
}

/// Counts the values published by the sources of a stream, except those of inner streams.
private final class SourceCounter {
  private(set) var count = 0

  func handle(_ node: PipelineNode, _ event: ExecutionEvent) {
    if node.upstreams.isEmpty, node.frameDepth == 0, case .value = event { count += 1 }
  }
}
