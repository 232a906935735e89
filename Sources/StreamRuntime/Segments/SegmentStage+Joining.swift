internal import CEL
internal import StreamCore
internal import StreamProgram

// A join that is right before a segment runs the segment's program, which then begins with the join's expression: the
// cells of the join's values come before those of the operators. As soon as a value comes in any other way the segment
// goes on alone, with what its cells hold.

extension SegmentStage {
  /// Goes on in a program that begins with an expression over the values of a join; nil where there are too many.
  func join(_ head: TupleExpression, over types: [CELType]) -> (TupleExpression.Compiled, StreamProgram.Frame)? {
    guard let node = node as? SegmentNode, node.isOpen else { return nil }
    if isJoined { leaveJoin() }
    let likely = TypeFeedback(cells: run.likelyCells, tuple: types)
    guard let compiled = node.program(behind: head, for: likely) else { return nil }
    let frame = run.continued(in: compiled.program)
    // A value that comes in another way is told by that.
    frame.needsRespecialization = true
    isJoined = true
    replaceRun(by: frame)
    return (compiled, frame)
  }

  /// Goes on alone.
  func leaveJoin() {
    isJoined = false
    replaceRun(by: run.continued(in: segment.program))
    run.needsRespecialization = (node as? SegmentNode)?.takesAnything == true
  }

  /// Continues after a run that a join began, as `forward` does.
  func takeUpJoined(_ value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if let aside = more, let error = aside.joinedFailure {
      aside.joinedFailure = nil
      throw failure(error)
    }
    if joinedOutcome == .emitted {
      value = output
      return .value
    }
    try hear(joinedOutcome, effects)
    return .nothing
  }
}
