public import CEL
public import StreamCore
public import StreamProgram

/// The behavior of an operator as steps of a program: what it does with each value.
///
/// Neighboring operators become one program, optimized for the expected types. With `fuses: false`, and if one of its
/// expressions calls a function of the host, an operator is a program of its own in which each expression runs as its
/// plan, once for each value.
public struct Steps: Sendable {
  let expressions: [SegmentExpression]
  /// Whether it publishes once, at the end, so that nothing can follow in the segment.
  let isSummary: Bool
  let write: @Sendable (inout SegmentBuilder) -> Void

  /// An operator that answers each value with at most one.
  ///
  /// - Parameters:
  ///   - expressions: All that the steps evaluate.
  ///   - write: Writes the steps.
  public init(_ expressions: [SegmentExpression] = [], write: @escaping @Sendable (inout SegmentBuilder) -> Void) {
    self.init(expressions, isSummary: false, write: write)
  }

  /// An operator that asks for all values, and publishes when the stream finishes or what it looks for has come.
  public static func summary(
    _ expressions: [SegmentExpression] = [], write: @escaping @Sendable (inout SegmentBuilder) -> Void
  ) -> Steps {
    Steps(expressions, isSummary: true, write: write)
  }

  private init(
    _ expressions: [SegmentExpression], isSummary: Bool, write: @escaping @Sendable (inout SegmentBuilder) -> Void
  ) {
    self.expressions = expressions
    self.isSummary = isSummary
    self.write = write
  }

  /// Whether it calls a function of the host, which is called once for a value. An optimized program does not promise
  /// that.
  var callsHost: Bool { expressions.contains { $0.plan.callsHost } }

  var readsTime: Bool { expressions.contains { $0.plan.readsTime } }

  /// The variables that its expressions capture, by slot.
  var captures: [(slot: Int, type: CELType)] {
    expressions.flatMap { expression in
      expression.plan.usedVariables.filter { $0.slot < expression.firstSlot }.map { ($0.slot, $0.variable.type) }
    }
  }

  /// The approximate number of its instructions: one for a few characters of an expression.
  var size: Int { expressions.reduce(8) { $0 + $1.plan.expression.text.utf8.count } }
}

/// An expression of an operator, as a segment needs it.
///
/// `@unchecked`: immutable; subclasses add only what is so.
open class SegmentExpression: @unchecked Sendable {
  public let plan: Plan
  /// Where the operator's own variables begin: those that are captured come before.
  public let firstSlot: Int

  public init(_ plan: Plan, firstSlot: Int) {
    self.plan = plan
    self.firstSlot = firstSlot
  }

  /// What is said when the expression, or what is done with its result, fails for a value.
  open func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure {
    StreamFailure(.expressionFailed, "the expression failed", value: value)
  }
}
