internal import StreamCore

/// One machine within one execution, wired to its neighbors.
class Stage {
  let node: PipelineNode
  /// The stage that receives the signals of this stage; nil for the last stage, whose signals the host receives.
  /// NB: Unretained, so that a pipeline of any length is released without recursion. A stage outlives the running
  /// stages that feed it: only the reference of an ended stage may dangle, and its signals are discarded.
  let downstreamReference: Unmanaged<Stage>?
  /// The frame that the stage belongs to.
  /// NB: Unretained: the starter of the stage retains the frame while the stage runs.
  unowned(unsafe) let frame: Frame
  let frameNumber: Int

  /// The stage that feeds port 0.
  /// NB: Exclusivity is unchecked here and below: an execution is accessed from one place at a time.
  @exclusivity(unchecked) private final var firstUpstream: Stage?
  /// Rarely used fields; nil until one is set.
  @exclusivity(unchecked) private(set) final var coldState: StageColdState?
  private let place: Int32
  /// Number of signals from this stage that are not yet delivered.
  @exclusivity(unchecked) final var unheardCount: Int32 = 0
  /// Whether it runs as a segment. Stored, since it is read for each value.
  @exclusivity(unchecked) final var isSegment = false
  /// Whether it is a probe, which a snapshot leaves out.
  @exclusivity(unchecked) final var isProbe = false
  @exclusivity(unchecked) final var isEnded = false
  /// Whether watchers do not see what it publishes.
  final var isHidden: Bool { isProbe || node.isInternal }
  /// Whether its timers fire after the ordered results of their instant: it is behind a `ResultOrder`.
  final let followsResults: Bool
  /// Whether all values of port 0 have been requested.
  @exclusivity(unchecked) private final var isFirstUnlimited = false

  /// The stage that feeds a port.
  struct Upstream {
    var stage: Stage?
    var isUnlimited = false
    /// The frame created for the stream that feeds this port; nil if the stream was not started for a value.
    var frame: Frame?
  }

  init(node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.node = node
    downstreamReference = downstream.map(Unmanaged.passUnretained)
    place = Int32(truncatingIfNeeded: port)
    self.frame = frame
    frameNumber = frame.number
    followsResults =
      if let downstream {
        downstream.followsResults && !downstream.node.ordersResults
      } else {
        node.followsResults
      }
  }

  /// The stage that receives the signals of this stage; nil for the last stage, whose signals the host receives.
  @inline(__always)
  final var downstream: Stage? { downstreamReference?.takeUnretainedValue() }

  /// The port of `downstream` that this stage feeds.
  @inline(__always)
  final var port: Int { Int(place) }

  /// Demand that arrived while signals of this stage were undelivered. The stage receives it after their delivery, so
  /// that values keep their order.
  final var deferredDemand: Demand {
    get { coldState?.deferredDemand ?? .none }
    set { if coldState != nil || newValue > .none { ensureColdState().deferredDemand = newValue } }
  }

  @inline(__always)
  final func isUnlimited(_ port: Int) -> Bool {
    if port == 0 { return isFirstUnlimited }
    guard let coldState, coldState.has(port) else { return false }
    return coldState.others[port - 1].isUnlimited
  }

  final func upstream(on port: Int) -> Stage? {
    if port == 0 { return firstUpstream }
    guard let coldState, coldState.has(port) else { return nil }
    return coldState.others[port - 1].stage
  }

  /// Returns the frame of the stream on a port that was started for a value; nil if there is none.
  final func innerFrame(on port: Int) -> Frame? {
    guard let coldState else { return nil }
    if port == 0 { return coldState.firstFrame }
    return coldState.has(port) ? coldState.others[port - 1].frame : nil
  }

  final func setUpstream(_ stage: Stage?, on port: Int, frame: Frame? = nil) {
    guard port > 0 else {
      firstUpstream = stage
      isFirstUnlimited = false
      if frame != nil || coldState != nil { ensureColdState().firstFrame = frame }
      return
    }
    let coldState = ensureColdState()
    while coldState.others.count < port { coldState.others.append(Upstream()) }
    coldState.others[port - 1] = Upstream(stage: stage, frame: frame)
  }

  /// Sets whether all values of the upstream on a port have been requested. The upstream must exist.
  final func setUnlimited(_ isUnlimited: Bool, on port: Int) {
    if port == 0 {
      isFirstUnlimited = isUnlimited
    } else {
      ensureColdState().others[port - 1].isUnlimited = isUnlimited
    }
  }

  /// The upstreams, in the order of their ports.
  final var upstreams: [Upstream] {
    guard firstUpstream != nil || coldState != nil else { return [] }
    return [Upstream(stage: firstUpstream, isUnlimited: isFirstUnlimited, frame: coldState?.firstFrame)]
      + (coldState?.others ?? [])
  }

  final func removeUpstreams() {
    firstUpstream = nil
    isFirstUnlimited = false
    guard let coldState else { return }
    coldState.firstFrame = nil
    coldState.others = []
  }

  /// Removes the upstreams of all ports except the first.
  final func removeInnerUpstreams() { coldState?.others = [] }

  /// The indices of its timers among those of the execution, by timer number; -1 for none.
  final var timers: [Int32] {
    get { coldState?.timers ?? [] }
    _modify { yield &ensureColdState().timers }
  }

  /// The calls of host functions whose results it waits for.
  final var callIDs: [Int64] {
    get { coldState?.callIDs ?? [] }
    _modify { yield &ensureColdState().callIDs }
  }

  /// The rarely used fields, created on first use.
  final func ensureColdState() -> StageColdState {
    if let coldState { return coldState }
    let made = makeColdState()
    coldState = made
    return made
  }

  func makeColdState() -> StageColdState { StageColdState() }

  func start(_ effects: Effects) throws(StreamFailure) {}
  func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {}
  /// Receives a value; a value that is forwarded directly replaces `value`. See `Machine.forward`.
  func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try receive(value, on: port, effects)
    return .nothing
  }
  /// Whether it only passes on the values of a port, until any other signal.
  func passesValues(on port: Int) -> Bool { false }
  func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {}
  func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {}
  func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {}
  func resume(_ effects: Effects) throws(StreamFailure) {}

  /// Returns the values that it publishes next; nil if they are unknown. See `BatchSource`.
  func upcoming(_ fields: () -> [String]?) -> UpcomingValues? { nil }
  /// Advances past `count` of the upcoming values.
  func advance(by count: Int, _ effects: Effects) {}

  /// The handling of a value that makes it fail.
  var failurePolicy: ErrorPolicy { node.errorPolicy }
  /// Whether a value that makes it fail is skipped.
  func skipsFailures(_ execution: Execution) -> Bool { execution.skipsErrors || failurePolicy == .skip }
  /// Prepares for the failure of the stream, which a value has caused.
  func prepareToFail(_ effects: Effects) {}
  /// Continues without a value or a stream: see `Machine.skip`.
  func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    switch skipped {
    case .value: effects.request(Demand(1), from: port)
    case .stream: try receive(.finished, on: port, effects)
    }
  }

  /// Reports the subscription to the watcher.
  func reportStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }
  /// Reports the end to the watcher, and updates the number of stages.
  func reportEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  /// The subscriber whose request it forwards, of a stage that has several and therefore no `downstream`.
  var connector: Stage? { nil }

  /// Leaves what it shares with other stages: an input or a shared stream. Returns the stage that is released with it;
  /// nil if there is none.
  func leave(_ execution: Execution) -> Stage? { nil }

  /// Returns the operator that has set a timer.
  func node(ofTimer timer: Int) -> PipelineNode { node }

  /// Returns the hook events that a cancellation causes.
  func cancellationNotes() -> [HookEvent] { [] }

  /// Number of operators and sources whose state is in rows of its program.
  var rowStreamCount: Int { 0 }
  /// Prepares for a snapshot.
  func prepareToSave(_ execution: Execution) {}
  /// Returns the running state as a value, for a snapshot.
  func saveState() throws -> Value { .null }
  /// Measures the running state.
  func measureState(_ size: inout SizeSample) { if let state = try? saveState() { size.add(state) } }
  /// Adds the operators whose state it has.
  func addHoldings(to sample: HoldingSample, _ execution: Execution) {
    sample.add(node, timers: timerCount(execution)) { measureState(&$0) }
  }
  /// Returns a decoded state, or a part of one.
  static func decode<State: Decodable>(_ value: Value) throws(Diagnostics) -> State {
    try Diagnostics.listing { () throws(Diagnostic) in try ValueDecoder().decode(State.self, from: value) }
  }
  /// Restores a saved state, if it is valid for this stage.
  func restoreState(_ value: Value) throws(Diagnostics) {}
  /// Whether an upstream of its node may feed a port: see `Machine.canBeFed`.
  func canBeFed(by upstream: Int, on port: Int) -> Bool { false }
  /// The demand that is not yet answered; nil if the stage does not count it.
  var unansweredDemand: Demand? { nil }
  /// Whether the stage waits for demand alone before it ends, if it has no upstream, timer or call.
  var endsWithDemand: Bool { unansweredDemand == Demand.none }
}

/// Rarely used fields of a stage, stored out of line to keep the other stages small.
class StageColdState {
  /// The upstreams of all ports except the first.
  @exclusivity(unchecked) final var others: [Stage.Upstream] = []
  /// The frame created for the upstream of the first port.
  @exclusivity(unchecked) final var firstFrame: Frame?
  @exclusivity(unchecked) final var timers: [Int32] = []
  @exclusivity(unchecked) final var callIDs: [Int64] = []
  @exclusivity(unchecked) final var deferredDemand = Demand.none

  /// Whether there is an entry for a port other than the first. A machine may pass any number.
  @inline(__always)
  final func has(_ port: Int) -> Bool { UInt(bitPattern: port &- 1) < UInt(bitPattern: others.count) }
}

/// A stage that runs a machine of a known type.
class MachineStage<M: Machine>: Stage {
  /// Behind a pointer: a call of a machine in a `var` of a class costs an exclusivity check (PERFORMANCE.md).
  final let machine: UnsafeMutablePointer<M>

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

  override func passesValues(on port: Int) -> Bool { machine.pointee.passesValues(on: port) }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.receive(completion, on: port, effects)
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.request(demand, effects)
  }

  override func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.fire(timer, effects)
  }

  override func resume(_ effects: Effects) throws(StreamFailure) {
    try machine.pointee.resume(effects)
  }

  override func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.skip(skipped, on: port, effects)
  }

  override func cancellationNotes() -> [HookEvent] { machine.pointee.cancellationNotes(at: node.pointer) }

  override func saveState() throws -> Value {
    try ValueEncoder().encode(machine.pointee.state)
  }

  override func measureState(_ size: inout SizeSample) { size.add(state: machine.pointee.state) }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: machine.pointee.state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    machine.pointee.state = try machine.pointee.decode(value, of: node)
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool {
    machine.pointee.canBeFed(by: upstream, on: port)
  }
}

/// A stage that runs a source.
final class SourceStage<M: BatchSource>: MachineStage<M> {
  override func upcoming(_ fields: () -> [String]?) -> UpcomingValues? { machine.pointee.upcoming(fields) }

  override func advance(by count: Int, _ effects: Effects) { machine.pointee.advance(by: count, effects) }
}
