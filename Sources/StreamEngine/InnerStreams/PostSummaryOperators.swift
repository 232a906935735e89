internal import StreamCore

/// The operators after a summary, as stages that are reset for every inner stream: each processes one value per stream.
struct PostSummaryOperators {
  /// Whether an operator is a summary itself. A tail with a summary needs stages of its own.
  let hasSummary: Bool
  private let stages: [SegmentStage]
  private let variables: Frame

  /// - Parameter nodes: The operators, the last one first.
  init(_ nodes: [SegmentNode], of stage: Stage, _ execution: Execution) {
    variables = stage.frame
    hasSummary = nodes.contains { $0.step.isSummary }
    // NB: The stages use the outer frame. `output(of:capturing:)` sets the captured variables.
    stages = nodes.reversed().map { node in
      SegmentStage(node.segment, node: node, downstream: nil, port: 0, frame: stage.frame, execution)
    }
  }

  /// Returns the output for an optional value followed by the end of the stream; nil if there is no output.
  ///
  /// - Parameters:
  ///   - result: The value; nil if there is none.
  ///   - captures: The variables of the inner stream.
  ///   - effects: The effects that report a skipped value.
  func output(
    of result: Value?, capturing captures: [Value], _ effects: Effects
  ) throws(StreamFailure) -> Value? {
    var value = result
    for stage in stages {
      guard let input = value else { return nil }
      stage.run.reset()
      for capture in stage.segment.captures {
        let place = capture.slot - variables.variableCount
        stage.run.set(
          captures.indices.contains(place) ? captures[place] : variables.value(inSlot: capture.slot), of: capture.cell)
      }
      do throws(StreamFailure) {
        let outcome = try stage.take(input)
        try stage.throwRefusal()
        value = outcome == .emitted || outcome == .emittedLast ? stage.output : nil
      } catch {
        guard stage.skipsFailures(effects.execution) else { throw error }
        effects.skip(error)
        return nil
      }
    }
    return value
  }
}
