import StreamKit

/// An operator of the app: publishes by how much each number differs from the one before.
public struct Change: OperatorDefinition {
  /// The number before the first one. Default 0.
  var start: Double?

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .double
    return ChangeMachine(state: start ?? 0)
  }

  public static let spec = OperatorSpec(
    "app.change", "Publishes by how much each number differs from the one before.",
    fields: [.optional("start", .number(-1e9...1e9), "The number before the first one. Default 0.")],
    examples: [
      .marbles(
        "a rise and a fall", #"{"app.change": {}}"#, in: "a-b-c|", out: "p-q-r|",
        values: ["a": 1, "b": 4, "c": 2, "p": 1.0, "q": 3.0, "r": -2.0]),
      .marbles("a string is no number", #"{"app.change": {}}"#, in: "-a", out: "-#"),
    ])
}

private struct ChangeMachine: Machine {
  /// The number before, saved in snapshots.
  var state: Double

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard let number = value.double else {
      throw StreamFailure(code: "app.noNumber", message: "\(value) is no number")
    }
    effects.publish(.double(number - state))
    state = number
  }
}

extension HostServices {
  /// The functions of the app: `app.open` for `call`, and `app.rounded` for expressions.
  public static var app: HostServices {
    var services = HostServices()
    services.function("app.open") { (name: String) in name.hasPrefix("open") }
    services.expressionFunctions = [
      FunctionDeclaration(name: "app.rounded", overloads: [Signature("app.rounded", [.double], .int)]) {
        arguments throws(EvaluationError) in
        guard case .double(let number) = arguments[0] else { return .null }
        return .int(Int64(number.rounded()))
      }
    ]
    return services
  }
}

extension CompileOptions {
  /// All that the app adds to stream files: its functions and the operator `app.change`.
  public static var app: CompileOptions { CompileOptions(services: .app, operators: [Change.self]) }
}
