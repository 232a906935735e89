internal import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes the integers from one number through another.
  ///
  /// Numbers are published on demand. The range is empty if `through` is not in the direction of `by`.
  public struct Range: SourceDefinition {
    /// The first number.
    public var from: Int64
    /// The last number, included if the steps reach it.
    public var through: Int64
    /// Difference between two numbers. An integer other than 0. Default `1`.
    public var by: Int64?

    public init(from: Int64, through: Int64, by: Int64? = nil) {
      self.from = from
      self.through = through
      self.by = by
    }
  }
}

extension Source.Range {
  public func validate() throws(Diagnostic) {
    if by == 0 {
      throw Diagnostic(
        .outOfRange, "'by' is 0, so the range would never end; expected any other integer",
        at: JSONPointer(["by"]))
    }
  }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(RangeMachine(first: from, last: through, step: by ?? Self.defaultBy), name: "range", type: .int)
  }
}

private struct RangeMachine: PullSource, BatchSource {
  let last: Int64
  let step: Int64
  /// The next number; nil at the end of the range.
  var state: PullState<Int64?>

  init(first: Int64, last: Int64, step: Int64) {
    self.last = last
    self.step = step
    state = PullState((step > 0 ? first <= last : first >= last) ? first : nil)
  }

  func problem(with saved: PullState<Int64?>) -> String? {
    guard let number = saved.place else { return nil }
    return (step > 0 ? number <= last : number >= last) ? nil : "is at \(number), past the last number"
  }

  func isDone(_ place: Int64?) -> Bool { place == nil }

  mutating func next(_ place: inout Int64?, _ effects: Effects) -> Value? {
    guard let number = place else { return nil }
    let (following, overflow) = number.addingReportingOverflow(step)
    let isPast = step > 0 ? following > last : following < last
    place = overflow || isPast ? nil : following
    return .int(number)
  }

  func upcoming(_ fields: () -> [String]?) -> UpcomingValues? {
    guard isRunningOn, let number = state.place else { return nil }
    let (distance, overflow) = last.subtractingReportingOverflow(number)
    let (steps, overflows) = distance.dividedReportingOverflow(by: step)
    let limit = Int64(UpcomingValues.limit)
    let count = overflow || overflows ? 1 : min(steps, limit - 1) + 1
    return .numbers(from: number, by: step, count: Int(count))
  }

  mutating func advance(by count: Int, _ effects: Effects) {
    guard let number = state.place else { return }
    // The last of these numbers is in the range; the next one may not be.
    var place: Int64? = number &+ step &* Int64(count - 1)
    _ = next(&place, effects)
    proceed(from: place, effects)
  }
}

extension Source.Range {
  private static let defaultBy: Int64 = 1

  public static let spec = OperatorSpec(
    "range", "Publishes the integers from one number through another.",
    fields: [
      .required("from", .count(.min ... .max), "The first number."),
      .required("through", .count(.min ... .max), "The last number, included if the steps reach it."),
      .optional("by", .count(.min ... .max), "Difference between two numbers.", default: .of(defaultBy)),
    ],
    rules: [.not("by", 0)],
    examples: [
      .publishes(
        "three numbers", #"{"range": {"from": 1, "through": 3}}"#, out: "(abc|)", values: ["a": 1, "b": 2, "c": 3]),
      .publishes(
        "downward in steps of two", #"{"range": {"from": 5, "through": 2, "by": -2}}"#, out: "(ab|)",
        values: ["a": 5, "b": 3]),
      .publishes("an empty range", #"{"range": {"from": 2, "through": 1}}"#, out: "|"),
      .rejects(
        "a step of zero", #"{"range": {"from": 1, "through": 3, "by": 0}}"#, .outOfRange, at: "/range/by"),
    ])
}
