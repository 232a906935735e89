public import CEL
public import StreamCore
internal import StreamRuntime

extension Source {
  /// Calls a function of the host and publishes what it gives.
  ///
  /// The call is made when a value is asked for, and taken back when the stream is canceled. The function may take its
  /// time, and may fail.
  ///
  /// - Failure: a file that names a function which the host has not registered is refused (`S121`).
  public struct Call: SourceDefinition {
    /// The name under which the host knows the function.
    public var function: String
    /// Gives what the function is called with. Default `null`.
    public var argument: CELExpression?

    public init(function: String, argument: CELExpression? = nil) {
      self.function = function
      self.argument = argument
    }
  }
}

extension Source.Call {
  public func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
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

  mutating func start(_ answers: Answers) {}

  mutating func request(_ demand: Demand, _ answers: Answers) throws(StreamFailure) {
    guard !state else { return }
    let argument = try argument?.evaluate(answers, variables: [], value: .null) ?? .null
    state = true
    answers.call(function, with: argument)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    answers.publish(value)
    answers.finish()
  }
}

extension Source.Call {
  public static let spec = OperatorSpec(
    "call", "Calls a function of the host and publishes what it gives.",
    fields: [
      .required("function", .string, "The name under which the host knows the function."),
      .optional(
        "argument", .expression([]), "Gives what the function is called with. Default `null`.", default: "null"),
    ],
    examples: [
      .publishes(
        "what a function that gives its argument gives", #"{"call": {"function": "echo", "argument": "'a'"}}"#,
        out: "(a|)"),
      .rejects(
        "a function that the host has not", #"{"call": {"function": "serverHas"}}"#, .notRegistered,
        at: "/call/function"),
      .rejects("no function", #"{"call": {}}"#, .missingField, at: "/call"),
    ])
}
