public import StreamCore

/// The variables of evaluations, and the budget of the evaluation in progress.
///
/// Use it from one thread at a time. Slots beyond the declared variables belong to the plan, for the variables of its
/// loops.
public final class Activation {
  /// The slots in raw memory, grown to a plan's needs before it runs. Accesses to these properties are plain reads and
  /// writes, which never overlap; without the run-time exclusivity check a read costs a third.
  @usableFromInline @exclusivity(unchecked) var slots: UnsafeMutablePointer<Value>
  @usableFromInline @exclusivity(unchecked) private(set) var capacity: Int
  @usableFromInline @exclusivity(unchecked) private(set) var declared: Int
  /// Number of steps left before the next pause, or before the evaluation fails.
  @usableFromInline @exclusivity(unchecked) var budget: Int
  /// Number of steps left beyond the next pause: 0 without pauses.
  @usableFromInline @exclusivity(unchecked) var reserve = 0
  /// The reserve of a new evaluation.
  @usableFromInline @exclusivity(unchecked) var fullReserve = 0
  @exclusivity(unchecked) private var pauses: Pauses?
  /// Limits of each evaluation.
  @exclusivity(unchecked) public var limits: ExpressionLimits
  /// Result of `now()`.
  public var now = Timestamp(seconds: 0)
  /// The random numbers of the evaluation in progress.
  @exclusivity(unchecked) var draws = RandomDraws(key: 0)
  /// Receives the number of steps of each long evaluation when the next evaluation begins. Default nil.
  package var longEvaluation: ((Int) -> Void)?
  /// Number of steps above which an evaluation is long.
  @inlinable static var longSteps: Int { 256 }
  /// Compares values and charges the budget for it.
  private(set) lazy var equality = PaidEquality(self)
  /// Cache of the plans' field accesses.
  @exclusivity(unchecked) var fieldCaches = FieldCacheTable()
  /// Cache of the shapes that functions on maps make.
  @exclusivity(unchecked) var shapeChanges = ShapeChanges()

  public init(slotCount: Int, limits: ExpressionLimits = ExpressionLimits()) {
    declared = max(slotCount, 0)
    capacity = max(declared, 1)
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: .null, count: capacity)
    self.limits = limits
    budget = limits.budget
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  /// Declares the first `count` slots as variables. The number of variables never decreases.
  package func declare(_ count: Int) {
    guard count > declared else { return }
    declared = count
    if capacity < count { grow(to: count) }
  }

  /// Sets the variable at an index of the environment's variables.
  @inlinable
  public func set(_ value: Value, at slot: Int) {
    precondition(slot >= 0 && slot < declared, "a variable's slot lies within the activation")
    slots[slot] = value
  }

  /// Returns the value in a slot.
  public func value(at slot: Int) -> Value {
    precondition(slot >= 0 && slot < declared, "a variable's slot lies within the activation")
    return slots[slot]
  }

  /// Steps of the last evaluation, as far as they grow with the data. Greater than the budget if the evaluation
  /// exceeded it.
  @inlinable public var steps: Int { limits.budget &- budget &- reserve }

  // NB: Inlinable, because an access from another module would check exclusivity.

  /// Sets a slot, which may belong to a plan's own variable.
  @inlinable
  package func bind(_ value: Value, at slot: Int) { slots[slot] = value }

  /// Number of steps left in the budget of the evaluation in progress.
  @inlinable
  package var stepsLeft: Int {
    get { budget &+ reserve }
    set { budget = newValue &- reserve }
  }

  /// Grows the slots to a plan's needs and restores the full budget.
  @inlinable @inline(__always)
  package func prepare(for body: PlanBody) {
    if steps > Self.longSteps { reportLongEvaluation() }
    budget = limits.budget &- fullReserve
    if capacity < body.slotCount { grow(to: body.slotCount) }
  }

  @usableFromInline @inline(never)
  func reportLongEvaluation() {
    longEvaluation?(steps)
    reserve = fullReserve
  }

  /// Pauses in long evaluations.
  private struct Pauses {
    let steps: Int
    let problem: String
    let mayContinue: (Bool) -> Bool
  }

  /// Calls a function again and again during long evaluations.
  ///
  /// - Parameters:
  ///   - steps: The number of steps between two calls, more than 256.
  ///   - problem: The message of an evaluation that may not continue.
  ///   - mayContinue: Whether the evaluation may continue. The argument is whether it is the first call for the evaluation.
  package func pause(every steps: Int, failing problem: String, _ mayContinue: @escaping (Bool) -> Bool) {
    assert(steps > Self.longSteps, "an evaluation with a pause is a long one")
    pauses = Pauses(steps: steps, problem: problem, mayContinue: mayContinue)
    fullReserve = max(0, limits.budget - steps)
    reserve = fullReserve
    budget = limits.budget - fullReserve
  }

  @usableFromInline
  func grow(to count: Int) {
    let grown = UnsafeMutablePointer<Value>.allocate(capacity: count)
    grown.moveInitialize(from: slots, count: capacity)
    (grown + capacity).initialize(repeating: .null, count: count - capacity)
    slots.deallocate()
    slots = grown
    capacity = count
  }

  /// Charges the budget for work whose amount depends on the data.
  @inline(__always)
  func charge(_ steps: Int) throws(EvaluationError) {
    assert(steps >= 0, "work takes no negative number of steps")
    budget &-= steps
    if budget < 0 { try pause() }
  }

  /// Continues the evaluation after a pause, if it may.
  @inline(never)
  private func pause() throws(EvaluationError) {
    while budget < 0, reserve > 0, let pauses {
      guard pauses.mayContinue(reserve == fullReserve) else {
        throw EvaluationError(.budgetExceeded, pauses.problem)
      }
      let part = min(reserve, pauses.steps)
      reserve -= part
      budget += part
    }
    if budget < 0 {
      throw EvaluationError(.budgetExceeded, "the evaluation took more than \(limits.budget) steps")
    }
  }

  /// Rejects a string that has become too long, and charges the budget for creating it.
  func checkBytes(_ count: Int) throws(EvaluationError) {
    try limitBytes(count)
    // Allocating memory takes time.
    try charge(count >> 3)
  }

  /// Rejects a list that has become too long, and charges the budget for creating it.
  func checkCount(_ count: Int) throws(EvaluationError) {
    try limitCount(count)
    try charge(count &* 4)
  }

  /// Rejects a string that becomes too long while it is built.
  @inline(__always)
  func limitBytes(_ count: Int) throws(EvaluationError) {
    if count > limits.stringBytes { throw tooLong(count) }
  }

  /// Rejects a list that becomes too long while it is built.
  @inline(__always)
  func limitCount(_ count: Int) throws(EvaluationError) {
    if count > limits.listCount { throw tooMany(count) }
  }

  private func tooLong(_ count: Int) -> EvaluationError {
    EvaluationError(.limitExceeded, "a string of \(count) bytes is longer than the \(limits.stringBytes) allowed")
  }

  private func tooMany(_ count: Int) -> EvaluationError {
    EvaluationError(.limitExceeded, "a list of \(count) elements is longer than the \(limits.listCount) allowed")
  }
}
