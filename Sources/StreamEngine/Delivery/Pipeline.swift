public import CEL
public import StreamCore

/// The handling of a value that makes an operator fail.
///
/// ```swift
/// var division = PlacedOperator.map("10 / value")
/// division.onError = .skip
/// ```
public enum ErrorPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// The stream fails.
  case fail
  /// The value is reported and skipped.
  case skip
}

/// An operator or source of a compiled pipeline, with its upstreams. Immutable, shared by all executions.
///
/// `@unchecked`: immutable once it is shared; subclasses add only immutable or locked state.
package class PipelineNode: @unchecked Sendable {
  /// The name of the operator or source, for messages and for checking that a snapshot belongs to the pipeline.
  package let name: String
  /// Location in the stream file.
  package let pointer: JSONPointer
  /// The upstream nodes, by port.
  @exclusivity(unchecked) package private(set) final var upstreams: [PipelineNode]
  /// The handling of a value that makes this operator fail.
  package let errorPolicy: ErrorPolicy
  /// Total number of subscriptions that one subscription to this node can start, including itself.
  package let subscriptionCount: Int
  /// Number of enclosing operators that start streams for their values, and so of frames its expressions can access.
  package let frameDepth: Int
  /// Whether it is a source, whose expressions have no `onError` of their own.
  private(set) final var isSource = false
  /// Whether it puts the results of a partition in order.
  private(set) final var ordersResults = false
  /// Whether it receives such results, and is the last operator of its stream: the stages that feed its stage follow it.
  private(set) final var followsResults = false
  /// Whether it publishes other values than the operator in the file for which it stands: watchers do not see them.
  private(set) final var isInternal = false
  /// The values of parameters that determine the meaning of its state; nil without such a parameter.
  package private(set) final var meaning: String?

  /// - Parameter weight: Number of operators and sources that the node represents.
  init(
    name: String, pointer: JSONPointer, upstreams: [PipelineNode], errorPolicy: ErrorPolicy, frameDepth: Int,
    weight: Int = 1
  ) {
    self.frameDepth = frameDepth
    self.name = name
    self.pointer = pointer
    self.upstreams = upstreams
    self.errorPolicy = errorPolicy
    subscriptionCount = upstreams.reduce(weight) { sum, node in
      let (total, overflow) = sum.addingReportingOverflow(node.subscriptionCount)
      return overflow ? .max : total
    }
  }

  // Releases the nodes upstream in a loop instead of recursively: a pipeline may be a million operators long.
  deinit {
    var doomed: [PipelineNode] = []
    surrender(to: &doomed)
    while var node = doomed.popLast() {
      if isKnownUniquelyReferenced(&node) { node.surrender(to: &doomed) }
    }
  }

  /// Moves the nodes that it references to `doomed`, right before it is released.
  func surrender(to doomed: inout [PipelineNode]) {
    doomed += upstreams
    upstreams = []
  }

  /// Creates a stage that runs the node.
  func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    Stage(node: self, downstream: downstream, port: port, frame: frame)
  }

  /// Number of operators and sources that the node represents.
  var weight: Int { 1 }
  /// Notes the values of parameters that determine the meaning of the state, while the pipeline is compiled.
  package func note(meaning: String?) { self.meaning = meaning }
  /// Notes that the operators of the stream that ends here receive the ordered results of a partition, while the
  /// pipeline is compiled.
  package final func noteFollowsResults() { followsResults = true }
  /// Notes that watchers do not see its values, while the pipeline is compiled.
  package final func noteInternal() { isInternal = true }
  /// Whether it is an input, which the host feeds.
  package var isInput: Bool { false }
  /// The unfused node, or the node itself.
  var plain: PipelineNode { self }
  /// The computation of the only value that a source publishes; nil if it does not become part of a program.
  var onlyValue: Steps? { nil }
  /// The node compiled into one program with its inner operators; itself if that is not possible.
  ///
  /// - Parameter type: The type of the received values.
  package func withInnerStreams(over type: CELType) -> PipelineNode { self }
  /// The operator as part of an inner stream; nil unless it waits for a timer and becomes part of a program.
  var timedOperator: TimedOperator? { nil }
  /// Whether its behavior depends on the clock, apart from its upstreams.
  var readsTime: Bool { false }
  /// Whether its timers are set for instants of the calendar.
  var followsCalendar: Bool { false }
  /// Whether it keeps state in its frame.
  var usesFrame: Bool { false }
  /// Whether the state of its inner operators may be in rows of a program.
  var keepsRows: Bool { false }

  /// Creates an operator or source that runs a machine. Every subscription starts with a copy of the machine.
  package static func machine(
    _ machine: some Machine, name: String, pointer: JSONPointer, upstreams: [PipelineNode] = [],
    errorPolicy: ErrorPolicy = .fail, frameDepth: Int = 0, isSource: Bool = false
  ) -> PipelineNode {
    func make(_ source: some BatchSource) -> PipelineNode {
      SourceNode(
        source, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
    }
    func make(lowering machine: some LoweredMachine) -> PipelineNode {
      LoweredNode(
        machine, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
    }
    let node =
      if let source = machine as? any BatchSource {
        make(source)
      } else if let lowered = machine as? any LoweredMachine {
        make(lowering: lowered)
      } else {
        MachineNode(
          machine, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
      }
    node.isSource = isSource
    return node
  }

  /// Creates the operator that puts the results of a partition in order.
  ///
  /// - Parameters:
  ///   - upstream: The stream of results, each as a list of its key and itself.
  ///   - pointer: The location of the partition.
  package static func ordered(_ upstream: PipelineNode, pointer: JSONPointer) -> PipelineNode {
    let node = machine(ResultOrder(), name: "partition", pointer: pointer, upstreams: [upstream])
    node.ordersResults = true
    return node
  }

  /// Creates an operator that is steps of a program. It becomes part of the program of the operator before it, if
  /// there is one.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - type: The type of the received values.
  ///   - name: The name of the operator, for messages.
  ///   - pointer: The operator's place in its file.
  ///   - upstream: The node that publishes these values.
  ///   - errorPolicy: The handling of a value that makes the operator fail.
  ///   - frameDepth: The number of inner streams around the operator.
  ///   - fuses: Whether it becomes part of an optimized program. Otherwise, and if it calls functions of the host, it
  ///     is a program of its own that runs each expression as its plan.
  package static func steps(
    _ steps: Steps, over type: CELType, name: String, pointer: JSONPointer, upstream: PipelineNode,
    errorPolicy: ErrorPolicy = .fail, frameDepth: Int = 0, fuses: Bool = true
  ) -> PipelineNode {
    let node = PipelineNode(
      name: name, pointer: pointer, upstreams: [], errorPolicy: errorPolicy, frameDepth: frameDepth)
    let fuses = fuses && !steps.callsHost
    if fuses, let before = upstream as? SegmentNode, before.takes(steps.size), before.frameDepth == frameDepth {
      return SegmentNode(node, steps, behind: before)
    }
    return SegmentNode(node, steps, over: type, upstreams: [upstream], isBaseline: !fuses)
  }

  /// Creates the source that represents an input of the host.
  package static func input(_ number: Int, pointer: JSONPointer) -> PipelineNode {
    InputNode(number, pointer: pointer)
  }

  /// Creates a stream shared by all its subscribers: one subscription to `upstream` in each frame.
  ///
  /// - Parameters:
  ///   - upstreams: The stream, then the streams that reset it.
  ///   - sharing: When it subscribes, replays and resets.
  ///   - number: Its index in `Pipeline.shared`.
  ///   - pointer: Its location in the stream file.
  ///   - frameDepth: Number of enclosing operators that start streams for their values.
  package static func shared(
    _ upstreams: [PipelineNode], _ sharing: Sharing, number: Int, pointer: JSONPointer, frameDepth: Int
  ) -> PipelineNode {
    SharedNode(upstreams, sharing, number: number, pointer: pointer, frameDepth: frameDepth)
  }

  /// Creates the source of an inner stream that the enclosing operator feeds (`Effects.feed`).
  ///
  /// - Parameters:
  ///   - pointer: The location of the inner stream in the stream file.
  ///   - limit: Maximum number of values waiting for demand; one more is a failure.
  ///   - frameDepth: Number of enclosing operators that start streams for their values.
  package static func feed(pointer: JSONPointer, limit: Int, frameDepth: Int) -> PipelineNode {
    FeedNode(pointer: pointer, limit: limit, frameDepth: frameDepth)
  }
}

private class MachineNode<M: Machine>: PipelineNode, @unchecked Sendable {
  final let prototype: M

  init(
    _ prototype: M, name: String, pointer: JSONPointer, upstreams: [PipelineNode], errorPolicy: ErrorPolicy,
    frameDepth: Int
  ) {
    self.prototype = prototype
    super.init(
      name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
  }

  override var readsTime: Bool { true }
  override var followsCalendar: Bool { (prototype as? any CalendarMachine)?.followsCalendar ?? false }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    MachineStage(prototype, node: self, downstream: downstream, port: port, frame: frame)
  }
}

private class LoweredNode<M: LoweredMachine>: MachineNode<M>, @unchecked Sendable {
  private let join: JoinLowering<M.State>?

  override init(
    _ prototype: M, name: String, pointer: JSONPointer, upstreams: [PipelineNode], errorPolicy: ErrorPolicy,
    frameDepth: Int
  ) {
    join = if case .join(let lowering) = prototype.lowering { lowering } else { nil }
    super.init(
      prototype, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
  }

  override var onlyValue: Steps? {
    guard case .value(let steps) = prototype.lowering, !steps.callsHost else { return nil }
    return steps
  }

  override var timedOperator: TimedOperator? {
    guard case .timed(let lowering) = prototype.lowering else { return nil }
    return TimedOperator(self, lowering, of: M.self)
  }

  override func withInnerStreams(over type: CELType) -> PipelineNode {
    KeyedNode(self, prototype, over: type) ?? SerialNode(self, prototype, over: type) ?? self
  }

  override var readsTime: Bool { if case .value(let steps) = prototype.lowering { steps.readsTime } else { true } }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    if let join { return JoinStage(join, prototype, node: self, downstream: downstream, port: port, frame: frame) }
    return super.makeStage(downstream: downstream, port: port, frame: frame, execution)
  }
}

private final class SourceNode<M: BatchSource>: LoweredNode<M>, @unchecked Sendable {
  override var readsTime: Bool { false }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    SourceStage(prototype, node: self, downstream: downstream, port: port, frame: frame)
  }
}

final class InputNode: PipelineNode, @unchecked Sendable {
  let number: Int

  fileprivate init(_ number: Int, pointer: JSONPointer) {
    self.number = number
    super.init(name: "input", pointer: pointer, upstreams: [], errorPolicy: .fail, frameDepth: 0)
  }

  override var isInput: Bool { true }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    InputStage(number: number, node: self, downstream: downstream, port: port, frame: frame)
  }
}

final class FeedNode: PipelineNode, @unchecked Sendable {
  private let limit: Int

  fileprivate init(pointer: JSONPointer, limit: Int, frameDepth: Int) {
    self.limit = limit
    super.init(name: "feed", pointer: pointer, upstreams: [], errorPolicy: .fail, frameDepth: frameDepth)
  }

  // In the frame of the inner stream that it is the source of.
  override var usesFrame: Bool { frameDepth == 0 }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> FeedStage {
    FeedStage(limit: limit, node: self, downstream: downstream, port: port, frame: frame)
  }
}

final class SharedNode: PipelineNode, @unchecked Sendable {
  let sharing: Sharing
  let number: Int

  fileprivate init(
    _ upstreams: [PipelineNode], _ sharing: Sharing, number: Int, pointer: JSONPointer, frameDepth: Int
  ) {
    self.sharing = sharing
    self.number = number
    super.init(name: "share", pointer: pointer, upstreams: upstreams, errorPolicy: .fail, frameDepth: frameDepth)
  }

  override var readsTime: Bool { sharing.replayInterval != nil }
  override var usesFrame: Bool { true }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    SharedStage(sharing, number: number, node: self, downstream: downstream, port: port, frame: frame)
  }
}

extension Pipeline {
  /// An input that the host feeds.
  public struct Input: Hashable, Sendable {
    public let name: String
    /// The type of the values; `dyn` if it is not declared. The host sends no values of other types.
    public let type: CELType
    /// The initial value. With it the input is a current-value subject, without it a passthrough subject.
    public let initialValue: Value?
    /// Number of values that wait for a subscriber without demand. Default 1024.
    public let capacity: Int
    /// The handling of a value when the buffer is full.
    public let whenFull: WhenFull
    /// When the values happened; nil if the file declares no clock.
    package let time: InputTime?
    /// The name of the input whose late values these are; nil for an input that the host feeds.
    package let lateOf: String?

    /// Whether it is a current-value subject.
    var isCurrent: Bool { initialValue != nil }

    public enum WhenFull: String, Hashable, Sendable, Codable, CaseIterable {
      case dropOldest, dropNewest, fail
    }

    /// Number of values that wait for a subscriber without demand, unless the stream file says otherwise.
    public static let defaultCapacity = Backlog.defaultLimit

    public init(
      name: String, type: CELType = .dyn, initialValue: Value? = nil, capacity: Int = Input.defaultCapacity,
      whenFull: WhenFull = .fail
    ) {
      self.init(name, type, initialValue: initialValue, capacity: capacity, whenFull: whenFull, time: nil)
    }

    package init(
      _ name: String, _ type: CELType, initialValue: Value?, capacity: Int, whenFull: WhenFull, time: InputTime?,
      lateOf: String? = nil
    ) {
      self.name = name
      self.type = type
      self.initialValue = initialValue
      self.capacity = capacity
      self.whenFull = whenFull
      self.time = time
      self.lateOf = lateOf
    }

    /// The input with another initial value.
    package func beginning(with value: Value) -> Pipeline.Input {
      Pipeline.Input(name, type, initialValue: value, capacity: capacity, whenFull: whenFull, time: time)
    }
  }
}

/// A compiled stream, immutable and `Sendable`; any number of executions can share it.
///
/// ```swift
/// let pipeline = try model.compile()
/// let executions = (1...3).map { _ in Execution(pipeline) }
/// ```
public struct Pipeline: Sendable {
  private let body: Body

  package var root: PipelineNode { body.root }
  /// The inputs that the host feeds, in the order of their numbers.
  public var inputs: [Input] { body.inputs }
  /// The names of the outputs, in the order of the file: each published value is an object with one of them as its only
  /// member. Empty if the stream has one unnamed output.
  package var outputs: [String] { body.outputs }
  /// The shared streams, in the order of their numbers.
  var shared: [PipelineNode] { body.shared }
  /// Number of slots that the largest expression needs.
  public var slotCount: Int { body.slotCount }
  /// The limits of each evaluation of an expression.
  var limits: ExpressionLimits { body.limits }
  /// Whether the output may depend on the clock. If not, a driver need not read the clock for every value.
  public var readsTime: Bool { body.readsTime }
  /// Whether time follows the values: an input has a clock, or the host gives one.
  package var followsValues: Bool { body.followsValues }
  /// Whether nodes keep state in the root frame, so that each execution needs its own.
  var keepsInFrame: Bool { body.keepsInFrame }
  /// The root frame that is shared by all executions that keep no state in it.
  var commonFrame: Frame { body.commonFrame }

  /// The contents, behind one reference, since every execution holds it. `@unchecked`: the frame is never written.
  private final class Body: @unchecked Sendable {
    let root: PipelineNode
    let inputs: [Input]
    let outputs: [String]
    let firstLooks: [TypeGuard]
    let lateInputs: [Int: Int]
    let shared: [PipelineNode]
    let slotCount: Int
    let limits: ExpressionLimits
    let followsValues: Bool
    let readsTime: Bool
    let keepsInFrame: Bool
    let commonFrame = Frame(number: 0, outer: nil, values: [])

    init(
      root: PipelineNode, inputs: [Input], outputs: [String], shared: [PipelineNode], slotCount: Int,
      limits: ExpressionLimits, followsValues: Bool
    ) {
      self.root = root
      self.inputs = inputs
      self.outputs = outputs
      firstLooks = inputs.map { TypeGuard($0.type) }
      var lateInputs: [Int: Int] = [:]
      for (late, input) in inputs.enumerated() {
        guard let name = input.lateOf, let number = inputs.firstIndex(where: { $0.name == name }) else { continue }
        lateInputs[number] = late
      }
      self.lateInputs = lateInputs
      self.shared = shared
      self.slotCount = slotCount
      self.limits = limits
      self.followsValues = followsValues || inputs.contains { $0.time != nil }
      var (readsTime, usesFrame) = (false, false)
      Pipeline.forEachNode(of: root) { node in
        if node.readsTime { readsTime = true }
        if node.usesFrame { usesFrame = true }
      }
      self.readsTime = readsTime
      keepsInFrame = !shared.isEmpty || usesFrame
    }
  }

  package init(
    root: PipelineNode, inputs: [Input] = [], outputs: [String] = [], shared: [PipelineNode] = [], slotCount: Int = 8,
    limits: ExpressionLimits = ExpressionLimits(), followsValues: Bool = false
  ) {
    body = Body(
      root: root, inputs: inputs, outputs: outputs, shared: shared, slotCount: slotCount, limits: limits,
      followsValues: followsValues)
  }

  /// Returns the pipeline with other declarations of its inputs, for example other initial values.
  ///
  /// - Parameter inputs: One for each of `inputs`, in the same order.
  public func declaring(_ inputs: [Input]) -> Pipeline {
    Pipeline(
      root: root, inputs: inputs, outputs: outputs, shared: shared, slotCount: slotCount, limits: limits,
      followsValues: followsValues)
  }

  /// Calls `body` once with each node upstream of `root`, and with `root` itself.
  private static func forEachNode(of root: PipelineNode, _ body: (PipelineNode) -> Void) {
    // In a chain of nodes with one upstream each, no node occurs twice.
    var node = root
    while node.upstreams.count == 1 {
      body(node)
      node = node.upstreams[0]
    }
    guard !node.upstreams.isEmpty else { return body(node) }
    var seen: Set<ObjectIdentifier> = []
    var next = [node]
    while let node = next.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      body(node)
      next += node.upstreams
    }
  }

  /// Whether a quick check finds that an input accepts the value unchanged, as it does for most values.
  func takes(_ value: Value, on input: Int) -> Bool { body.firstLooks[input].takes(value) }

  /// Whether the state of the inner operators of some operator may be in rows of a program.
  package var keepsRows: Bool {
    var found = false
    Self.forEachNode(of: root) { node in if node.keepsRows { found = true } }
    return found
  }

  /// Returns the number of the input for the late values of another one; nil if no stream reads them.
  package func lateInput(of input: Int) -> Int? { body.lateInputs.isEmpty ? nil : body.lateInputs[input] }

  /// Returns the number of an input by name.
  public func input(named name: String) -> Int? { inputs.firstIndex { $0.name == name } }
}
