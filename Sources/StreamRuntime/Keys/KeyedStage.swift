internal import CEL
internal import StreamCore

/// An operator that starts an inner stream for each key, at work: as one program with a row for each key while everything
/// has been asked for, else as its machine with stages for each key.
///
/// A snapshot is taken of the machine, which goes back to rows with the next value.
final class KeyedStage<M: Machine>: SegmentStage {
  private enum Mode: UInt8 {
    /// Nothing has been asked for.
    case waiting
    /// The program runs, and rows have what there is for each key.
    case rows
    /// Upstream has finished, and the streams of keys end one after the other, as stages.
    case ending
    /// The machine runs until the next value comes.
    case saved
    /// The machine runs.
    case machine
  }

  private let keyed: KeyedNode<M>
  private let machine: UnsafeMutablePointer<M>
  @exclusivity(unchecked) private var mode = Mode.waiting
  /// The deficits of operators by row: see `SegmentAside.deficits`.
  @exclusivity(unchecked) private var deficits: [Int: [Int64]] = [:]
  /// The row that ends next.
  @exclusivity(unchecked) private var nextRow = 0

  init(_ node: KeyedNode<M>, downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) {
    keyed = node
    machine = .allocate(capacity: 1)
    machine.initialize(to: node.prototype)
    super.init(node.segment, node: node, downstream: downstream, port: port, frame: frame, execution)
  }

  deinit {
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  // MARK: Signals

  override func start(_ effects: Effects) throws(StreamFailure) { try machine.pointee.start(effects) }

  override func startFolded(_ execution: Execution) -> Bool { false }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    if mode == .rows || mode == .ending { return }
    guard mode == .waiting, demand.isUnlimited, !isWatched(effects.execution) else {
      if mode == .waiting { runMachine(.machine) }
      return try machine.pointee.request(demand, effects)
    }
    beginRows()
    effects.request(.unlimited, from: 0)
  }

  /// Whether somebody has to be told of the inner streams.
  private func isWatched(_ execution: Execution) -> Bool {
    execution.isWatched || execution.subscriptionWatcher != nil
  }

  private func beginRows() {
    (mode, isSegment) = (.rows, true)
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  private func runMachine(_ mode: Mode) { (self.mode, isSegment) = (mode, false) }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if mode == .rows || mode == .ending { return effects.publish(value) }
    try machine.pointee.receive(value, on: port, effects)
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if port > 0, mode == .rows || mode == .ending { return .value }
    if mode == .rows || mode == .saved && port == 0 && loadRows(effects.execution) {
      return try super.forward(&value, on: port, effects)
    }
    return try machine.pointee.forward(&value, on: port, effects)
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard mode == .rows || mode == .ending else { return try machine.pointee.receive(completion, on: port, effects) }
    guard completion == .finished else { return effects.complete(completion) }
    guard port == 0 else { return }
    (mode, isSegment) = (.ending, false)
    endStreams(effects)
  }

  /// Ends the streams of keys that have not ended yet, up to one in which more happens than that one value comes of it.
  private func endStreams(_ effects: Effects) {
    let tail = ScratchTail(keyed.tail, of: self, effects.execution)
    while segment.isSummary, nextRow < run.rowCount {
      let row = nextRow
      nextRow += 1
      guard run.enterRow(row) else { continue }
      let result = segment.operators[last].result?(SegmentCells(stage: self))
      if let output = tail.output(of: result, for: run.key(ofRow: row)) {
        if let value = output { effects.publish(value) }
        run.closeRow()
        continue
      }
      let port = KeyedGroups.port(of: row)
      startStream(on: port, for: run.key(ofRow: row), effects.execution)
      run.closeRow()
      effects.endFeed(.finished, to: port)
      return effects.resume()
    }
    run.removeRows()
    effects.finish()
  }

  override func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try machine.pointee.fire(timer, into: &value, effects)
  }

  override func resume(_ effects: Effects) throws(StreamFailure) {
    if mode == .ending { return endStreams(effects) }
    try machine.pointee.resume(effects)
  }

  // MARK: Rows

  /// The stream of a key has ended, or one of its operators has refused the value.
  override func end(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    try throwRefusal()
    let (row, result) = (run.currentRow, outcome == .emittedLast ? output : nil)
    guard keyed.tail.isEmpty else {
      let stream = startStream(on: KeyedGroups.port(of: row), for: run.key(ofRow: row), effects.execution)
      run.closeRow()
      stream?.end(with: result, Effects(effects.execution, stage: stream ?? self))
      return
    }
    run.closeRow()
    if let result { effects.publish(result) }
  }

  override var failurePolicy: ErrorPolicy { mode == .rows ? super.failurePolicy : node.errorPolicy }

  override func prepareToFail(_ effects: Effects) {}

  override func skip(from port: Int, _ effects: Effects) {
    guard mode == .rows else { return effects.request(Demand(1), from: port) }
    countSkipped()
    if endingOperator >= 0 { run.closeRow() }
  }

  override func deficit(_ number: Int) -> Int64 { deficits[run.currentRow]?[number] ?? 0 }

  override func setDeficit(_ deficit: Int64, of number: Int) {
    guard deficit != self.deficit(number) else { return }
    deficits[run.currentRow, default: Array(repeating: 0, count: segment.operators.count)][number] = deficit
  }

  override func tellStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }

  override func tellEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  override func cancellationNotes() -> [HookEvent] { machine.pointee.cancellationNotes(at: node.pointer) }

  // MARK: Saving

  override func saveState() throws -> Value { try ValueEncoder().encode(machine.pointee.state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    machine.pointee.state = try machine.pointee.decode(value, of: node)
    runMachine(.saved)
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { machine.pointee.canBeFed(by: upstream, on: port) }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: machine.pointee.state) }

  /// Makes stages of rows.
  override func prepareToSave(_ execution: Execution) {
    if mode == .waiting { isSegment = false }
    guard mode == .rows || mode == .ending else { return }
    var groups: [KeyedGroups.Group] = []
    for row in 0..<run.rowCount {
      let (port, key) = (KeyedGroups.port(of: row), run.key(ofRow: row))
      if run.enterRow(row) { startStream(on: port, for: key, execution) }
      groups.append(
        KeyedGroups.Group(key: key, birth: run.birth(ofRow: row), isOpen: upstream(on: port) != nil))
    }
    machine.pointee.state = keyed.groups.state(KeyedGroups(index: index, groups, isEnding: mode == .ending))
    run.removeRows()
    deficits = [:]
    runMachine(.saved)
    execution.endWays()
  }

  /// Makes the stages for the row at work.
  ///
  /// - Returns: The stage that hears the feed.
  @discardableResult
  private func startStream(on port: Int, for key: Value, _ execution: Execution) -> SegmentStage? {
    let variables = Frame(number: execution.frameCount, outer: frame, values: [key])
    execution.frameCount += 1
    var (downstream, place): (Stage, Int) = (self, port)
    for node in keyed.tail + [keyed.inner] {
      let stage = node.makeStage(downstream: downstream, port: place, frame: variables, execution)
      if downstream === self {
        setUpstream(stage, on: port, frame: variables)
      } else {
        downstream.setUpstream(stage, on: 0)
      }
      downstream.setUnlimited(true, on: place)
      if let segment = stage as? SegmentStage {
        segment.goOn()
        if node === keyed.inner { move(from: (self, 1), to: (segment, 0)) }
      }
      (downstream, place) = (stage, 0)
    }
    let feed = keyed.inner.upstreams[0].makeStage(downstream: downstream, port: 0, frame: variables, execution)
    downstream.setUpstream(feed, on: 0)
    downstream.setUnlimited(true, on: 0)
    if let feed = feed as? FeedStage {
      feed.expectEverything()
      variables.feeders = [feed]
    }
    execution.stageCount += keyed.streamWeight
    return downstream as? SegmentStage
  }

  /// Makes rows of stages; false where these are at something else than to wait for values.
  private func loadRows(_ execution: Execution) -> Bool {
    guard !isWatched(execution), isUnlimited(0), unheardCount == 0,
      let groups = keyed.groups.groups(machine.pointee.state)
    else { return false }
    var streams: [SegmentStage?] = []
    for (number, group) in groups.all.enumerated() {
      let stream = group.isOpen ? waitingStream(on: KeyedGroups.port(of: number), for: group.key) : nil
      if group.isOpen, stream == nil { return false }
      streams.append(stream)
    }
    guard !hasWork(execution) else { return false }
    for (group, stream) in zip(groups.all, streams) {
      run.addRow(for: group.key, birth: group.birth)
      if let stream {
        move(from: (stream, 0), to: (self, 1))
        execution.stageCount -= keyed.streamWeight
      } else {
        run.closeRow()
      }
    }
    index = groups.index
    removeInnerUpstreams()
    beginRows()
    execution.endWays()
    return true
  }

  /// The stream of a key, where it waits for values and nothing else.
  private func waitingStream(on port: Int, for key: Value) -> SegmentStage? {
    guard isUnlimited(port), var stage = upstream(on: port) as? SegmentStage,
      let variables = innerFrame(on: port), variables.values == [key], variables.feeders.count == 1,
      variables.feedEnd == nil, variables.hubs.isEmpty
    else { return nil }
    for node in keyed.tail {
      guard stage.waits(as: node), stage.isNew, let next = stage.upstream(on: 0) as? SegmentStage else { return nil }
      stage = next
    }
    guard stage.waits(as: keyed.inner), let feed = stage.upstream(on: 0) as? FeedStage, feed.isWaiting,
      feed.unheardCount == 0, variables.feeders[0] === feed
    else { return nil }
    return stage
  }

  /// Whether there is work to do for it, or for its inner streams.
  private func hasWork(_ execution: Execution) -> Bool {
    var found = false
    execution.stack.forEach { work in
      var stage: Stage? = work.stage
      for _ in 0..<3 where stage?.isEnded == false {
        if stage === self { found = true }
        stage = stage?.downstream
      }
    }
    return found
  }

  /// The index of the next value.
  private var index: Int64 {
    get {
      guard case .index(let index) = segment.operators[0].state else { return 0 }
      return SegmentCells(stage: self)[index]
    }
    set {
      guard case .index(let index) = segment.operators[0].state else { return }
      SegmentCells(stage: self)[index] = newValue
    }
  }

  /// Has the operators of one program, from one of them on, what those of another have.
  private func move(from source: (stage: SegmentStage, first: Int), to target: (stage: SegmentStage, first: Int)) {
    for number in keyed.inner.segment.operators.indices {
      let (from, to) = (
        source.stage.segment.operators[source.first + number], target.stage.segment.operators[target.first + number]
      )
      guard let state = try? from.save(SegmentCells(stage: source.stage)) else {
        preconditionFailure("the state of '\(from.node.name)' can be encoded")
      }
      do throws(Diagnostic) {
        try to.load(state, SegmentCells(stage: target.stage))
      } catch {
        preconditionFailure("the state of '\(to.node.name)' is one of its own: \(error)")
      }
    }
  }
}

extension SegmentStage {
  /// Goes on as one that has been started, and has asked for everything.
  fileprivate func goOn() {
    firstAlive = 0
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  /// Whether it waits for values, all of which it has asked for, as a stage of this node.
  fileprivate func waits(as node: SegmentNode) -> Bool {
    self.node === node && firstAlive == 0 && isUnlimited(0) && unheardCount == 0 && deferredDemand == .none
  }

  /// Whether no value has come to it.
  fileprivate var isNew: Bool {
    run.isAsMade(apartFrom: segment.captures.map(\.cell))
  }
}
