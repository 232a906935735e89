public import CEL
package import StreamCore
internal import StreamEngine

extension Source {
  /// Calls a function of the host and publishes its result.
  ///
  /// The call is made with the first demand and canceled with the stream. The function is asynchronous and may fail.
  ///
  /// - Failure: a function that the host has not registered is refused (`S121`).
  public struct Call: SourceDefinition {
    /// Name under which the host has registered the function.
    public var function: String
    /// Returns the argument of the call. Default `null`.
    public var argument: CELExpression?

    public init(function: String, argument: CELExpression? = nil) {
      self.function = function
      self.argument = argument
    }
  }
}

extension Source.Call {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    try context.requireFunction(function, field: "function")
    let planned = try argument.map { expression throws(Diagnostics) in
      try context.plan(expression, owner: "call", field: "argument")
    }
    return context.machine(CallMachine(function: function, argument: planned), name: "call")
  }
}

private struct CallMachine: Machine {
  let function: String
  let argument: PlannedExpression?
  /// Whether the call has been made.
  var state = false

  mutating func start(_ effects: Effects) {}

  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    guard !state else { return }
    let argument = try argument?.evaluate(effects, variables: [], value: nil) ?? .null
    state = true
    effects.call(function, with: argument)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    effects.publish(value)
    effects.finish()
  }
}

extension Source.Call {
  public static let spec = OperatorSpec(
    "call", "Calls a function of the host and publishes its result.",
    fields: [
      .required("function", .string, "Name under which the host has registered the function."),
      .optional(
        "argument", .expression([]), "Returns the argument of the call.", default: "null"),
    ],
    examples: [
      .publishes(
        "a function that returns its argument", #"{"call": {"function": "echo", "argument": "'a'"}}"#,
        out: "(a|)"),
      .rejects(
        "an unknown function", #"{"call": {"function": "serverHas"}}"#, .notRegistered,
        at: "/call/function"),
      .rejects("no function", #"{"call": {}}"#, .missingField, at: "/call"),
    ])
}
