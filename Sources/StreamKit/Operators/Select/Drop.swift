internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Drops the first values.
  public struct Drop: OperatorDefinition {
    /// Number of values to drop. An integer, 0 or more. Default `1`.
    public var count: Int?

    public init(count: Int? = nil) {
      self.count = count
    }
  }
}

extension Operator.Drop {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DropMachine(state: DropMachine.State(remaining: count ?? Self.defaultCount))
  }
}

private struct DropMachine: Machine {
  struct State: Codable, Sendable {
    var remaining: Int
    /// Whether upstream has been asked for the values to drop.
    var hasAsked = false
  }

  var state: State

  func problem(with saved: State) -> String? {
    (0...state.remaining).contains(saved.remaining) ? nil : "expects to drop \(saved.remaining) values"
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if state.remaining > 0 { state.remaining -= 1 } else { effects.publish(value) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    effects.request(state.hasAsked ? demand : demand + Demand(state.remaining), from: 0)
    state.hasAsked = true
  }

  var lowering: Lowering? {
    let count = state.remaining
    return Lowering { segment in
      let dropped = segment.cell(.int(0), .int)
      let (drops, passes) = (segment.label(), segment.label())
      segment.branch(unless: segment.equal(dropped, segment.constant(.int(Int64(count)))), to: drops)
      segment.jump(to: passes)
      segment.place(drops)
      segment.count(dropped)
      segment.jump(to: segment.absorb())
      segment.place(passes)
      segment.asks { count - Int($0.int(dropped)) }
      segment.keep { cells in
        State(remaining: count - Int(cells.int(dropped)), hasAsked: cells.hasAsked)
      } loading: { state, cells in
        cells[dropped] = .int(Int64(count - state.remaining))
        if state.hasAsked { cells.hasAsked = true }
      }
    }
  }
}

extension Operator.Drop {
  public static let fieldsOfState: Set<String> = ["count"]

  private static let defaultCount = 1

  public static let spec = OperatorSpec(
    "drop", "Drops the first values.",
    fields: [.optional("count", .count(0 ... .max), "Number of values to drop.", default: .of(defaultCount))],
    examples: [
      .marbles("the first two values", #"{"drop": {"count": 2}}"#, in: "-a-b-c-d|", out: "-----c-d|"),
      .marbles("the first value", #"{"drop": {}}"#, in: "-a-b|", out: "---b|"),
      .marbles("more than there are", #"{"drop": {"count": 5}}"#, in: "-a-b|", out: "----|"),
      .rejects("a negative number", #"{"drop": {"count": -1}}"#, .outOfRange, at: "/drop/count"),
    ])
}
