internal import CEL
internal import StreamCore
internal import StreamRuntime

/// Finds the smallest or the greatest value: `min` and `max`. Of values that are alike the first counts.
struct ExtremeMachine: Machine {
  struct State: Codable, Sendable {
    var best: Value?
    /// What was compared of the best.
    var key = Value.null
    /// The index of the next value.
    var index: Int64 = 0
    var result = PendingResult()
  }

  let key: Selection
  /// Gives a number of two values, in place of comparing their keys.
  let compare: PlannedExpression?
  let owner: String
  let isGreatest: Bool
  var state = State()

  init(
    by: Expression?, compare: Expression?, isGreatest: Bool, _ context: inout OperatorContext
  ) throws(Diagnostics) {
    owner = context.name
    self.isGreatest = isGreatest
    if let compare {
      self.compare = try Self.plan(compare, &context)
      key = try context.planSelection(nil, field: "by")
    } else {
      self.compare = nil
      key = try context.planSelection(
        by, field: "by", of: NaturalOrder.expectation, where: \.mayBeOrdered)
    }
  }

  private static func plan(
    _ compare: Expression, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PlannedExpression {
    let planned = try context.plan(
      compare, field: "compare",
      over: [Variable("first", context.inputType), Variable("second", context.inputType)])
    guard planned.resultType.mayBeNumber else {
      throw Diagnostics([
        Diagnostic(
          .typeMismatch,
          "the expression 'compare' of '\(context.name)' gives \(planned.resultType); it must give a number",
          at: JSONPointer(["compare"]), part: .text(0..<compare.text.utf8.count),
          help: "below 0 where 'first' is the smaller, as in first.size - second.size")
      ])
    }
    return planned
  }

  mutating func start(_ answers: Answers) { answers.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    let key = try key.select(value, index: state.index, answers)
    if try isBetter(key, for: value, answers) {
      state.best = value
      state.key = key
    }
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    state.result.end(completion, with: state.best, answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.result.request(demand, answers) }

  /// Whether a key takes the place of the best so far.
  private func isBetter(_ key: Value, for value: Value, _ answers: Answers) throws(StreamFailure) -> Bool {
    // As Combine: the comparison is of the smaller with the greater, whichever is to be replaced.
    let (first, second) = isGreatest ? (state.key, key) : (key, state.key)
    if let compare {
      guard state.best != nil else { return true }
      let order = try compare.evaluate(answers, variables: [first, second], value: value)
      return try Self.isNegative(order, of: compare, for: value)
    }
    let kind = try NaturalOrder(of: key, owner: owner, for: value)
    guard state.best != nil else { return true }
    try kind.require(NaturalOrder(of: state.key, owner: owner, for: value), owner: owner, for: value)
    return first.order(second) == -1
  }

  private static func isNegative(
    _ order: Value, of expression: PlannedExpression, for value: Value
  ) throws(StreamFailure) -> Bool {
    switch order {
    case .int(let number): return number < 0
    case .uint: return false
    case .double(let number): return number < 0
    default:
      throw StreamFailure(
        .wrongResult,
        "the expression 'compare' of '\(expression.owner)' gave \(order.describedType); it must give a number",
        pointer: expression.pointer, value: value)
    }
  }
}

extension FieldSpec {
  /// The fields of an operator that compares values.
  static let comparing: [FieldSpec] = [
    .optional("by", .expression(["value", "index"]), "What is compared, in place of the whole value."),
    .optional(
      "compare", .expression(["first", "second"]),
      "Compares two values in place of their order: a number below 0 where `first` is the smaller."),
  ]
}
