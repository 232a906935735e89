internal import CEL
internal import StreamCore

/// An operator that starts inner streams, compiled into one program with the operators of these streams.
class InnerNode<M: Machine>: SegmentNode, @unchecked Sendable {
  final let prototype: M
  /// The operators of an inner stream.
  final let stream: InnerChain

  init(_ node: PipelineNode, _ prototype: M, _ steps: Steps, _ stream: InnerChain, over type: CELType) {
    self.prototype = prototype
    self.stream = stream
    super.init(node, steps, over: type, upstreams: node.upstreams)
  }

  override var isOpen: Bool { false }
  override var keepsRows: Bool { true }
  override var steps: [(operator: PipelineNode, step: Steps)] { super.steps + stream.steps }
  override var readsTime: Bool { step.readsTime || stream.readsTime }
  override var weight: Int { 1 }
  // Its stage can also run the machine.
  override var plain: PipelineNode { self }
}

/// The operators of an inner stream that becomes part of a program.
struct InnerChain: Sendable {
  /// The source: a feed, or a source of one value.
  let source: PipelineNode
  /// An operator in the program that waits for a timer, if there is one.
  let timed: TimedOperator?
  /// The operators before it; nil if there are none.
  let before: SegmentNode?
  /// The operators in the program, after the operator that waits for a timer; nil if there are none.
  let segment: SegmentNode?
  /// The operators after a summary at the end of `segment`, the last one first. They receive at most one value.
  let tail: [SegmentNode]

  /// Nil if the operators do not become a program.
  ///
  /// - Parameter node: The last operator of the stream, or its source.
  init?(of node: PipelineNode) {
    var (tail, next) = ([SegmentNode](), node as? SegmentNode)
    while let segment = next, let before = segment.upstreams[0] as? SegmentNode {
      tail.append(segment)
      next = before
    }
    let upstream = next?.upstreams[0] ?? node
    timed = upstream.timedOperator
    before = timed?.node.upstreams[0] as? SegmentNode
    guard tail.allSatisfy(\.isOpen), next?.isOpen != false, tail.isEmpty || next?.step.isSummary == true,
      before?.isOpen != false, before?.step.isSummary != true
    else { return nil }
    source = before?.upstreams[0] ?? timed?.node.upstreams[0] ?? upstream
    segment = next
    self.tail = tail
  }

  var steps: [(operator: PipelineNode, step: Steps)] {
    (before?.steps ?? []) + (timed.map { [($0.node, $0.step)] } ?? []) + (segment?.steps ?? [])
  }

  /// Whether the operators accept values of a type.
  func takes(_ type: CELType) -> Bool {
    let first = timed == nil ? segment : before
    return first.map { $0.inputType == type || $0.inputType == .dyn } ?? true
  }

  var readsTime: Bool {
    timed != nil || segment?.readsTime == true || tail.contains { $0.readsTime }
  }

  /// Number of operators and sources of an inner stream.
  var weight: Int { tail.reduce(1 + steps.count) { $0 + $1.weight } }
}
