@_spi(Engine) public import StreamCore
@_spi(Engine) internal import StreamEngine

/// The compiled plan of a stream: its machines and programs, their connections, and the number of subscriptions.
public struct PlanExplanation: Sendable {
  /// The machines and programs, each before its upstreams, which are a level deeper.
  public let units: [Unit]
  /// Number of operators and sources subscribed to for one subscription to the stream; a stream started for values
  /// counts once.
  public let subscriptionCount: Int

  /// A machine or a program.
  public struct Unit: Sendable {
    public let depth: Int
    /// The operators or the source that it runs, in the order in which values pass them.
    public let names: [String]
    /// Their locations in the file.
    public let pointers: [JSONPointer]
    /// Total number of subscriptions to it.
    public let subscriptions: Int
    /// Whether it appears earlier in the list with the same upstreams.
    public let isRepeated: Bool
    /// The instructions of a program; empty for a machine.
    public let instructions: [String]
    /// Number of instructions in the half for values of the expected types.
    public let typedCount: Int
    /// Whether its subscribers share one subscription to its upstream.
    public let isShared: Bool
  }

  init(_ pipeline: Pipeline) {
    var writer = UnitWriter(pipeline.root)
    writer.write(pipeline.root)
    units = writer.units
    subscriptionCount = units.reduce(0) { sum, unit in
      guard !unit.isRepeated else { return sum }
      let (total, overflow) = unit.subscriptions.multipliedReportingOverflow(by: unit.names.count)
      let (next, overflow2) = sum.addingReportingOverflow(total)
      return overflow || overflow2 ? .max : next
    }
  }
}

/// Writes units down, those that are subscribed to several times once.
private struct UnitWriter {
  private(set) var units: [PlanExplanation.Unit] = []
  /// Number of subscriptions to each node, if every node subscribes to each of its upstreams once.
  private var counts: [ObjectIdentifier: Int] = [:]
  private var written: Set<ObjectIdentifier> = []

  init(_ root: PipelineNode) {
    // Subscribers precede their upstreams.
    var waiting: [ObjectIdentifier: Int] = [:]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var all = [root]
    while let node = all.popLast() {
      for upstream in node.upstreams {
        waiting[ObjectIdentifier(upstream), default: 0] += 1
        if seen.insert(ObjectIdentifier(upstream)).inserted { all.append(upstream) }
      }
    }
    counts[ObjectIdentifier(root)] = 1
    var ready = [root]
    while let node = ready.popLast() {
      let count = node.isShared ? 1 : counts[ObjectIdentifier(node)] ?? 1
      for upstream in node.upstreams {
        let id = ObjectIdentifier(upstream)
        let (sum, overflow) = counts[id, default: 0].addingReportingOverflow(count)
        counts[id] = overflow ? .max : sum
        waiting[id, default: 0] -= 1
        if waiting[id] == 0 { ready.append(upstream) }
      }
    }
  }

  mutating func write(_ root: PipelineNode) {
    // NB: without recursion, since a pipeline may be of any length.
    var next: [(node: PipelineNode, depth: Int)] = [(root, 0)]
    while let (node, depth) = next.popLast() {
      let isRepeated = !written.insert(ObjectIdentifier(node)).inserted
      let operators = node.fusedOperators.isEmpty ? [node] : node.fusedOperators
      units.append(
        PlanExplanation.Unit(
          depth: depth, names: operators.map(\.name), pointers: operators.map(\.pointer),
          subscriptions: counts[ObjectIdentifier(node)] ?? 1, isRepeated: isRepeated,
          instructions: node.program?.listing ?? [], typedCount: node.program?.typedCount ?? 0,
          isShared: node.isShared))
      guard !isRepeated else { continue }
      next += node.upstreams.reversed().map { ($0, depth + 1) }
    }
  }
}
