internal import CEL
internal import StreamCore

/// The operators after a summary, as stages that are reset for every key: they process one value for each.
struct ScratchTail {
  private let stages: [SegmentStage]
  private let variables: Frame

  /// - Parameter nodes: the operators, the last one first.
  init(_ nodes: [SegmentNode], of stage: Stage, _ execution: Execution) {
    variables = stage.frame
    // NB: in the frame around those of the keys. `output(of:for:)` sets the captured key.
    stages = nodes.reversed().map { node in
      SegmentStage(node.segment, node: node, downstream: nil, port: 0, frame: stage.frame, execution)
    }
  }

  /// Returns the output for a value, or for none, followed by the end of the stream. Nil if an operator fails, finishes or
  /// is a summary: such a stream needs stages of its own.
  func output(of result: Value?, for key: Value) -> Value?? {
    var value = result
    for stage in stages {
      guard !stage.segment.isSummary else { return nil }
      guard let input = value else { return .some(nil) }
      stage.run.reset()
      for capture in stage.segment.captures {
        let isKey = capture.slot == variables.variableCount
        stage.run.set(isKey ? key : variables.value(inSlot: capture.slot), of: capture.cell)
      }
      switch stage.attempt(input) {
      case .emitted?: value = stage.output
      case .dropped?: value = nil
      case .finished?, .emittedLast?: return nil
      case nil:
        _ = stage.run.takeFailure()
        return nil
      }
    }
    return value
  }
}
