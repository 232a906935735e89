internal import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the value at an index, or the values in a range of indices, and finishes.
  ///
  /// Indices count from 0. Upstream is canceled after the last of these values. If upstream finishes earlier, the
  /// stream finishes.
  ///
  /// - SeeAlso: `failIfEmpty`, to fail if there is no such value.
  public struct Output: StepDefinition {
    /// Index of a single value. An integer, 0 or more.
    public var at: Int?
    /// First index of the range. An integer, 0 or more. Default `0`.
    public var from: Int?
    /// Last index of the range, at least `from`. By default the range has no end. An integer, 0 or more.
    public var through: Int?

    public init(at: Int? = nil, from: Int? = nil, through: Int? = nil) {
      self.at = at
      self.from = from
      self.through = through
    }
  }
}

extension Operator.Output {
  public func validate() throws(Diagnostic) {
    if at == nil, from == nil, through == nil {
      throw Diagnostic(
        .missingField, "'output' needs 'at', or 'from' and 'through'", help: "the first value is {\"at\": 0}")
    }
    if at != nil, from != nil || through != nil {
      let other = from == nil ? "through" : "from"
      throw Diagnostic(
        .conflictingFields, "'output' has 'at' or '\(other)', not both", at: JSONPointer([other]), part: .key)
    }
    if let through, through < from ?? Self.defaultFrom {
      throw Diagnostic(
        .outOfRange, "'through' is \(through); expected 'from', which is \(from ?? Self.defaultFrom), or more",
        at: JSONPointer(["through"]))
    }
  }

  package func makeSteps(_ context: inout OperatorContext) -> Steps {
    let (first, last) = (at ?? from ?? Self.defaultFrom, at ?? through ?? .max)
    let isWithin = first > 0 ? context.planOwn("count > \(first)", over: [Variable("count", .int)]) : nil
    return Steps { segment in
      let count = segment.cell(.int(0), .int)
      segment.count(count)
      if let isWithin { segment.branch(unless: segment.evaluate(isWithin, ["count": count]), to: segment.drop()) }
      if last < .max {
        segment.endWithValue(when: segment.equal(count, segment.constant(.int(Int64(last) + 1))))
      }
      segment.keep {
        Int(clamping: $0.int(count))
      } loading: { (state: Int, cells) in
        cells[count] = .int(Int64(state))
      } refusing: {
        $0.isCount ? nil : "counts to \($0)"
      }
    }
  }
}

extension Operator.Output {
  private static let defaultFrom = 0

  public static let spec = OperatorSpec(
    "output",
    "Publishes the value at an index, or the values in a range of indices, and finishes.",
    fields: [
      .optional("at", .count(0 ... .max), "Index of a single value."),
      .optional("from", .count(0 ... .max), "First index of the range.", default: .of(defaultFrom)),
      .optional(
        "through", .count(0 ... .max), "Last index of the range, at least `from`. By default the range has no end."),
    ],
    rules: [
      .atLeastOne(["at", "from", "through"]), .atMostOne(["at", "from"]), .atMostOne(["at", "through"]),
    ],
    examples: [
      .marbles("the second value", #"{"output": {"at": 1}}"#, in: "-a-b-c|", out: "---(b|)"),
      .marbles(
        "the second and the third value", #"{"output": {"from": 1, "through": 2}}"#, in: "-a-b-c-d|", out: "---b-(c|)"),
      .marbles("all values from the second on", #"{"output": {"from": 1}}"#, in: "-a-b-c|", out: "---b-c|"),
      .marbles("an index beyond the last value", #"{"output": {"at": 5}}"#, in: "-a-b|", out: "----|"),
      .marbles("a failure before the index", #"{"output": {"at": 5}}"#, in: "-a-#", out: "---#"),
      .rejects("no index", #"{"output": {}}"#, .missingField, at: "/output"),
      .rejects(
        "an index and a range", #"{"output": {"at": 1, "through": 2}}"#, .conflictingFields, at: "/output/through"),
      .rejects(
        "a range that ends before it begins", #"{"output": {"from": 3, "through": 2}}"#, .outOfRange,
        at: "/output/through"),
    ])
}
