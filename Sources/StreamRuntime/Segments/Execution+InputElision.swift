internal import CEL
internal import StreamCore

// A stream that is a single segment over one input starts, and is canceled, in one step: the effect of the individual
// steps is known in advance. Many such streams wait for values side by side, and are created and released frequently.

extension Execution {
  /// Performs the pending work if it is to start such a stream with unlimited demand; returns false, without effect, if
  /// it is anything else.
  ///
  /// Leaves the execution in the state in which `step` would leave it once no work is pending.
  func startWithoutInput() -> Bool {
    guard coldStateReference == nil, !isWatched, let root, root.isSegment, stack.startsForEverything(root),
      pipeline.inputs.count == 1, !pipeline.inputs[0].isCurrent, inputs[0].isUntouched,
      root.node.upstreams.count == 1, root.node.upstreams[0].isInput
    else { return false }
    guard unsafeDowncast(root, to: SegmentStage.self).startWithoutInput(self) else { return false }
    stack.removeAll()
    if stack.rest() { hasRested = true }
    hasElidedInput = true
    return true
  }

  /// Ends such a stream if it has nothing to report; returns false, without effect, if it is another stream.
  func endWithoutInput() -> Bool {
    guard hasElidedInput, coldStateReference == nil, let root, root.coldState == nil else { return false }
    isEnded = true
    hasElidedInput = false
    routes = DirectRoutes()
    // The input's stage has been released, but is still counted.
    stageCount -= 1
    root.isEnded = true
    root.tellEnd(self, isCancelled: true)
    self.root = nil
    stack.removeAll()
    ended.removeAll()
    return true
  }
}
