public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes what has been accumulated so far, with each value.
  ///
  /// The initial value itself is not published.
  ///
  /// - Memory: what the expression accumulates.
  /// - SeeAlso: `reduce`, which publishes the last accumulation alone.
  public struct Scan: OperatorDefinition {
    /// What `acc` is for the first value.
    public var initialValue: Value
    /// Gives the next accumulation. Variables: `value`; `index`, which counts from 0; `acc`.
    public var expression: Expression
  }
}

extension Operator.Scan {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try context.planAccumulation(expression, from: initialValue)
    context.outputType = planned.resultType
    return ScanMachine(expression: planned, state: Accumulation(initialValue))
  }
}

/// What `scan` and `reduce` keep.
struct Accumulation: Codable, Sendable {
  var acc: Value
  var index: Int64 = 0

  init(_ initialValue: Value) { acc = initialValue }

  mutating func add(_ value: Value, _ expression: PlannedExpression, _ answers: Answers) throws(StreamFailure) {
    let next = try expression.evaluate(answers, value, index: index, acc: acc)
    try Self.checkDepth(of: next, from: value, index: index, expression)
    acc = next
    index += 1
  }

  /// Fails where what an expression makes of its own results nests deeper and deeper: it would end in a stack overflow.
  ///
  /// An expression adds a bounded number of levels, so looking now and then is enough.
  static func checkDepth(
    of result: Value, from value: Value, index: Int64, _ expression: PlannedExpression
  ) throws(StreamFailure) {
    guard index & 15 == 15, result.isDeeper(than: depthLimit) else { return }
    throw StreamFailure(
      .limitExceeded, "what is accumulated is nested more than \(depthLimit) levels deep", pointer: expression.pointer,
      value: value)
  }

  /// As deep as a file may be.
  private static let depthLimit = JSONLimits().depth
}

private struct ScanMachine: Machine {
  let expression: PlannedExpression
  var state: Accumulation

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    try state.add(value, expression, answers)
    answers.publish(state.acc)
  }
}

extension Operator.Scan {
  public static let spec = OperatorSpec(
    "scan", "Publishes what has been accumulated so far, with each value.",
    fields: [
      .required("initialValue", .value, "What `acc` is for the first value."),
      .required("expression", .expression(["acc", "value", "index"]), "Gives the next accumulation."),
    ],
    examples: [
      .marbles(
        "a running total", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-b-c|",
        out: "-a-c-f|", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "nothing in, nothing out", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "--|",
        out: "--|"),
      .rejects(
        "no initial value", #"{"scan": {"expression": "acc + value"}}"#, .missingField, at: "/scan"),
    ])
}
