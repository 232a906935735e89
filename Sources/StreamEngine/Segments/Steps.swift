package import CEL
package import StreamCore

/// The behavior of an operator for each value, as steps of a program.
///
/// Neighboring operators become one program, optimized for the expected types. With `fuses: false`, and if one of its
/// expressions calls a function of the host, an operator is a program of its own in which each expression runs as its
/// plan, once for each value.
package struct Steps: Sendable {
  let expressions: [any SegmentExpression]
  /// Whether it publishes once, at the end, so that nothing can follow in the segment.
  let isSummary: Bool
  let write: @Sendable (inout SegmentBuilder) -> Void

  /// Creates the steps of an operator that publishes at most one value for each value.
  ///
  /// - Parameters:
  ///   - expressions: All expressions that the steps evaluate.
  ///   - write: Writes the steps.
  package init(_ expressions: [any SegmentExpression] = [], write: @escaping @Sendable (inout SegmentBuilder) -> Void) {
    self.init(expressions, isSummary: false, write: write)
  }

  /// Returns the steps of an operator that requests all values, and publishes when the stream finishes or the value
  /// that it searches for has arrived.
  package static func summary(
    _ expressions: [any SegmentExpression] = [], write: @escaping @Sendable (inout SegmentBuilder) -> Void
  ) -> Steps {
    Steps(expressions, isSummary: true, write: write)
  }

  private init(
    _ expressions: [any SegmentExpression], isSummary: Bool, write: @escaping @Sendable (inout SegmentBuilder) -> Void
  ) {
    self.expressions = expressions
    self.isSummary = isSummary
    self.write = write
  }

  /// Whether it calls a function of the host, which is called once per value. An optimized program does not guarantee
  /// that.
  var callsHost: Bool { expressions.contains { $0.plan.callsHost } }

  var readsTime: Bool { expressions.contains { $0.plan.readsTime } }

  /// The variables that its expressions capture, by slot.
  var captures: [(slot: Int, type: CELType)] {
    expressions.flatMap { expression in
      expression.plan.usedVariables.filter { $0.slot < expression.firstSlot }.map { ($0.slot, $0.variable.type) }
    }
  }

  /// Rough upper estimate of the number of its instructions: one per byte of its expressions.
  var size: Int { expressions.reduce(8) { $0 + $1.plan.expression.text.utf8.count } }
}

/// An expression of an operator in a segment. Immutable.
package protocol SegmentExpression: AnyObject, Sendable {
  var plan: Plan { get }
  /// The first slot of the operator's own variables; captured variables precede it.
  var firstSlot: Int { get }

  /// Returns the failure of the expression, or of an operation on its result, for a value.
  func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure
}
