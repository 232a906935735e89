internal import CEL
internal import StreamCore
internal import StreamProgram
internal import StreamRuntime

/// Searches for a value, publishes a result and finishes: the machine of `first`, `findIndex`, `contains`, `allSatisfy`
/// and `isEmpty`.
///
/// Upstream gets unlimited demand and is canceled after the match.
struct SearchMachine: Machine {
  struct State: Codable, Sendable {
    /// The index of the next value.
    @Counted var index: Int64 = 0
    var result = PendingResult()
  }

  /// The result of a match.
  enum Find: Sendable {
    case value
    case index
    case constant(Value)
  }

  let predicate: Predicate
  /// The predicate's result for a match.
  let wanted: Bool
  let found: Find
  /// The result without a match; nil to publish nothing.
  let otherwise: Value?
  var state = State()

  init(_ predicate: Predicate, wanted: Bool = true, found: Find, otherwise: Value? = nil) {
    self.predicate = predicate
    self.wanted = wanted
    self.found = found
    self.otherwise = otherwise
  }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let isFound = try predicate.holds(value, index: state.index, effects) == wanted
    defer { state.index += 1 }
    guard isFound else { return }
    let result: Value =
      switch found {
      case .value: value
      case .index: .int(state.index)
      case .constant(let constant): constant
      }
    state.result.settle(result, canceling: 0, effects: effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.result.end(completion, with: otherwise, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  var lowering: Lowering? {
    .summary([predicate.expression].compactMap { $0 }) { segment in
      let expression = predicate.expression
      let index = segment.index(isRead: found.isIndex || expression?.reads("index") == true)
      let other = segment.label()
      if let expression {
        segment.require(expression, index, else: other)
      } else if let wanted = predicate.wanted {
        segment.branch(unless: segment.equal(segment.value, segment.constant(wanted)), to: other)
      }
      if wanted { tell(index, &segment) } else { segment.summarize { _ in otherwise } }
      if !predicate.isTrivial {
        segment.place(other)
        if !wanted { tell(index, &segment) }
      }
      segment.summarize { _ in otherwise }
      segment.keep { cells in
        State(index: cells[index], result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[index] = state.index
        cells.summary = state.result.summary
      }
    }
  }

  private func tell(_ index: SegmentIndex, _ segment: inout SegmentBuilder) {
    switch found {
    case .constant(let constant): segment.found(segment.constant(constant))
    case .value: segment.found(segment.value)
    case .index:
      // The value has been counted already.
      guard let place = segment.evaluate("count - 1", [("count", .int, index.cell)]) else {
        preconditionFailure("a built-in expression has no errors")
      }
      segment.found(place)
    }
  }
}

extension SearchMachine.Find {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}
