internal import StreamCore

/// A subscription to the values that the enclosing stage feeds to an inner stream: those of a group or a window.
///
/// It behaves as a subject: a later subscriber misses earlier values, unless the stream had not subscribed to them for
/// want of demand. Values without demand wait, up to a limit.
final class FeedStage: Stage {
  private let limit: Int
  @exclusivity(unchecked) private var backlog = Backlog()

  init(limit: Int, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.limit = limit
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  override func start(_ effects: Effects) {
    for value in frame.join(self) { backlog.append(value) }
    if let end = frame.feedEnd { backlog.end(end, effects) }
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    backlog.ask(demand)
    backlog.drain(effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if backlog.takeOne() { return effects.publish(value) }
    guard backlog.count < limit else {
      throw StreamFailure(
        .limitExceeded,
        "the buffer of a group or window is full: \(limit) values wait for a stream that does not request them",
        pointer: node.pointer, value: value,
        help:
          "write a greater 'limit' in the operator that waits in the group, or a 'buffer' as the group's first operator"
      )
    }
    backlog.append(value)
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    backlog.end(completion, effects)
  }

  /// Whether exactly this demand is open, and no value or completion waits.
  func isWaiting(for demand: Demand) -> Bool { backlog.isWaiting(for: demand) }

  /// Adds demand without a signal.
  func expect(_ demand: Demand) { backlog.ask(demand) }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: backlog) }

  override var endsWithDemand: Bool { backlog.isEnding }

  override func saveState() throws -> Value { try ValueEncoder().encode(backlog) }

  override func restoreState(_ value: Value) throws(Diagnostics) { backlog = try Self.decode(value) }
}
