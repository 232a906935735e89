import StreamCore

/// A branch of a choice, which records when it is taken.
final class BranchNode: PlanNode, @unchecked Sendable {
  private let side: PlanNode
  private let recorder: BranchRecorder
  private let number: Int

  init(_ side: PlanNode, _ kind: BranchRecorder.Branch.Kind, _ recorder: BranchRecorder, at range: Range<Int>) {
    self.side = side
    self.recorder = recorder
    number = recorder.number(of: BranchRecorder.Branch(kind: kind, range: range))
    super.init(side.range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    recorder.take(number)
    return try side.evaluate(activation)
  }

  override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    recorder.take(number)
    return try side.evaluateInt(activation)
  }

  override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    recorder.take(number)
    return try side.evaluateDouble(activation)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    recorder.take(number)
    return try side.evaluateBool(activation)
  }
}

/// The left operand of `&&` or `||`, which records when it decides alone.
final class DecidingNode: PlanNode, @unchecked Sendable {
  private let side: PlanNode
  private let decisive: Bool
  private let recorder: BranchRecorder
  private let number: Int

  init(_ side: PlanNode, decisive: Bool, _ recorder: BranchRecorder, at range: Range<Int>) {
    self.side = side
    self.decisive = decisive
    self.recorder = recorder
    number = recorder.number(
      of: BranchRecorder.Branch(kind: decisive ? .leftOfOr : .leftOfAnd, range: range))
    super.init(side.range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let isTrue = try side.evaluateBool(activation)
    if isTrue == decisive { recorder.take(number) }
    return isTrue
  }
}

extension Planner {
  /// `condition ? positive : negative`
  func conditional(_ nodes: [PlanNode], _ arguments: [Syntax.ID], _ range: Range<Int>) -> PlanNode {
    var (positive, negative) = (nodes[1], nodes[2])
    if let recorder = environment.branches, isWritten(":", between: arguments[1], arguments[2]) {
      positive = BranchNode(positive, .positive, recorder, at: syntax.ranges[arguments[1]])
      negative = BranchNode(negative, .negative, recorder, at: syntax.ranges[arguments[2]])
    }
    return ConditionalNode(nodes[0], positive, negative, range)
  }

  /// `left && right`, `left || right`
  func logic(_ nodes: [PlanNode], _ arguments: [Syntax.ID], decisive: Bool, _ range: Range<Int>) -> PlanNode {
    var (left, right) = (nodes[0], nodes[1])
    if let recorder = environment.branches, isWritten(decisive ? "||" : "&&", between: arguments[0], arguments[1]) {
      left = DecidingNode(left, decisive: decisive, recorder, at: syntax.ranges[arguments[0]])
      right = BranchNode(right, decisive ? .rightOfOr : .rightOfAnd, recorder, at: syntax.ranges[arguments[1]])
    }
    return LogicNode(left, right, decisive: decisive, range)
  }

  /// Whether the source contains the operator between its operands; calls from macro expansion have none there.
  private func isWritten(_ sign: String, between left: Syntax.ID, _ right: Syntax.ID) -> Bool {
    let (start, end) = (syntax.ranges[left].upperBound, syntax.ranges[right].lowerBound)
    guard start <= end else { return false }
    return String(decoding: syntax.text.utf8.dropFirst(start).prefix(end - start), as: UTF8.self).contains(sign)
  }
}
