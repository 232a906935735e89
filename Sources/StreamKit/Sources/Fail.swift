public import StreamCore
internal import StreamEngine

extension Source {
  /// Fails at once without a value.
  public struct Fail: SourceDefinition {
    /// The error, any JSON value. If it is an object with `message`, that is the text to show.
    public var error: Value

    public init(error: Value) {
      self.error = error
    }
  }
}

extension Source.Fail {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(FailMachine(error: error), name: "fail")
  }
}

private struct FailMachine: Machine {
  let error: Value

  mutating func start(_ effects: Effects) { effects.fail(StreamFailure(payload: error)) }
  mutating func request(_ demand: Demand, _ effects: Effects) {}
}

extension Source.Fail {
  public static let spec = OperatorSpec(
    "fail", "Fails at once without a value.",
    fields: [
      .required(
        "error", .value, "The error, any JSON value. If it is an object with `message`, that is the text to show.")
    ],
    examples: [
      .publishes("an error", #"{"fail": {"error": "error"}}"#, out: "#"),
      .rejects("no error", #"{"fail": {}}"#, .missingField, at: "/fail"),
    ])
}
