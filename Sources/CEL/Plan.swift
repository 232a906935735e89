public import StreamCore

/// An expression ready to run, again and again.
///
/// Immutable: any number of threads may evaluate it, each with its own activation.
public struct Plan: Sendable {
  /// What is known of the result's type.
  public let resultType: CELType
  /// What an evaluation takes, estimated.
  public let cost: Cost
  /// Whether what the expression gives depends on `now()`.
  public let readsTime: Bool
  /// Whether the expression calls a function that the host has declared, of which nobody knows what it does.
  public let callsHost: Bool
  let body: PlanBody

  public var expression: Expression { body.expression }

  init(
    _ resultType: CELType, _ cost: Cost, readsTime: Bool, callsHost: Bool, _ body: PlanBody
  ) {
    self.resultType = resultType
    self.cost = cost
    self.readsTime = readsTime
    self.callsHost = callsHost
    self.body = body
  }

  /// Whether the expression reads the variable of this name.
  public func uses(_ name: String) -> Bool { body.variables.contains { $0.variable.name == name } }

  /// The variables that the expression reads, by their places in the environment.
  public var usedVariables: [(slot: Int, variable: Variable)] { body.variables }

  /// The value for these variables, whose slots are in the order of the environment's variables.
  public func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    activation.prepare(for: body)
    return try body.root.evaluate(activation)
  }
}

/// What a plan's copies share.
final class PlanBody: Sendable {
  let expression: Expression
  let root: PlanNode
  let slotCount: Int
  /// The declared variables that the expression uses, by their slots.
  let variables: [(slot: Int, variable: Variable)]

  init(_ expression: Expression, root: PlanNode, slotCount: Int, variables: [(slot: Int, variable: Variable)]) {
    self.expression = expression
    self.root = root
    self.slotCount = slotCount
    self.variables = variables
  }
}
