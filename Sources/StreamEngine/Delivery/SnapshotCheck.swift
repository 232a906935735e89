internal import StreamCore

/// Checks how the parts of a snapshot refer to each other, before stages are built from them.
///
/// A stage does not retain its downstream, its frame or its execution, and work, timers, calls and lists of subscribers
/// do not retain stages. A snapshot that passes is wired like a running execution, so each of these objects outlives
/// the references to it. The states of operators are checked later, by the operators (`Machine.problem`).
struct SnapshotCheck {
  /// The unfused node of each stage, by stage index.
  private(set) var nodes: [PipelineNode] = []
  /// Number of frames around each frame.
  private(set) var depths: [Int] = []
  private let snapshot: SavedExecution
  private let pipeline: Pipeline

  /// The highest number of a port or a timer. Ports are reused, so there are not many more ports than stages.
  private static let portLimit = 4 * Execution.stageLimit

  /// Maximum nesting depth of frames, far more than that of operators. Frames are released recursively.
  private static let depthLimit = 1_000

  init(_ snapshot: SavedExecution, of pipeline: Pipeline) throws(Diagnostics) {
    self.snapshot = snapshot
    self.pipeline = pipeline
    do throws(Diagnostic) {
      try checkWhole()
      try checkFrames()
      try checkStages()
      try checkSubscribers()
      try checkWork()
      try checkHost()
    } catch {
      throw Diagnostics([error])
    }
  }

  private func require(_ isMet: Bool, _ why: @autoclosure () -> String) throws(Diagnostic) {
    if !isMet { throw Execution.mismatch(why()) }
  }

  private func checkWhole() throws(Diagnostic) {
    let (count, declared) = (snapshot.inputs.count, pipeline.inputs.count)
    try require(count == declared, "it has \(count) inputs, expected \(declared)")
    let isRunning = snapshot.hasStarted && !snapshot.isEnded
    try require(
      isRunning || snapshot.stages.isEmpty && snapshot.work.isEmpty && snapshot.calls.isEmpty,
      "it has active operators, but the stream is not running")
    try require(
      snapshot.stages.count <= 2 * Execution.stageLimit,
      "more than \(Execution.stageLimit) operators and sources are active")
    let ends = snapshot.stages.count { $0.downstream == nil && $0.shared == nil }
    try require(ends == (isRunning ? 1 : 0), "it has \(ends) outermost operators")
  }

  // MARK: Frames

  private mutating func checkFrames() throws(Diagnostic) {
    for (place, frame) in snapshot.frames.enumerated() {
      guard let outer = frame.outer else {
        try require(place == 0, "one of its frames has an invalid parent")
        depths.append(0)
        continue
      }
      try require(outer >= 0 && outer < place, "one of its frames has an invalid parent")
      try require(depths[outer] < Self.depthLimit, "its frames are nested more than \(Self.depthLimit) levels deep")
      depths.append(depths[outer] + 1)
    }
    try require(!depths.isEmpty, "it has no frames")
  }

  /// Returns the frame at a depth: this frame, or one around it.
  private func ancestor(of frame: Int, at depth: Int) -> Int {
    var frame = frame
    while depths[frame] > depth, let outer = snapshot.frames[frame].outer { frame = outer }
    return frame
  }

  // MARK: Stages

  /// A port of a stage.
  private struct Port: Hashable {
    let stage: Int
    let number: Int
  }

  private mutating func checkStages() throws(Diagnostic) {
    nodes.reserveCapacity(snapshot.stages.count)
    var fed: Set<Port> = []
    var hubs: Set<Port> = []
    var portFrames: Set<Int> = []
    // The ports and timers of a stage take memory up to the highest number.
    var extents: [Int: Int] = [:]
    for (place, entry) in snapshot.stages.enumerated() {
      try require(depths.indices.contains(entry.frame), "its '\(entry.name)' refers to a frame that does not exist")
      let node: PipelineNode
      if let number = entry.shared {
        try require(pipeline.shared.indices.contains(number), "it shares a stream that the pipeline does not share")
        node = pipeline.shared[number]
        try require(
          entry.downstream == nil && entry.portFrame == nil, "a shared stream has a single downstream operator")
        try require(
          hubs.insert(Port(stage: entry.frame, number: number)).inserted, "it shares a stream twice")
      } else if let downstream = entry.downstream {
        try require(
          downstream >= 0 && downstream < place && canFeed(entry, downstream),
          "no operator receives the values of its '\(entry.name)'")
        node = nodes[downstream].upstreams[entry.upstream].plain
        try require(
          fed.insert(Port(stage: downstream, number: entry.port)).inserted,
          "its '\(entry.name)' feeds the same port as another operator")
        extents[downstream] = max(extents[downstream] ?? 0, entry.port)
        try checkFrame(of: entry, downstream, node)
        if let frame = entry.portFrame {
          try require(portFrames.insert(frame).inserted, "two streams were started in the same frame")
        }
      } else {
        node = pipeline.root.plain
        try require(
          entry.port == 0 && entry.frame == 0 && entry.portFrame == nil, "the outermost operator is in an inner frame")
      }
      try require(
        entry.name == node.name, "expected '\(node.name)', found '\(entry.name)'")
      try require(
        depths[entry.frame] == node.frameDepth, "its '\(entry.name)' is in a frame of the wrong depth")
      try checkTimers(of: entry)
      extents[-1, default: 0] += entry.timers.map(\.timer).max() ?? 0
      nodes.append(node)
    }
    let total = extents.values.reduce(0, +)
    try require(total <= 2 * Self.portLimit, "its operators have too many ports and timers: \(total)")
    try checkHubs(keptFrames: portFrames)
  }

  /// Whether the downstream stage has upstream stages, and accepts the upstream index and port of `entry`.
  private func canFeed(_ entry: SavedExecution.SavedStage, _ downstream: Int) -> Bool {
    // Subscribers of a shared stream are fed by its single subscription, which is also in the list.
    let hears = snapshot.stages[downstream].shared != nil || !(nodes[downstream] is SharedNode)
    return hears && nodes[downstream].upstreams.indices.contains(entry.upstream)
      && (0...Self.portLimit).contains(entry.port)
  }

  /// Checks that a stage is in the frame created for its subscription, else in the frame of its downstream, or in a
  /// frame around it. The port that the stage feeds retains that frame.
  private func checkFrame(
    of entry: SavedExecution.SavedStage, _ downstream: Int, _ node: PipelineNode
  ) throws(Diagnostic) {
    var frame = snapshot.stages[downstream].frame
    if let made = entry.portFrame {
      try require(
        depths.indices.contains(made) && snapshot.frames[made].outer == frame,
        "its '\(entry.name)' was started in the frame of another operator")
      frame = made
    }
    try require(
      entry.frame == ancestor(of: frame, at: node.frameDepth), "its '\(entry.name)' is in the frame of another stream")
  }

  private func checkTimers(of entry: SavedExecution.SavedStage) throws(Diagnostic) {
    let numbers = Set(entry.timers.map(\.timer))
    try require(
      numbers.count == entry.timers.count && numbers.allSatisfy { (0...Self.portLimit).contains($0) }
        && entry.timers.allSatisfy { $0.every.map { $0 > 0 } ?? true },
      "its '\(entry.name)' has invalid timers")
  }

  /// Checks that a stage retains each frame with shared streams, since the frame retains these.
  private func checkHubs(keptFrames: Set<Int>) throws(Diagnostic) {
    var kept: Set<Int> = [0]
    for frame in keptFrames {
      var next = Optional(frame)
      while let current = next, kept.insert(current).inserted { next = snapshot.frames[current].outer }
    }
    for entry in snapshot.stages where entry.shared != nil {
      try require(kept.contains(entry.frame), "a stream is shared in a frame that has no operators")
    }
  }

  // MARK: References

  private func checkSubscribers() throws(Diagnostic) {
    for entry in snapshot.stages {
      try checkReferences(entry.subscribers ?? [], "a shared stream") { place in
        snapshot.stages[place].shared == nil && snapshot.stages[place].frame == entry.frame
          && nodes[place].sharedNumber != nil && nodes[place].sharedNumber == entry.shared
      }
    }
    for (number, frame) in snapshot.frames.enumerated() {
      try checkReferences(frame.feeders, "a group or window") { place in
        nodes[place] is FeedNode && snapshot.stages[place].frame == number
      }
    }
    for (number, input) in snapshot.inputs.enumerated() {
      try checkReferences(input.subscribers, "an input") { nodes[$0].inputNumber == number }
    }
  }

  private func checkReferences(_ places: [Int], _ owner: String, _ isRight: (Int) -> Bool) throws(Diagnostic) {
    try require(
      Set(places).count == places.count && places.allSatisfy { nodes.indices.contains($0) && isRight($0) },
      "\(owner) has invalid subscribers")
  }

  private func checkWork() throws(Diagnostic) {
    var starting: Set<Int> = []
    for work in snapshot.work {
      try require(
        nodes.indices.contains(work.stage) && (0...Self.portLimit).contains(work.number) && work.upstream >= 0,
        "its pending work refers to an operator that does not exist")
      let isHub = snapshot.stages[work.stage].shared != nil
      switch work.kind {
      case .start:
        try require(!isHub && starting.insert(work.stage).inserted, "an operator is started twice")
      case .publish, .input, .demand:
        try require(!isHub, "a shared stream has work that only its subscribers can have")
      default: break
      }
    }
  }

  private func checkHost() throws(Diagnostic) {
    for event in snapshot.pending {
      try require(
        event.isResult || pipeline.inputs.indices.contains(event.input),
        "an event was sent to an input that does not exist")
    }
    // Each call has a unique number, and there is room for further numbers.
    let numbers = Set(snapshot.calls.map(\.call.id))
    try require(
      numbers.count == snapshot.calls.count && numbers.allSatisfy { (0..<Int64.max / 2).contains($0) }
        && snapshot.calls.allSatisfy { nodes.indices.contains($0.stage) }
        && snapshot.callCount < Int64.max / 2,
      "its calls do not belong to its operators")
  }
}
