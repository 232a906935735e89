public import CEL
public import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Accumulates values with an expression, and publishes each accumulation.
  ///
  /// The initial value itself is not published. Without one, the first value is the first accumulation.
  ///
  /// - Memory: the accumulation.
  /// - SeeAlso: `reduce`, which publishes only the last accumulation.
  public struct Scan: StepDefinition {
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
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planAccumulation(expression, from: initialValue)
    context.outputType =
      initialValue == nil ? expression.resultType.joined(with: context.inputType) : expression.resultType
    let initialValue = initialValue
    return Steps([expression]) { segment in
      let accumulation = AccumulationCells(from: initialValue, expression, &segment)
      segment.keep {
        accumulation.state($0)
      } loading: {
        accumulation.load($0, $1)
      } refusing: {
        accumulation.problem(with: $0)
      }
    }
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
  let acc: Value?
  @Counted private(set) var index: Int64

  init(acc: Value?, index: Int64) {
    self.acc = acc
    self.index = index
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

/// The cells of an accumulation.
struct AccumulationCells: Sendable {
  private let acc: Operand
  private let index: SegmentIndex
  /// Whether there is an accumulation before the first value.
  private let hasInitial: Bool

  /// Adds the instructions that accumulate the current value.
  init(from initialValue: Value?, _ expression: PlannedExpression, _ segment: inout SegmentBuilder) {
    let type = initialValue.map(CELType.of) ?? segment.value.type
    let isScalar = type.isScalar && type == expression.resultType
    hasInitial = initialValue != nil
    index = segment.index(isRead: !isScalar || !hasInitial || expression.reads("index"))
    // Without an initial value, the first value that is not skipped is the first accumulation.
    if hasInitial { segment.countSkipped(with: index) }
    guard let initialValue else {
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
    acc = segment.cell(initialValue, isScalar ? type : .dyn)
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

  func state(_ cells: SegmentCells) -> Accumulation {
    let count = cells[index]
    return Accumulation(acc: hasInitial || count > 0 ? cells[acc] : nil, index: count)
  }

  func load(_ state: Accumulation, _ cells: SegmentCells) {
    cells[index] = state.index
    if let value = state.acc { cells[acc] = value }
  }

  /// Describes the error in a saved accumulation; nil if it is valid.
  func problem(with saved: Accumulation) -> String? {
    (saved.acc != nil) == (hasInitial || saved.index > 0) ? nil : "accumulates \(saved.index) values"
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
