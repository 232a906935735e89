internal import CEL
internal import StreamCore

/// The operators behind a summary, as stages that one value after the other goes through, each as if it were the first:
/// one for each key.
struct ScratchTail {
  private let stages: [SegmentStage]
  private let variables: Frame

  /// - Parameter nodes: the operators, the last one first.
  init(_ nodes: [SegmentNode], of stage: Stage, _ execution: Execution) {
    variables = stage.frame
    // NB: a stage that nobody hears, in the frame around those of keys: they are handed what they read of the latter.
    stages = nodes.reversed().map { node in
      SegmentStage(node.segment, node: node, downstream: nil, port: 0, frame: stage.frame, execution)
    }
  }

  /// What comes of a value, or of none, and of the end behind it: a value, or none. Nil where it is more, or a failure:
  /// that is for stages of their own.
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
