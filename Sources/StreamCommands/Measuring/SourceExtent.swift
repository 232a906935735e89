internal import StreamCore
internal import StreamRuntime

/// How far a stream without inputs is run: as far as its sources have published so many values, or to its end.
struct SourceExtent {
  /// How many values its sources have published by then.
  private(set) var taken = 0
  /// How many the stream has.
  private(set) var published = 0
  /// When that is.
  private(set) var time = StreamTime.zero
  /// Whether the stream has ended by then.
  private(set) var hasEnded = false

  /// Runs the stream to find out.
  ///
  /// - Parameters:
  ///   - pipeline: the stream without fused segments, whose sources can be heard.
  ///   - limit: how many values of its sources are enough, if something comes of them.
  ///   - workLimit: how much work it may take until they publish.
  init(
    _ pipeline: Pipeline, limit: Int, _ workLimit: WorkLimit, skipsErrors: Bool,
    explain: @escaping (StreamFailure) -> Diagnostic
  ) throws(MeasurementStop) {
    var run = MeasuredRun(pipeline, skipsErrors: skipsErrors, workLimit, explain: explain)
    let counter = SourceCounter()
    run.execution.publicationWatcher = counter.hear
    run.subscribe()
    // NB: what publishes nothing is stepped through a little at a time, since its sources may have no end.
    while !run.execution.isEnded, counter.count < limit || (!canBeFound && counter.count < Self.most) {
      try run.look()
      let heard = counter.count
      defer { if counter.count != heard { run.noteEvent() } }
      switch run.execution.step(atMost: Self.patience) {
      case .event(.failure(let failure)): throw MeasurementStop(failure, explain(failure))
      case .event(.value): published += 1
      case .event, .unfinished: break
      case .idle:
        guard let deadline = run.execution.nextDeadline else {
          hasEnded = true
          break
        }
        run.execution.advance(to: deadline)
      }
      time = run.execution.time
      if hasEnded { break }
    }
    hasEnded = hasEnded || run.execution.isEnded
    taken = counter.count
  }

  private static let patience = 64
  /// After so many values of its sources nothing is expected of a stream any more.
  private static let most = 10_000_000

  /// Whether a run that stops there stops anywhere.
  var canBeFound: Bool { hasEnded || published > 0 || time > .zero }
}

/// Counts what the sources of a stream publish, those of inner streams left out.
private final class SourceCounter {
  private(set) var count = 0

  func hear(_ node: PipelineNode, _ event: ExecutionEvent) {
    if node.upstreams.isEmpty, node.frameDepth == 0, case .value = event { count += 1 }
  }
}
