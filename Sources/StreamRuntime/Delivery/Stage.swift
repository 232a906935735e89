internal import StreamCore

/// One machine within one execution, wired to its neighbours.
class Stage {
  let node: PipelineNode
  /// Who hears what this stage says; nil for the last stage, which the host hears.
  /// NB: not counted, so that a pipeline of any length is released without recursion. A stage lives as long as those that
  /// feed it run: only of a stage that has ended may it be gone, and such a stage is never heard again.
  unowned(unsafe) let downstream: Stage?
  /// The port of `downstream` that this stage feeds.
  let port: Int

  /// What it was started for.
  /// NB: not counted: whoever started the stage keeps the frame while the stage runs.
  unowned(unsafe) let frame: Frame
  let frameNumber: Int

  /// Whether it is a segment: asked for each value.
  @exclusivity(unchecked) final var isSegment = false
  /// NB: unchecked exclusivity here and below: an execution is used from one place at a time.
  @exclusivity(unchecked) final var isEnded = false
  @exclusivity(unchecked) final var upstreams: [Upstream] = []
  @exclusivity(unchecked) final var timers: [TimerSlot] = []
  /// The calls of host functions whose answers it waits for.
  @exclusivity(unchecked) final var callIDs: [Int64] = []

  /// How much of what this stage has said is still to be heard.
  @exclusivity(unchecked) final var unheardCount = 0
  /// What was asked for meanwhile: it is answered after that, so that values keep their order.
  @exclusivity(unchecked) final var deferredDemand = Demand.none

  /// What feeds a port.
  struct Upstream {
    var stage: Stage?
    var isUnlimited = false
    /// The frame that was made for what feeds this port, where it was started for a value.
    var frame: Frame?
  }

  init(node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.node = node
    self.downstream = downstream
    self.port = port
    self.frame = frame
    frameNumber = frame.number
  }

  final func isUnlimited(_ port: Int) -> Bool {
    port < upstreams.count && upstreams[port].isUnlimited
  }

  final func upstream(on port: Int) -> Stage? {
    port < upstreams.count ? upstreams[port].stage : nil
  }

  /// The frame of the stream that was started for a value on a port.
  final func innerFrame(on port: Int) -> Frame? {
    port < upstreams.count ? upstreams[port].frame : nil
  }

  final func setUpstream(_ stage: Stage?, on port: Int, frame: Frame? = nil) {
    while upstreams.count <= port { upstreams.append(Upstream()) }
    upstreams[port] = Upstream(stage: stage, frame: frame)
  }

  func start(_ answers: Answers) throws(StreamFailure) {}
  func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {}
  func receive(_ completion: Completion, on port: Int, _ answers: Answers) throws(StreamFailure) {}
  func request(_ demand: Demand, _ answers: Answers) throws(StreamFailure) {}
  func fire(_ timer: Int, _ answers: Answers) throws(StreamFailure) {}
  func resume(_ answers: Answers) throws(StreamFailure) {}

  /// What it publishes next, where that is known.
  var upcoming: UpcomingValues? { nil }
  /// Goes on behind so many of those.
  func skip(_ count: Int, _ answers: Answers) {}

  /// What becomes of a value that made it fail.
  var failurePolicy: ErrorPolicy { node.errorPolicy }
  /// A value made it fail, and its stream fails with it.
  func prepareToFail(_ answers: Answers) {}
  /// A value made it fail, and is gone: another one is asked for in its place.
  func skip(from port: Int, _ answers: Answers) { answers.request(Demand(1), from: port) }

  /// It has been subscribed to.
  func tellStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }
  /// It has ended.
  func tellEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  /// What it has to tell about its being cancelled.
  func cancellationNotes() -> [Note] { [] }

  /// The running state as a value, for a snapshot.
  func saveState() throws -> Value { .null }
  /// Takes up a saved state.
  func restoreState(_ value: Value) throws(Diagnostics) {}
}

/// A stage that runs a machine of a known type.
final class MachineStage<M: Machine>: Stage {
  /// Behind a pointer: calling a machine in a `var` of a class costs a check of exclusivity a call (PERFORMANCE.md).
  private let machine: UnsafeMutablePointer<M>

  init(_ machine: M, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.machine = .allocate(capacity: 1)
    self.machine.initialize(to: machine)
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  deinit {
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  override func start(_ answers: Answers) throws(StreamFailure) {
    try machine.pointee.start(answers)
  }

  override func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    try machine.pointee.receive(value, on: port, answers)
  }

  override func receive(_ completion: Completion, on port: Int, _ answers: Answers) throws(StreamFailure) {
    try machine.pointee.receive(completion, on: port, answers)
  }

  override func request(_ demand: Demand, _ answers: Answers) throws(StreamFailure) {
    try machine.pointee.request(demand, answers)
  }

  override func fire(_ timer: Int, _ answers: Answers) throws(StreamFailure) {
    try machine.pointee.fire(timer, answers)
  }

  override func resume(_ answers: Answers) throws(StreamFailure) {
    try machine.pointee.resume(answers)
  }

  override var upcoming: UpcomingValues? { machine.pointee.upcoming }

  override func skip(_ count: Int, _ answers: Answers) { machine.pointee.skip(count, answers) }

  override func cancellationNotes() -> [Note] { machine.pointee.cancellationNotes(at: node.pointer) }

  override func saveState() throws -> Value {
    try ValueEncoder().encode(machine.pointee.state)
  }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    do {
      machine.pointee.state = try ValueDecoder().decode(M.State.self, from: value)
    } catch {
      throw Diagnostics([error])
    }
  }
}
