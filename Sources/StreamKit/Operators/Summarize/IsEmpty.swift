internal import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes false on the first value, or true when upstream finishes without one.
  ///
  /// The first value cancels upstream.
  public struct IsEmpty: StepDefinition {
    public init() {}
  }
}

extension Operator.IsEmpty {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    context.outputType = .bool
    return Search(.any, found: .constant(.bool(false)), otherwise: .bool(true)).steps
  }

  public static let spec = OperatorSpec(
    "isEmpty", "Publishes false on the first value, or true when upstream finishes without one.",
    examples: [
      .marbles("one value", #"{"isEmpty": {}}"#, in: "-a-b|", out: "-(f|)", values: ["f": false]),
      .marbles("no value", #"{"isEmpty": {}}"#, in: "--|", out: "--(t|)", values: ["t": true]),
      .marbles("a failure", #"{"isEmpty": {}}"#, in: "--#", out: "--#"),
    ])
}
