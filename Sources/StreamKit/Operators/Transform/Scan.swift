public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes what has been accumulated so far, with each value.
  ///
  /// The initial value itself is not published. Without one the first value is the first accumulation.
  ///
  /// - Memory: what the expression accumulates.
  /// - SeeAlso: `reduce`, which publishes the last accumulation alone.
  public struct Scan: OperatorDefinition {
    /// What `acc` is for the first value. Default the first value itself, with which the second is accumulated.
    public var initialValue: Value?
    /// Gives the next accumulation. Variables: `value`; `index`, which counts from 0; `acc`.
    public var expression: Expression
  }
}

extension Operator.Scan {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try context.planAccumulation(expression, from: initialValue)
    context.outputType = initialValue == nil ? planned.resultType.joined(with: context.inputType) : planned.resultType
    return ScanMachine(expression: planned, state: Accumulation(initialValue))
  }
}

/// What `scan` and `reduce` keep.
struct Accumulation: Codable, Sendable {
  /// Nil until there is a value, where there is no initial one.
  private(set) var acc: Value?
  private var index: Int64 = 0

  init(_ initialValue: Value?) { acc = initialValue }

  /// Accumulates a value; gives what has been accumulated then.
  mutating func add(
    _ value: Value, _ expression: PlannedExpression, _ answers: Answers
  ) throws(StreamFailure) -> Value {
    let next: Value
    if let acc { next = try expression.evaluate(answers, value, index: index, acc: acc) } else { next = value }
    try Self.checkDepth(of: next, from: value, index: index, expression)
    acc = next
    index += 1
    return next
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
    answers.publish(try state.add(value, expression, answers))
  }
}

extension Operator.Scan {
  public static let fieldsOfState: Set<String> = ["initialValue"]

  public static let spec = OperatorSpec(
    "scan", "Publishes what has been accumulated so far, with each value.",
    fields: [
      .optional("initialValue", .value, "What `acc` is for the first value. Default the first value itself."),
      .required("expression", .expression(["acc", "value", "index"]), "Gives the next accumulation."),
    ],
    examples: [
      .marbles(
        "a running total", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-b-c|",
        out: "-a-c-f|", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "nothing in, nothing out", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "--|",
        out: "--|"),
      .marbles(
        "without an initial value", #"{"scan": {"expression": "acc * 10 + value"}}"#, in: "-a-b|", out: "-a-c|",
        values: ["a": 1, "b": 2, "c": 12]),
      .marbles(
        "from null on", #"{"scan": {"initialValue": null, "expression": "acc == null ? 'first' : 'next'"}}"#,
        in: "-a-b|", out: "-'first'-'next'|"),
      .rejects("nothing to accumulate by", #"{"scan": {"initialValue": 0}}"#, .missingField, at: "/scan"),
    ])
}
