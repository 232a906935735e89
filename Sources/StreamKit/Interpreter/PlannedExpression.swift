public import CEL
public import StreamCore
@_spi(Engine) public import StreamEngine

/// A planned expression of an operator; its failures include its location.
///
/// ```swift
/// let result = try expression?.evaluate(effects, value, index: state.index) ?? value
/// ```
public final class PlannedExpression: SegmentExpression {
  package let plan: Plan
  /// The first slot of the operator's own variables; captured variables precede it.
  package let firstSlot: Int
  /// Location of the fields, and the name of this field.
  private let fields: JSONPointer
  private let field: String
  /// The operator's name, for messages.
  let owner: String

  init(_ plan: Plan, _ field: String, of fields: JSONPointer, owner: String, firstSlot: Int) {
    self.fields = fields
    self.field = field
    self.owner = owner
    self.plan = plan
    self.firstSlot = firstSlot
  }

  /// Location of the expression, for messages.
  var pointer: JSONPointer { fields.appending(field) }

  /// Whether it reads the variable of this name, and that is none of those captured.
  func reads(_ name: String) -> Bool {
    plan.usedVariables.contains { $0.slot >= firstSlot && $0.variable.name == name }
  }

  public var resultType: CELType { plan.resultType }

  /// Returns the result for `value`, the first variable, if no other variable is declared or read.
  public func evaluate(_ effects: Effects, _ value: Value) throws(StreamFailure) -> Value {
    effects.activation.set(value, at: firstSlot)
    return try run(effects, value)
  }

  /// Returns the result for `value` and `index`.
  public func evaluate(_ effects: Effects, _ value: Value, index: Int64) throws(StreamFailure) -> Value {
    effects.activation.set(value, at: firstSlot)
    effects.activation.set(.int(index), at: firstSlot + 1)
    return try run(effects, value)
  }

  /// Returns the result for variables in the order of their declaration; failures refer to `value`, if there is one.
  public func evaluate(_ effects: Effects, variables: [Value], value: Value?) throws(StreamFailure) -> Value {
    for (slot, variable) in variables.enumerated() { effects.activation.set(variable, at: firstSlot + slot) }
    return try run(effects, value)
  }

  /// Returns a Boolean result; fails for a result of another type.
  public func truth(of result: Value, for value: Value?) throws(StreamFailure) -> Bool {
    if case .bool(let truth) = result { return truth }
    throw noTruth(result, for: value)
  }

  private func noTruth(_ result: Value, for value: Value?) -> StreamFailure {
    StreamFailure(
      .wrongResult, "the expression of '\(owner)' returned a value of type \(result.typeName); it must return a bool",
      pointer: pointer, value: value)
  }

  /// The failure of an accumulated value that is nested too deeply.
  func tooDeep(_ levels: Int, for value: Value) -> StreamFailure {
    StreamFailure(
      .limitExceeded, "the accumulated value is nested more than \(levels) levels deep", pointer: pointer, value: value)
  }

  package func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure {
    switch reason {
    case .evaluation(let error): StreamFailure(error, pointer: pointer, value: value)
    case .noBool(let result), .refused(let result, _): noTruth(result, for: value)
    case .tooDeep(let levels): tooDeep(levels, for: value)
    }
  }

  private func run(_ effects: Effects, _ value: Value?) throws(StreamFailure) -> Value {
    do throws(EvaluationError) {
      return try plan.evaluate(effects.activation)
    } catch {
      throw StreamFailure(error, pointer: pointer, value: value)
    }
  }
}
