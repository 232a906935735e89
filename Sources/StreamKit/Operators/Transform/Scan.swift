public import CEL
public import StreamCore
internal import StreamProgram
public import StreamRuntime

extension Operator {
  /// Accumulates values with an expression, and publishes each accumulation.
  ///
  /// The initial value itself is not published. Without one, the first value is the first accumulation.
  ///
  /// - Memory: the accumulation.
  /// - SeeAlso: `reduce`, which publishes only the last accumulation.
  public struct Scan: OperatorDefinition {
    /// The first `acc`. By default the first value, so the expression is evaluated from the second value on.
    public var initialValue: Value?
    /// Returns the next accumulation. Variables: `acc`, `value`, `index`.
    public var expression: CELExpression

    public init(initialValue: Value? = nil, expression: CELExpression) {
      self.initialValue = initialValue
      self.expression = expression
    }
  }
}

extension Operator.Scan {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try context.planAccumulation(expression, from: initialValue)
    context.outputType = initialValue == nil ? planned.resultType.joined(with: context.inputType) : planned.resultType
    return ScanMachine(expression: planned, state: Accumulation(initialValue))
  }
}

extension FieldSpec {
  /// The fields of `scan` and `reduce`.
  static let accumulating: [FieldSpec] = [
    .optional(
      "initialValue", .value,
      "The first `acc`. By default the first value, so the expression is evaluated from the second value on."),
    .required("expression", .expression(["acc", "value", "index"]), "Returns the next accumulation."),
  ]
}

/// The accumulation of `scan` and `reduce`.
struct Accumulation: Codable, Sendable {
  /// Nil before the first value, if there is no initial value.
  private(set) var acc: Value?
  @Counted private(set) var index: Int64 = 0

  /// Describes the error in a saved accumulation; nil if it is valid.
  func problem(beside first: Accumulation) -> String? {
    (acc != nil) == (first.acc != nil || index > 0) ? nil : "accumulates \(index) values"
  }

  init(_ initialValue: Value?) { acc = initialValue }

  init(acc: Value?, index: Int64) {
    self.acc = acc
    self.index = index
  }

  /// Accumulates a value; returns the new accumulation.
  mutating func add(
    _ value: Value, _ expression: PlannedExpression, _ effects: Effects
  ) throws(StreamFailure) -> Value {
    let next: Value
    if let acc { next = try expression.evaluate(effects, value, index: index, acc: acc) } else { next = value }
    try Self.checkDepth(of: next, from: value, index: index, expression)
    acc = next
    index += 1
    return next
  }

  /// Throws if accumulations nest ever deeper, before they overflow the stack.
  ///
  /// An expression adds a bounded number of levels, so checking every 16th value is enough.
  static func checkDepth(
    of result: Value, from value: Value, index: Int64, _ expression: PlannedExpression
  ) throws(StreamFailure) {
    guard index & 15 == 15, result.isDeeper(than: depthLimit) else { return }
    throw expression.tooDeep(depthLimit, for: value)
  }

  /// The depth limit of JSON files.
  static let depthLimit = JSONLimits().depth
}

/// The cells of an accumulation in a fused segment.
struct AccumulationCells: Sendable {
  let acc: Operand
  let index: SegmentIndex
  /// Whether there is an accumulation before the first value.
  let hasInitial: Bool

  /// Adds the instructions that accumulate the current value.
  init(_ accumulation: Accumulation, _ expression: PlannedExpression, _ segment: inout SegmentBuilder) {
    let type = accumulation.acc.map(CELType.of) ?? segment.value.type
    let isScalar = type.isScalar && type == expression.resultType
    hasInitial = accumulation.acc != nil
    index = segment.index(isRead: !isScalar || !hasInitial || expression.reads("index"))
    guard let initial = accumulation.acc else {
      acc = segment.cell(for: isScalar ? type : .dyn)
      let (later, done) = (segment.label(), segment.label())
      segment.branch(unless: segment.equal(index.cell, segment.constant(.int(0))), to: later)
      segment.store(segment.value, in: acc)
      segment.jump(to: done)
      segment.place(later)
      segment.store(Self.next(acc, index, expression, isScalar, &segment), in: acc)
      segment.place(done)
      segment.advance(index)
      segment.value = acc
      return
    }
    acc = segment.cell(initial, isScalar ? type : .dyn)
    let next = Self.next(acc, index, expression, isScalar, &segment)
    segment.store(next, in: acc)
    segment.advance(index)
    segment.value = next
  }

  private static func next(
    _ acc: Operand, _ index: SegmentIndex, _ expression: PlannedExpression, _ isScalar: Bool,
    _ segment: inout SegmentBuilder
  ) -> Operand {
    let next = segment.evaluate(expression, index: index, ["acc": acc])
    if !isScalar { segment.limitDepth(of: next, to: Accumulation.depthLimit, every: index) }
    return next
  }

  func accumulation(_ cells: SegmentCells) -> Accumulation {
    let count = cells[index]
    return Accumulation(acc: hasInitial || count > 0 ? cells[acc] : nil, index: count)
  }

  func load(_ accumulation: Accumulation, _ cells: SegmentCells) {
    cells[index] = accumulation.index
    if let value = accumulation.acc { cells[acc] = value }
  }
}

private struct ScanMachine: Machine {
  let expression: PlannedExpression
  var state: Accumulation

  func problem(with saved: Accumulation) -> String? { saved.problem(beside: state) }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    effects.publish(try state.add(value, expression, effects))
  }

  var lowering: Lowering? {
    Lowering([expression]) { segment in
      let parts = AccumulationCells(state, expression, &segment)
      segment.keep {
        parts.accumulation($0)
      } loading: {
        parts.load($0, $1)
      }
    }
  }
}

extension Operator.Scan {
  public static let fieldsOfState: Set<String> = ["initialValue"]

  public static let spec = OperatorSpec(
    "scan", "Accumulates values with an expression, and publishes each accumulation.",
    memory: .growing("the accumulation"),
    fields: FieldSpec.accumulating,
    examples: [
      .marbles(
        "a running total", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-b-c|",
        out: "-a-c-f|", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "an empty stream", #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, in: "--|",
        out: "--|"),
      .marbles(
        "no initial value", #"{"scan": {"expression": "acc * 10 + value"}}"#, in: "-a-b|", out: "-a-c|",
        values: ["a": 1, "b": 2, "c": 12]),
      .marbles(
        "null as the initial value",
        #"{"scan": {"initialValue": null, "expression": "acc == null ? 'first' : 'next'"}}"#,
        in: "-a-b|", out: "-'first'-'next'|"),
      .rejects("no expression", #"{"scan": {"initialValue": 0}}"#, .missingField, at: "/scan"),
    ])
}
