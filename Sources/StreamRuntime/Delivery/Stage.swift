internal import StreamCore

/// One machine within one execution, wired to its neighbors.
class Stage {
  let node: PipelineNode
  /// Who hears what this stage says; nil for the last stage, which the host hears.
  /// NB: not counted, so that a pipeline of any length is released without recursion. A stage lives as long as those that
  /// feed it run: only of a stage that has ended may it be gone, and such a stage is never heard again.
  let downstreamReference: Unmanaged<Stage>?
  /// What it was started for.
  /// NB: not counted: whoever started the stage keeps the frame while the stage runs.
  unowned(unsafe) let frame: Frame
  let frameNumber: Int

  /// What feeds port 0.
  /// NB: unchecked exclusivity here and below: an execution is used from one place at a time.
  @exclusivity(unchecked) private final var firstUpstream: Stage?
  /// What few stages need.
  @exclusivity(unchecked) private(set) final var aside: StageAside?
  private let place: Int32
  /// How much of what this stage has said is still to be heard.
  @exclusivity(unchecked) final var unheardCount: Int32 = 0
  /// Whether it is a segment: asked for each value.
  @exclusivity(unchecked) final var isSegment = false
  @exclusivity(unchecked) final var isEnded = false
  /// Whether port 0 has been asked for everything.
  @exclusivity(unchecked) private final var isFirstUnlimited = false

  /// What feeds a port.
  struct Upstream {
    var stage: Stage?
    var isUnlimited = false
    /// The frame that was made for what feeds this port, where it was started for a value.
    var frame: Frame?
  }

  init(node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.node = node
    downstreamReference = downstream.map(Unmanaged.passUnretained)
    place = Int32(truncatingIfNeeded: port)
    self.frame = frame
    frameNumber = frame.number
  }

  /// Who hears what this stage says; nil for the last stage, which the host hears.
  @inline(__always)
  final var downstream: Stage? { downstreamReference?.takeUnretainedValue() }

  /// The port of `downstream` that this stage feeds.
  @inline(__always)
  final var port: Int { Int(place) }

  /// What was asked for while something that this stage has said was still to be heard: it is answered after that, so
  /// that values keep their order.
  final var deferredDemand: Demand {
    get { aside?.deferredDemand ?? .none }
    set { if aside != nil || newValue > .none { coldState.deferredDemand = newValue } }
  }

  @inline(__always)
  final func isUnlimited(_ port: Int) -> Bool {
    if port == 0 { return isFirstUnlimited }
    guard let aside, aside.has(port) else { return false }
    return aside.others[port - 1].isUnlimited
  }

  final func upstream(on port: Int) -> Stage? {
    if port == 0 { return firstUpstream }
    guard let aside, aside.has(port) else { return nil }
    return aside.others[port - 1].stage
  }

  /// The frame of the stream that was started for a value on a port.
  final func innerFrame(on port: Int) -> Frame? {
    guard let aside else { return nil }
    if port == 0 { return aside.firstFrame }
    return aside.has(port) ? aside.others[port - 1].frame : nil
  }

  final func setUpstream(_ stage: Stage?, on port: Int, frame: Frame? = nil) {
    guard port > 0 else {
      firstUpstream = stage
      isFirstUnlimited = false
      if frame != nil || aside != nil { coldState.firstFrame = frame }
      return
    }
    let aside = coldState
    while aside.others.count < port { aside.others.append(Upstream()) }
    aside.others[port - 1] = Upstream(stage: stage, frame: frame)
  }

  /// Another stage, or none for the time being, feeds port 0 as what did before.
  final func replaceUpstream(by stage: Stage?) { firstUpstream = stage }

  /// Whether the upstream on a port, which there is, has been asked for everything.
  final func setUnlimited(_ isUnlimited: Bool, on port: Int) {
    if port == 0 { isFirstUnlimited = isUnlimited } else { coldState.others[port - 1].isUnlimited = isUnlimited }
  }

  /// What feeds the ports, in their order.
  final var upstreams: [Upstream] {
    guard firstUpstream != nil || aside != nil else { return [] }
    return [Upstream(stage: firstUpstream, isUnlimited: isFirstUnlimited, frame: aside?.firstFrame)]
      + (aside?.others ?? [])
  }

  final func removeUpstreams() {
    firstUpstream = nil
    isFirstUnlimited = false
    guard let aside else { return }
    aside.firstFrame = nil
    aside.others = []
  }

  /// Nothing feeds the ports but the first any more.
  final func removeInnerUpstreams() { aside?.others = [] }

  /// The places of its timers among those of the execution, by their numbers; -1 where there is none.
  final var timers: [Int32] {
    get { aside?.timers ?? [] }
    _modify { yield &coldState.timers }
  }

  /// The calls of host functions whose answers it waits for.
  final var callIDs: [Int64] {
    get { aside?.callIDs ?? [] }
    _modify { yield &coldState.callIDs }
  }

  /// Made for the first need.
  final var coldState: StageAside {
    if let aside { return aside }
    let made = makeAside()
    aside = made
    return made
  }

  func makeAside() -> StageAside { StageAside() }

  func start(_ effects: Effects) throws(StreamFailure) {}
  func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {}
  /// The same; what it hands on at once stands in place of the value that came.
  func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try receive(value, on: port, effects)
    return .nothing
  }
  /// What becomes of values on a port until it is told anything else: see `Machine.passage`.
  func passage(on port: Int) -> Bypass? { nil }
  func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {}
  func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {}
  func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding { .nothing }
  func resume(_ effects: Effects) throws(StreamFailure) {}

  /// What it publishes next, where that is known.
  var upcoming: UpcomingValues? { nil }
  /// The same as rows of these fields, where they can be had.
  func upcomingRows(of fields: () -> [String]?) -> LineRows? { nil }
  /// Goes on behind so many of those.
  func skip(_ count: Int, _ effects: Effects) {}

  /// What becomes of a value that made it fail.
  var failurePolicy: ErrorPolicy { node.errorPolicy }
  /// Whether a value that makes it fail is skipped.
  func skipsFailures(_ execution: Execution) -> Bool { execution.skipsErrors || failurePolicy == .skip }
  /// A value made it fail, and its stream fails with it.
  func prepareToFail(_ effects: Effects) {}
  /// A value made it fail, and is gone: another one is asked for in its place.
  func skip(from port: Int, _ effects: Effects) { effects.request(Demand(1), from: port) }

  /// It has been subscribed to.
  func tellStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }
  /// It has ended.
  func tellEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  /// The operator that has set a timer.
  func node(ofTimer timer: Int) -> PipelineNode { node }

  /// The hook events that a cancellation causes.
  func cancellationNotes() -> [HookEvent] { [] }

  /// A snapshot is about to be taken.
  func prepareToSave(_ execution: Execution) {}
  /// The running state as a value, for a snapshot.
  func saveState() throws -> Value { .null }
  /// A saved state, or a part of it.
  static func decode<State: Decodable>(_ value: Value) throws(Diagnostics) -> State {
    try Diagnostics.listing { () throws(Diagnostic) in try ValueDecoder().decode(State.self, from: value) }
  }
  /// Takes up a saved state, if it is one of this stage.
  func restoreState(_ value: Value) throws(Diagnostics) {}
  /// Whether an upstream of its node may feed a port: see `Machine.canBeFed`.
  func canBeFed(by upstream: Int, on port: Int) -> Bool { false }
  /// What it has been asked for and has not published, where it counts that.
  var unansweredDemand: Demand? { nil }
}

/// What few stages need, beside the stage so that the others are light.
class StageAside {
  /// What feeds the ports but the first.
  @exclusivity(unchecked) final var others: [Stage.Upstream] = []
  /// The frame that was made for what feeds the first.
  @exclusivity(unchecked) final var firstFrame: Frame?
  @exclusivity(unchecked) final var timers: [Int32] = []
  @exclusivity(unchecked) final var callIDs: [Int64] = []
  @exclusivity(unchecked) final var deferredDemand = Demand.none

  /// Whether a port, which is not the first, has been fed. A machine may name any number.
  @inline(__always)
  final func has(_ port: Int) -> Bool { UInt(bitPattern: port &- 1) < UInt(bitPattern: others.count) }
}

/// A stage that runs a machine of a known type.
final class MachineStage<M: Machine>: Stage {
  /// Behind a pointer: calling a machine in a `var` of a class costs a check of exclusivity a call (PERFORMANCE.md).
  let machine: UnsafeMutablePointer<M>

  init(_ machine: M, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.machine = .allocate(capacity: 1)
    self.machine.initialize(to: machine)
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  deinit {
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  override func start(_ effects: Effects) throws(StreamFailure) {
    try machine.pointee.start(effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.receive(value, on: port, effects)
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try machine.pointee.forward(&value, on: port, effects)
  }

  override func passage(on port: Int) -> Bypass? { machine.pointee.passage(on: port) }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.receive(completion, on: port, effects)
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.request(demand, effects)
  }

  override func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try machine.pointee.fire(timer, into: &value, effects)
  }

  override func resume(_ effects: Effects) throws(StreamFailure) {
    try machine.pointee.resume(effects)
  }

  override var upcoming: UpcomingValues? { machine.pointee.upcoming }

  override func upcomingRows(of fields: () -> [String]?) -> LineRows? { machine.pointee.upcomingRows(of: fields) }

  override func skip(_ count: Int, _ effects: Effects) { machine.pointee.skip(count, effects) }

  override func cancellationNotes() -> [HookEvent] { machine.pointee.cancellationNotes(at: node.pointer) }

  override func saveState() throws -> Value {
    try ValueEncoder().encode(machine.pointee.state)
  }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: machine.pointee.state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    machine.pointee.state = try machine.pointee.decode(value, of: node)
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool {
    machine.pointee.canBeFed(by: upstream, on: port)
  }
}
