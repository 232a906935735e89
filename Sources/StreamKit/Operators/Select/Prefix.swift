internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the first values, then finishes.
  ///
  /// Upstream is canceled with the last of these values. With a count of 0 upstream is not subscribed to.
  public struct Prefix: OperatorDefinition {
    /// Number of values to publish. An integer, 0 or more.
    public var count: Int

    public init(count: Int) {
      self.count = count
    }
  }
}

extension Operator.Prefix {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    PrefixMachine(state: count)
  }
}

private struct PrefixMachine: Machine {
  /// Number of values still to publish.
  var state: Int

  func problem(with saved: Int) -> String? {
    (0...state).contains(saved) ? nil : "expects \(saved) more values"
  }

  mutating func start(_ effects: Effects) {
    if state > 0 { effects.subscribe(to: 0) } else { effects.finish() }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state -= 1
    if state == 0 { effects.cancel(0) }
    effects.publish(value)
    if state == 0 { effects.finish() }
  }

  var lowering: Lowering? {
    let count = state
    guard count > 0 else { return nil }
    return Lowering { segment in
      let passed = segment.cell(.int(0), .int)
      segment.count(passed)
      segment.endWithValue(when: segment.equal(passed, segment.constant(.int(Int64(count)))))
      segment.keep {
        count - Int($0.int(passed))
      } loading: { (state: Int, cells) in
        cells[passed] = .int(Int64(count - state))
      }
    }
  }
}

extension Operator.Prefix {
  public static let fieldsOfState: Set<String> = ["count"]

  public static let spec = OperatorSpec(
    "prefix", "Publishes the first values, then finishes.",
    fields: [.required("count", .count(0 ... .max), "Number of values to publish.")],
    examples: [
      .marbles("the first two values", #"{"prefix": {"count": 2}}"#, in: "-a-b-c-d|", out: "-a-(b|)"),
      .marbles("no value", #"{"prefix": {"count": 0}}"#, in: "-a-b|", out: "|"),
      .marbles("more than there are", #"{"prefix": {"count": 5}}"#, in: "-a-b|", out: "-a-b|"),
      .rejects("no number", #"{"prefix": {}}"#, .missingField, at: "/prefix"),
      .rejects("a number in quotes", #"{"prefix": {"count": "2"}}"#, .wrongType, at: "/prefix/count"),
    ])
}
