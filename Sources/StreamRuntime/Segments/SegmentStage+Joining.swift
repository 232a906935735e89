internal import CEL
internal import StreamCore
internal import StreamProgram

// A join directly upstream of a segment runs the segment's program, which then begins with the join's expression: the
// cells of the join's values precede those of the operators. As soon as a value arrives on any other path, the segment
// continues alone, with the contents of its cells.

extension SegmentStage {
  /// Continues in a program that begins with an expression over the values of a join; returns nil if the segment cannot
  /// be joined or has too many programs.
  func join(_ head: TupleExpression, over types: [CELType]) -> (TupleExpression.Compiled, ProgramInstance)? {
    guard let node = node as? SegmentNode, node.isOpen else { return nil }
    if isJoined { leaveJoin() }
    let likely = TypeFeedback(cells: run.likelyCells, tuple: types)
    guard let compiled = node.program(behind: head, for: likely) else { return nil }
    let frame = run.continued(in: compiled.program)
    // Detects a value that arrives on another path.
    frame.needsRespecialization = true
    isJoined = true
    replaceRun(by: frame)
    return (compiled, frame)
  }

  /// Continues without the join.
  func leaveJoin() {
    isJoined = false
    replaceRun(by: run.continued(in: segment.program))
    run.needsRespecialization = (node as? SegmentNode)?.takesAnything == true
  }

  /// Processes the outcome of a run that a join began, as `forward` does.
  func finishJoinedRun(_ value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if let coldState = segmentColdState, let error = coldState.joinedFailure {
      coldState.joinedFailure = nil
      throw failure(error)
    }
    if joinedOutcome == .emitted {
      value = output
      return .value
    }
    try handle(joinedOutcome, effects)
    return .nothing
  }
}
