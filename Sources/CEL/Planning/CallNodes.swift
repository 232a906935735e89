package import StreamCore

/// A call of a library function with one argument.
package final class UnaryCallNode: PlanNode, @unchecked Sendable {
  typealias Body = @Sendable (Value, Activation) throws(EvaluationError) -> Value
  /// The function's name.
  package let function: String
  let cost: FunctionCost
  package let argument: PlanNode
  let body: Body

  init(_ function: Function, _ argument: PlanNode, _ body: @escaping Body, _ range: Range<Int>) {
    self.function = function.name
    cost = function.cost
    self.argument = argument
    self.body = body
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try argument.evaluate(activation)
    do throws(EvaluationError) {
      try activation.charge(cost, value)
      return try body(value, activation)
    } catch {
      throw error.located(at: range)
    }
  }
}

/// A call of a library function with two arguments.
package final class BinaryCallNode: PlanNode, @unchecked Sendable {
  typealias Body = @Sendable (Value, Value, Activation) throws(EvaluationError) -> Value
  /// The function's name.
  package let function: String
  let cost: FunctionCost
  package let first: PlanNode
  package let second: PlanNode
  let body: Body

  init(_ function: Function, _ first: PlanNode, _ second: PlanNode, _ body: @escaping Body, _ range: Range<Int>) {
    self.function = function.name
    cost = function.cost
    self.first = first
    self.second = second
    self.body = body
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let a = try first.evaluate(activation)
    let b = try second.evaluate(activation)
    do throws(EvaluationError) {
      try activation.charge(cost, a, b)
      return try body(a, b, activation)
    } catch {
      throw error.located(at: range)
    }
  }
}

/// A call of a library function with any number of arguments.
package final class CallNode: PlanNode, @unchecked Sendable {
  typealias Body = @Sendable ([Value], Activation) throws(EvaluationError) -> Value
  /// The function's name.
  package let function: String
  let cost: FunctionCost
  package let arguments: [PlanNode]
  let body: Body

  init(_ function: Function, _ arguments: [PlanNode], _ body: @escaping Body, _ range: Range<Int>) {
    self.function = function.name
    cost = function.cost
    self.arguments = arguments
    self.body = body
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.evaluate(activation)) }
    do throws(EvaluationError) {
      try activation.charge(cost, values)
      return try body(values, activation)
    } catch {
      throw error.located(at: range)
    }
  }
}
