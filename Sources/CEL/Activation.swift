public import StreamCore

/// The variables of evaluations, and the budget of the evaluation in progress.
///
/// Use it from one thread at a time. Slots beyond the declared variables belong to the plan, for the variables of its
/// loops.
public final class Activation {
  /// The slots: raw memory, which plans grow to what they need before they run. No two accesses to these properties
  /// overlap, each is a plain read or write; without the run-time check of that a read costs a third.
  @usableFromInline @exclusivity(unchecked) var slots: UnsafeMutablePointer<Value>
  @usableFromInline @exclusivity(unchecked) private(set) var capacity: Int
  @usableFromInline @exclusivity(unchecked) private(set) var declared: Int
  /// Steps left.
  @usableFromInline @exclusivity(unchecked) var budget: Int
  /// Limits of each evaluation.
  @exclusivity(unchecked) public var limits: Limits
  /// Result of `now()`.
  public var now = Timestamp(seconds: 0)
  /// Hears the steps of each long evaluation, when the next one begins. Default nobody.
  package var longEvaluation: ((Int) -> Void)?
  /// An evaluation of more steps than these is a long one.
  @inlinable static var longSteps: Int { 256 }
  /// Compares values, and pays for it.
  private(set) lazy var equality = PaidEquality(self)
  /// What the plans' field accesses have found.
  @exclusivity(unchecked) var fieldCaches = FieldCacheTable()

  public init(slotCount: Int, limits: Limits = Limits()) {
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

  /// Declares the first `count` slots as variables. An activation has at least as many variables as anybody has declared.
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
  @inlinable public var steps: Int { limits.budget &- budget }

  // NB: inlinable: an access from another module would check exclusivity.

  /// Sets a slot, which may be that of a plan's own variable.
  @inlinable
  package func bind(_ value: Value, at slot: Int) { slots[slot] = value }

  /// Steps left of the budget of the evaluation in progress.
  @inlinable
  package var stepsLeft: Int {
    get { budget }
    set { budget = newValue }
  }

  /// Makes room for what a plan needs, and gives it a full budget.
  @inlinable @inline(__always)
  package func prepare(for body: PlanBody) {
    if limits.budget &- budget > Self.longSteps { tellLongEvaluation() }
    budget = limits.budget
    if capacity < body.slotCount { grow(to: body.slotCount) }
  }

  @usableFromInline @inline(never)
  func tellLongEvaluation() { longEvaluation?(limits.budget &- budget) }

  @usableFromInline
  func grow(to count: Int) {
    let grown = UnsafeMutablePointer<Value>.allocate(capacity: count)
    grown.moveInitialize(from: slots, count: capacity)
    (grown + capacity).initialize(repeating: .null, count: count - capacity)
    slots.deallocate()
    slots = grown
    capacity = count
  }

  /// Pays for work whose amount depends on the data.
  @inline(__always)
  func charge(_ steps: Int) throws(EvaluationError) {
    assert(steps >= 0, "work takes no negative number of steps")
    budget &-= steps
    if budget < 0 { throw overspent() }
  }

  private func overspent() -> EvaluationError {
    EvaluationError(.budgetExceeded, "the evaluation took more than \(limits.budget) steps")
  }

  /// Refuses a string that has grown too long, and pays for making it.
  func checkBytes(_ count: Int) throws(EvaluationError) {
    try limitBytes(count)
    // New memory takes its time.
    try charge(count >> 3)
  }

  /// Refuses a list that has grown too long, and pays for making it.
  func checkCount(_ count: Int) throws(EvaluationError) {
    try limitCount(count)
    try charge(count &* 4)
  }

  /// Refuses a string that grows too long, while it grows.
  @inline(__always)
  func limitBytes(_ count: Int) throws(EvaluationError) {
    if count > limits.stringBytes { throw tooLong(count) }
  }

  /// Refuses a list that grows too long, while it grows.
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
