internal import CEL
internal import StreamCore

/// A running operator that starts an inner stream for each key: one program with a row for each key while all values are
/// requested, otherwise a machine with stages for each key.
///
/// A snapshot converts rows to stages; the next value converts them back.
final class KeyedStage<M: Machine>: SegmentStage {
  private enum Mode: UInt8 {
    /// No value has been requested.
    case waiting
    /// The program runs, with a row for each key.
    case rows
    /// Upstream has finished, and the inner streams end one after the other.
    case ending
    /// The machine runs until the next value arrives.
    case saved
    /// The machine runs.
    case machine
  }

  private let keyed: KeyedNode<M>
  private let machine: UnsafeMutablePointer<M>
  @exclusivity(unchecked) private var mode = Mode.waiting
  /// The deficits of the operators by row; see `SegmentAside.deficits`.
  @exclusivity(unchecked) private var deficits: [Int: [Int64]] = [:]
  /// The rows whose streams still have to end after upstream; the last one is next.
  @exclusivity(unchecked) private var remaining: [Int] = []
  /// Created on first use.
  @exclusivity(unchecked) private var scratch: ScratchTail?

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

  /// Whether something observes the inner streams.
  private func isWatched(_ execution: Execution) -> Bool {
    execution.isWatched || execution.subscriptionWatcher != nil
  }

  private func beginRows() {
    // With a timer, values are forwarded one by one: each of them sets the timer of its group.
    (mode, isSegment) = (.rows, keyed.groups.idle == nil)
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
    guard mode == .rows || mode == .saved && port == 0 && loadRows(effects.execution) else {
      return try machine.pointee.forward(&value, on: port, effects)
    }
    guard let idle = keyed.groups.idle else { return try super.forward(&value, on: port, effects) }
    let row = run.currentRow
    run.enteredRow = -1
    do throws(StreamFailure) {
      let forwarding = try super.forward(&value, on: port, effects)
      setTimer(after: idle, unlessEntered: row, effects)
      return forwarding
    } catch {
      // Failures of the operator itself occur before it enters a row.
      if failing > 0 { setTimer(after: idle, unlessEntered: row, effects) }
      throw error
    }
  }

  /// Sets the timer of the last value's group.
  ///
  /// - Parameter row: The row of that group, if the program has not entered another row.
  private func setTimer(after idle: Interval, unlessEntered row: Int, _ effects: Effects) {
    effects.setTimer(KeyedGroups.port(of: run.enteredRow >= 0 ? run.enteredRow : row), at: effects.now + idle)
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard mode == .rows || mode == .ending else { return try machine.pointee.receive(completion, on: port, effects) }
    guard completion == .finished else { return effects.complete(completion) }
    guard port == 0 else {
      // A stream whose group has ended before it.
      let row = KeyedGroups.number(of: port)
      if mode == .rows, !run.hasKey(row: row) { run.giveBack(row: row) }
      return
    }
    (mode, isSegment) = (.ending, false)
    remaining = (0..<run.rowCount).filter { run.hasKey(row: $0) }
    // The numbers of reused rows do not tell their ages.
    if keyed.groups.idle != nil { remaining.sort { run.birth(ofRow: $0) < run.birth(ofRow: $1) } }
    remaining.reverse()
    endStreams(effects)
  }

  /// Ends the remaining inner streams, up to one that needs stages of its own.
  private func endStreams(_ effects: Effects) {
    while segment.isSummary, let row = remaining.popLast() {
      guard run.enterRow(row) else { continue }
      if let output = output(ofRow: row, effects.execution) {
        if let value = output { effects.publish(value) }
        run.closeRow()
        continue
      }
      endStream(ofRow: row, effects)
      run.closeRow()
      return effects.resume()
    }
    run.removeRows()
    effects.finish()
  }

  /// Returns the output at the end of the current row's stream: a value or nothing; nil if the stream needs stages.
  private func output(ofRow row: Int, _ execution: Execution) -> Value?? {
    guard segment.isSummary else { return .some(nil) }
    let tail = scratch ?? ScratchTail(keyed.tail, of: self, execution)
    scratch = tail
    return tail.output(of: segment.operators[last].result?(SegmentCells(stage: self)), for: run.key(ofRow: row))
  }

  /// Ends the current row's stream with stages of its own.
  private func endStream(ofRow row: Int, _ effects: Effects) {
    let port = KeyedGroups.port(of: row)
    startStream(on: port, for: run.key(ofRow: row), effects.execution)
    effects.endFeed(.finished, to: port)
  }

  override func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    guard mode == .rows else { return try machine.pointee.fire(timer, into: &value, effects) }
    let row = KeyedGroups.number(of: timer)
    // A damaged snapshot may have set timers with any numbers.
    guard KeyedGroups.port(of: row) == timer, run.hasKey(row: row) else { return .nothing }
    deficits[row] = nil
    guard run.enterRow(row) else {
      run.removeKey(ofRow: row)
      run.giveBack(row: row)
      return .nothing
    }
    guard let output = output(ofRow: row, effects.execution) else {
      endStream(ofRow: row, effects)
      run.removeKey(ofRow: row)
      return .nothing
    }
    run.removeKey(ofRow: row)
    run.giveBack(row: row)
    guard let output else { return .nothing }
    value = output
    return .value
  }

  override func resume(_ effects: Effects) throws(StreamFailure) {
    if mode == .ending { return endStreams(effects) }
    try machine.pointee.resume(effects)
  }

  // MARK: Rows

  /// The inner stream has ended, or one of its operators has refused the value.
  override func end(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    try throwRefusal()
    let (row, result) = (run.currentRow, outcome == .emittedLast ? output : nil)
    guard keyed.tail.isEmpty else {
      let stream = startStream(on: KeyedGroups.port(of: row), for: run.key(ofRow: row), effects.execution)
      run.closeRow()
      stream.end(with: result, Effects(effects.execution, stage: stream))
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

  /// Converts rows to stages.
  override func prepareToSave(_ execution: Execution) {
    if mode == .waiting { isSegment = false }
    guard mode == .rows || mode == .ending else { return }
    var streams: [KeyedGroups.Stream] = []
    for row in 0..<run.rowCount {
      let port = KeyedGroups.port(of: row)
      if run.enterRow(row) { startStream(on: port, for: run.key(ofRow: row), execution) }
      let group =
        run.hasKey(row: row) ? KeyedGroups.Group(key: run.key(ofRow: row), birth: run.birth(ofRow: row)) : nil
      streams.append(KeyedGroups.Stream(group: group, isRunning: upstream(on: port) != nil))
    }
    machine.pointee.state = keyed.groups.state(
      KeyedGroups(index: index, streams, free: run.freeRows, isEnding: mode == .ending))
    run.removeRows()
    deficits = [:]
    runMachine(.saved)
    execution.endWays()
  }

  /// Creates the stages of the current row.
  ///
  /// - Returns: The stage that receives the group's values.
  @discardableResult
  private func startStream(on port: Int, for key: Value, _ execution: Execution) -> SegmentStage {
    let variables = Frame(number: execution.frameCount, outer: frame, values: [key])
    execution.frameCount += 1
    func make(_ node: SegmentNode, _ downstream: SegmentStage) -> SegmentStage {
      let (port, frame) = downstream === self ? (port, variables) : (0, nil)
      let stage = node.makeStage(downstream: downstream, port: port, frame: variables, execution)
      downstream.setUpstream(stage, on: port, frame: frame)
      downstream.setUnlimited(true, on: port)
      stage.goOn()
      return stage
    }
    let stage = make(keyed.inner, keyed.tail.reduce(self) { make($1, $0) })
    copyStates(with: stage, isBack: false)
    let feed = keyed.feed.makeStage(downstream: stage, port: 0, frame: variables, execution)
    feed.expectEverything()
    stage.setUpstream(feed, on: 0)
    stage.setUnlimited(true, on: 0)
    variables.feeders = [feed]
    execution.stageCount += keyed.streamWeight
    return stage
  }

  /// Converts stages to rows. Returns false if that is not possible now, or at all: the machine runs from then on.
  private func loadRows(_ execution: Execution) -> Bool {
    guard !isWatched(execution), unheardCount == 0, !hasWork(execution) else { return false }
    guard isUnlimited(0), let groups = keyed.groups.groups(machine.pointee.state), let streams = streams(of: groups)
    else {
      runMachine(.machine)
      return false
    }
    for (stream, stage) in zip(groups.all, streams) {
      guard let group = stream.group else {
        run.addRow()
        continue
      }
      run.addRow(for: group.key, birth: group.birth)
      if let stage {
        copyStates(with: stage, isBack: true)
        execution.stageCount -= keyed.streamWeight
      } else {
        run.closeRow()
      }
    }
    for row in groups.free { run.giveBack(row: row) }
    index = groups.index
    removeInnerUpstreams()
    beginRows()
    execution.endWays()
    return true
  }

  /// Returns the first stage of each stream that is running; nil if a stage does anything but wait for values.
  private func streams(of groups: KeyedGroups) -> [SegmentStage?]? {
    var streams: [SegmentStage?] = []
    for (number, stream) in groups.all.enumerated() {
      let port = KeyedGroups.port(of: number)
      let stage = stream.group.flatMap { waitingStream(on: port, for: $0.key) }
      // A damaged snapshot may have stages on other ports.
      guard stream.isRunning ? stage != nil : upstream(on: port) == nil else { return nil }
      streams.append(stage)
    }
    return streams
  }

  /// Returns the first stage of a key's stream if all its stages only wait for values.
  private func waitingStream(on port: Int, for key: Value) -> SegmentStage? {
    guard isUnlimited(port), var stage = upstream(on: port) as? SegmentStage,
      let variables = innerFrame(on: port), variables.values == [key], variables.feeders.count == 1,
      variables.feedEnd == nil, variables.hubs.isEmpty
    else { return nil }
    for node in keyed.tail {
      guard stage.waits(as: node), stage.isNew, let next = stage.upstream(on: 0) as? SegmentStage else { return nil }
      stage = next
    }
    guard stage.waits(as: keyed.inner), let feed = stage.upstream(on: 0) as? FeedStage, feed.isWaiting, feed.isFree,
      variables.feeders[0] === feed
    else { return nil }
    return stage
  }

  /// Whether work for this stage or its inner streams is pending.
  private func hasWork(_ execution: Execution) -> Bool {
    var found = false
    execution.stack.forEach { work in
      var stage: Stage? = work.stage
      // From the feed of a stream through its operators.
      for _ in 0..<keyed.tail.count + 3 where stage?.isEnded == false {
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

  /// Copies the states of the inner operators from the current row to a stage, or back.
  private func copyStates(with stage: SegmentStage, isBack: Bool) {
    let (row, cells) = (SegmentCells(stage: self), SegmentCells(stage: stage))
    for (own, other) in zip(segment.operators.dropFirst(), stage.segment.operators) {
      if isBack { other.copyState(cells, to: own, row) } else { own.copyState(row, to: other, cells) }
    }
  }
}

extension SegmentStage {
  /// Marks the stage as started, with all values requested.
  fileprivate func goOn() {
    firstAlive = 0
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  /// Whether the stage belongs to this node and only waits for values, with all of them requested.
  fileprivate func waits(as node: SegmentNode) -> Bool {
    self.node === node && firstAlive == 0 && isUnlimited(0) && isFree
  }

  /// Whether no value has arrived.
  fileprivate var isNew: Bool {
    run.isAsMade(apartFrom: segment.captures.map(\.cell))
  }
}

extension Stage {
  /// Whether nothing refers to the stage but the stages around it: no pending signal, timer or call.
  fileprivate var isFree: Bool {
    unheardCount == 0 && deferredDemand == .none && timers.isEmpty && callIDs.isEmpty
  }
}
