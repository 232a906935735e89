internal import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes one value repeatedly, on demand.
  ///
  /// Without `count` the stream never ends: let an operator such as `prefix` end it.
  public struct RepeatElement: SourceDefinition {
    /// The value to publish.
    public var value: Value
    /// Number of repetitions. By default there is no end. An integer, 0 or more.
    public var count: Int64?

    public init(value: Value, count: Int64? = nil) {
      self.value = value
      self.count = count
    }
  }
}

extension Source.RepeatElement {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(RepeatMachine(value: value, count: count), name: "repeatElement", type: .of(value))
  }
}

private struct RepeatMachine: PullSource {
  let value: Value
  let count: Int64?
  /// Number of values published, if there is a `count`.
  var state = PullState<Int64>(0)

  func problem(with saved: PullState<Int64>) -> String? {
    saved.place.isCount ? nil : "has published \(saved.place) values"
  }

  func isDone(_ place: Int64) -> Bool { count.map { place >= $0 } ?? false }

  mutating func next(_ place: inout Int64, _ effects: Effects) -> Value? {
    if count != nil { place += 1 }
    return value
  }
}

extension Source.RepeatElement {
  public static let spec = OperatorSpec(
    "repeatElement", "Publishes one value repeatedly, on demand.",
    fields: [
      .required("value", .value, "The value to publish."),
      .optional("count", .count(0 ... .max), "Number of repetitions. By default there is no end."),
    ],
    examples: [
      .publishes("three times", #"{"repeatElement": {"value": "a", "count": 3}}"#, out: "(aaa|)"),
      .publishes("zero times", #"{"repeatElement": {"value": "a", "count": 0}}"#, out: "|"),
      .rejects(
        "a negative number", #"{"repeatElement": {"value": 1, "count": -1}}"#, .outOfRange,
        at: "/repeatElement/count"),
    ])
}
