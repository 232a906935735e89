internal import CEL
internal import StreamCore
internal import Synchronization

/// A sequence of neighboring operators that runs as one program, or one operator with a program that is not optimized.
///
/// `@unchecked`: immutable except for programs that are built lazily, which are protected by locks.
class SegmentNode: PipelineNode, @unchecked Sendable {
  /// The operators before the last one.
  private var before: SegmentNode?
  final let `operator`: PipelineNode
  final let step: Steps
  final let inputType: CELType
  /// Whether its program runs each expression as its plan.
  final let isBaseline: Bool
  private let size: Int
  private let count: Int
  private let built = Mutex<Segment?>(nil)
  /// The last of the same operators as separate programs; created lazily.
  private let chain = Mutex<PipelineNode?>(nil)
  /// The programs for likely types.
  private let likelyPrograms = Mutex<[(likely: TypeFeedback, program: Program)]>([])

  /// The maximum number of operators, and the approximate maximum number of instructions, of a segment.
  private static let countLimit = 256
  private static let sizeLimit = 4_000
  /// The maximum number of times that a program is built because the types of its cells turn out to be others.
  private static let buildLimit = 4
  /// The maximum number of programs for different likely types.
  private static let likelyLimit = 16

  init(
    _ node: PipelineNode, _ steps: Steps, over type: CELType, upstreams: [PipelineNode], isBaseline: Bool = false
  ) {
    before = nil
    self.operator = node
    step = steps
    inputType = type
    self.isBaseline = isBaseline
    size = steps.size
    count = 1
    super.init(
      name: node.name, pointer: node.pointer, upstreams: upstreams, errorPolicy: node.errorPolicy,
      frameDepth: node.frameDepth)
    super.note(meaning: node.meaning)
  }

  init(_ node: PipelineNode, _ steps: Steps, behind segment: SegmentNode) {
    before = segment
    self.operator = node
    step = steps
    inputType = segment.inputType
    isBaseline = false
    size = segment.size + steps.size
    count = segment.count + 1
    super.init(
      name: node.name, pointer: node.pointer, upstreams: segment.upstreams, errorPolicy: node.errorPolicy,
      frameDepth: node.frameDepth, weight: count)
  }

  override func surrender(to doomed: inout [PipelineNode]) {
    super.surrender(to: &doomed)
    if let before { doomed.append(before) }
    before = nil
    // An operator with inner streams refers to the nodes before it.
    doomed.append(self.operator)
    built.withLock { $0 = nil }
    if let chain = chain.withLock({ $0.take() }) { doomed.append(chain) }
  }

  /// Whether its program may include more operators.
  var isOpen: Bool { !isBaseline }

  /// Whether there is room for another operator.
  final func takes(_ size: Int) -> Bool {
    isOpen && !step.isSummary && count < Self.countLimit && self.size + size <= Self.sizeLimit
  }

  override var readsTime: Bool { step.readsTime || before?.readsTime == true }

  /// Number of operators.
  override var weight: Int { count }

  override func note(meaning: String?) {
    super.note(meaning: meaning)
    `operator`.note(meaning: meaning)
  }

  /// The same operators as separate programs.
  override var plain: PipelineNode {
    if isBaseline { return self }
    return chain.withLock { chain in
      if let chain { return chain }
      let made = parts.reduce(upstreams[0]) { upstream, part in
        SegmentNode(part.operator, part.step, over: .dyn, upstreams: [upstream], isBaseline: true)
      }
      if followsResults { made.noteFollowsResults() }
      chain = made
      return made
    }
  }

  /// The program with which stages of this node begin.
  final var segment: Segment {
    built.withLock { built in
      if let built { return built }
      let made = make(TypeFeedback())
      built = made
      return made
    }
  }

  /// Whether the type of the input is unknown, and the program is optimized.
  final var takesAnything: Bool { inputType == .dyn && !isBaseline }

  /// Returns the program of the same steps for likely types; nil if there are too many programs.
  final func program(for likely: TypeFeedback) -> Program? {
    likelyPrograms.withLock { programs in
      if let known = programs.first(where: { $0.likely == likely }) { return known.program }
      guard programs.count < Self.likelyLimit else { return nil }
      let made = make(likely).program
      programs.append((likely, made))
      return made
    }
  }

  /// The operators of its program with their steps, in order.
  var steps: [(operator: PipelineNode, step: Steps)] { parts.map { ($0.operator, $0.step) } }

  /// The segments that end with each operator, in order.
  private var parts: [SegmentNode] {
    var parts: [SegmentNode] = []
    parts.reserveCapacity(count)
    var next: SegmentNode? = self
    while let part = next {
      parts.append(part)
      next = part.before
    }
    parts.reverse()
    return parts
  }

  private func make(_ likely: TypeFeedback) -> Segment {
    var likely = likely
    var remaining = Self.buildLimit
    while true {
      var builder = SegmentBuilder(inputType, likely: likely)
      builder.reserve(count)
      for part in steps { builder.add(part.operator, part.step) }
      remaining -= 1
      guard remaining > 0, let cells = builder.betterLikelyCells else { return builder.build() }
      likely.cells = cells
    }
  }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> SegmentStage {
    SegmentStage(
      segment, node: self, downstream: downstream, port: port, frame: frame, execution)
  }
}
