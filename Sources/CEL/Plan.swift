public import StreamCore

/// An expression ready for repeated evaluation.
///
/// Immutable: any number of threads may evaluate it, each with its own activation.
public struct Plan: Sendable {
  package let body: PlanBody

  init(_ body: PlanBody) { self.body = body }

  public var expression: CELExpression { body.expression }

  /// The known type of the result.
  public var resultType: CELType { body.resultType }
  /// The estimated cost of an evaluation.
  public var cost: Cost { body.cost }
  /// Whether the result depends on `now()`.
  public var readsTime: Bool { body.readsTime }
  /// Whether the expression calls a function declared by the host, whose behavior is unknown.
  public var callsHost: Bool { body.callsHost }

  /// Whether the expression reads the variable with this name.
  public func uses(_ name: String) -> Bool { body.variables.contains { $0.variable.name == name } }

  /// Returns the type of the variable's values for which the expression is true, if its values have this type.
  package func narrowed(_ type: CELType, of name: String) -> CELType {
    let slot = body.variables.last { $0.variable.name == name }?.slot
    return body.tests.reduce(type) { $1.slot == slot ? $0.narrowed(at: $1.names[...], $1.fact) : $0 }
  }

  /// The variables that the expression reads, with their indices in the environment.
  public var usedVariables: [(slot: Int, variable: Variable)] { body.variables }

  /// Evaluates the expression for the variables of an activation, whose slots have the order of the environment's
  /// variables.
  public func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    activation.prepare(for: body)
    return try body.evaluate(activation)
  }
}

/// The storage shared by the copies of a plan.
@usableFromInline
package final class PlanBody: Sendable {
  let expression: CELExpression
  package let root: PlanNode
  @usableFromInline let slotCount: Int
  /// The declared variables that the expression uses, by their slots.
  package let variables: [(slot: Int, variable: Variable)]
  let resultType: CELType
  let cost: Cost
  /// The facts that a true result shows about the variables.
  let tests: [NullTest]
  let readsTime: Bool
  let callsHost: Bool
  /// Nesting depth of the expression, in levels.
  package let depth: Int
  /// Bytes of stack that an evaluation needs, if a thread may have fewer left; 0 for shallow expressions.
  private let stackBytes: Int

  init(
    _ expression: CELExpression, root: PlanNode, slotCount: Int, variables: [(slot: Int, variable: Variable)],
    _ resultType: CELType, _ cost: Cost, tests: [NullTest], readsTime: Bool, callsHost: Bool, depth: Int
  ) {
    self.expression = expression
    self.root = root
    self.slotCount = slotCount
    self.variables = variables
    self.resultType = resultType
    self.cost = cost
    self.tests = tests
    self.readsTime = readsTime
    self.callsHost = callsHost
    self.depth = depth
    stackBytes = depth > Self.shallowLevels ? depth * Self.bytesPerLevel + Self.functionBytes : 0
  }

  /// Number of levels that fit on any stack.
  private static let shallowLevels = 16
  /// Measured: 4 KB for a conditional without compiler optimization.
  private static let bytesPerLevel = _isDebugAssertConfiguration() ? 6 * 1024 : 1024

  /// Bytes of stack for the functions that are called.
  private static let functionBytes = 64 * 1024

  /// Returns the value of the expression, evaluated on a stack with enough room.
  @inline(__always)
  package func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    if stackBytes == 0 { return try root.evaluate(activation) }
    return try DeepStack.run(needing: stackBytes) { () throws(EvaluationError) in try root.evaluate(activation) }
  }
}
