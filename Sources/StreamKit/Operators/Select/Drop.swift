internal import CEL
internal import StreamCore
package import StreamEngine

extension Operator {
  /// Drops the first values.
  public struct Drop: StepDefinition {
    /// Number of values to drop. An integer, 0 or more. Default `1`.
    public var count: Int?

    public init(count: Int? = nil) {
      self.count = count
    }
  }
}

extension Operator.Drop {
  package func makeSteps(_ context: inout OperatorContext) -> Steps {
    let count = count ?? Self.defaultCount
    return Steps { segment in
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
        DropState(remaining: count - Int(cells.int(dropped)), hasAsked: cells.hasAsked)
      } loading: { state, cells in
        cells[dropped] = .int(Int64(count - state.remaining))
        if state.hasAsked { cells.hasAsked = true }
      } refusing: {
        (0...count).contains($0.remaining) ? nil : "expects to drop \($0.remaining) values"
      }
    }
  }
}

private struct DropState: Codable, Sendable {
  var remaining: Int
  /// Whether upstream has been asked for the values to drop.
  var hasAsked: Bool
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
