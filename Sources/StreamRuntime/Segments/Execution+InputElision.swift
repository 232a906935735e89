internal import CEL
internal import StreamCore

// A stream that is one segment over one input starts, and is canceled, at once: what would come of it piece by piece is
// known beforehand. Many of them wait for values side by side, and are made and let go all the time.

extension Execution {
  /// Does what is to be done, where that is to start such a stream and to ask it for everything; false, with nothing done,
  /// where it is anything else.
  ///
  /// Afterwards all is as `step` would have left it, once nothing was to be done any more.
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

  /// Ends such a stream, of which nothing is to be told; false, with nothing done, where it is another.
  func endWithoutInput() -> Bool {
    guard hasElidedInput, coldStateReference == nil, let root, root.aside == nil else { return false }
    isEnded = true
    hasElidedInput = false
    routes = DirectRoutes()
    // The input's stage has been let go, and is counted still.
    stageCount -= 1
    root.isEnded = true
    root.tellEnd(self, isCancelled: true)
    self.root = nil
    stack.removeAll()
    ended.removeAll()
    return true
  }
}
