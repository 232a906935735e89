internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes false as soon as there is a value, else true when the stream finishes.
  ///
  /// Upstream is canceled by the first value.
  public struct IsEmpty: OperatorDefinition {
    public init() {}
  }
}

extension Operator.IsEmpty {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .bool
    return SearchMachine(Predicate(), found: .constant(.bool(false)), otherwise: .bool(true))
  }

  public static let spec = OperatorSpec(
    "isEmpty", "Publishes false as soon as there is a value, else true when the stream finishes.",
    examples: [
      .marbles("a value", #"{"isEmpty": {}}"#, in: "-a-b|", out: "-(f|)", values: ["f": false]),
      .marbles("none", #"{"isEmpty": {}}"#, in: "--|", out: "--(t|)", values: ["t": true]),
      .marbles("a failure says nothing", #"{"isEmpty": {}}"#, in: "--#", out: "--#"),
    ])
}
