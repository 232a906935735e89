@_spi(Engine) package import StreamCore

// The state and the publications of the operators of a running stream, for limits.

extension Execution {
  /// The state of an operator or source.
  package struct Holding {
    package let name: String
    package let pointer: JSONPointer
    /// Estimated size in memory.
    package let bytes: Int
    /// Number of values.
    package let values: Int
    /// Its saved state.
    package let state: Value
    /// Number of timers.
    package let timers: Int

    fileprivate init(_ name: String, _ pointer: JSONPointer, _ content: [Value], timers: Int = 0) {
      self.timers = timers
      self.name = name
      self.pointer = pointer
      state = content.count == 1 ? content[0] : .list(content)
      var size = ValueSize()
      for value in content { size.add(value) }
      bytes = size.bytes
      values = size.values
    }
  }

  /// Number of timers that are set. The groups of one operator may share one.
  package var timerCount: Int { coldState.map { $0.timers.count + $0.idleTimers.count } ?? 0 }

  /// Number of operators and sources that a snapshot would have, with those of groups.
  package var savedCount: Int {
    var count = stageCount
    var next = root.map { [$0] } ?? []
    // Only operators outside groups have rows; the streams of groups that are stages are not visited.
    while let stage = next.popLast() {
      count += stage.rowStreamCount
      let upstreams = stage.upstreams
      if upstreams.count <= Self.visitedUpstreams {
        next += upstreams.compactMap(\.stage)
      } else if let first = upstreams[0].stage {
        next.append(first)
      }
    }
    return count
  }

  /// Maximum number of upstreams of an operator that are visited.
  private static let visitedUpstreams = 16

  /// Returns what each operator and source holds, estimated from its saved state.
  package func holdings() throws -> [Holding] {
    let (saved, nodes) = try save()
    var holdings = zip(saved.stages, nodes).map { stage, node in
      Holding(node.name, node.pointer, [stage.state], timers: stage.timers.count)
    }
    for (number, input) in pipeline.inputs.enumerated() {
      let waiting = saved.pending.filter { $0.input == number && !$0.isResult }.compactMap(\.value)
      if !waiting.isEmpty { holdings.append(Holding(input.name, JSONPointer(), waiting)) }
    }
    return holdings
  }

  /// Returns the operator or source that keeps an endless stream going: the first one that publishes while the stream
  /// works on. Called when the stream is about to fail.
  ///
  /// - Parameter steps: Maximum number of steps to watch.
  package func endlessPublisher(within steps: Int = 10_000) -> (name: String, pointer: JSONPointer)? {
    var counts: [ObjectIdentifier: (node: PipelineNode, count: Int)] = [:]
    let watcher = publicationWatcher
    publicationWatcher = { node, _ in counts[ObjectIdentifier(node), default: (node, 0)].count += 1 }
    defer { publicationWatcher = watcher }
    let end = stepCount + steps
    while stepCount < end {
      if case .idle = step(atMost: steps) { break }
    }
    let first = counts.values.filter { $0.node.upstreams.allSatisfy { !$0.reaches(counts.keys) } }
    guard let most = (first.isEmpty ? Array(counts.values) : first).max(by: { $0.count < $1.count }) else { return nil }
    return (most.node.name, most.node.pointer)
  }
}

extension PipelineNode {
  /// Returns whether it, or a node upstream of it, is one of these.
  fileprivate func reaches(_ nodes: some Collection<ObjectIdentifier>) -> Bool {
    var next = [self]
    while let node = next.popLast() {
      if nodes.contains(ObjectIdentifier(node)) { return true }
      next += node.upstreams
    }
    return false
  }
}

/// The estimated size of values in memory.
private struct ValueSize {
  private(set) var bytes = 0
  private(set) var values = 0

  /// Size of an object without its content.
  private static let objectBytes = 32
  /// Maximum number of values that are visited: one that contains another one twice, again and again, has as many as atoms
  /// are in the world.
  private static let mostValues = 30_000_000

  mutating func add(_ value: Value) {
    var next = [value]
    while values < Self.mostValues, let value = next.popLast() {
      values += 1
      bytes += MemoryLayout<Value>.stride
      switch value {
      case .string(let text): if text.utf8.count > 15 { bytes += Self.objectBytes + text.utf8.count }
      case .bytes(let content): bytes += Self.objectBytes + content.count
      case .list(let list):
        bytes += Self.objectBytes
        next += list.elements
      case .map(let map):
        bytes += Self.objectBytes
        next += map.slots
      default: break
      }
    }
  }
}
