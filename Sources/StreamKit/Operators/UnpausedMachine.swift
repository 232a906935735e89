internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// A machine that decides itself when to publish, and so cannot wait for demand: values without demand wait in a queue.
/// It requests all values from upstream.
protocol UnpausedMachine: Machine where State: UnpausedState {
  /// The name of the operator, for messages.
  static var name: String { get }
}

/// The state of such a machine: `demand` and `unrequested` are `none` and nil at first.
protocol UnpausedState: Codable, Sendable {
  var demand: Demand { get set }
  /// The values that wait for demand; nil if there are none.
  var unrequested: UnrequestedValues? { get set }
}

/// Values that wait for demand, and the finish that follows them.
struct UnrequestedValues: Codable, Sendable {
  /// Maximum number of values.
  static let limit = 1_024

  fileprivate var values: Deque<Value> = []
  fileprivate var isFinal = false
}

extension UnpausedMachine {
  mutating func request(_ demand: Demand, _ effects: Effects) { requestAll(demand, effects) }

  mutating func requestAll(_ demand: Demand, _ effects: Effects) {
    publishUnrequested(demand, effects)
    effects.request(.unlimited, from: 0)
  }

  /// Adds demand and publishes the values that have waited for it, then the finish.
  private mutating func publishUnrequested(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    guard var unrequested = state.unrequested else { return }
    while !unrequested.values.isEmpty, state.demand.takeOne() { effects.publish(unrequested.values.removeFirst()) }
    let isEmpty = unrequested.values.isEmpty
    state.unrequested = isEmpty ? nil : unrequested
    if isEmpty, unrequested.isFinal { effects.finish() }
  }

  /// Publishes a value, now or when it is requested.
  mutating func publish(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    if state.unrequested == nil, state.demand.takeOne() { return effects.publish(value) }
    var unrequested = state.unrequested ?? UnrequestedValues()
    guard unrequested.values.count < UnrequestedValues.limit else {
      throw .beyondLimit(UnrequestedValues.limit, "value", " without demand", of: Self.name, value: value)
    }
    unrequested.values.append(value)
    state.unrequested = unrequested
  }

  /// Completes: a finish follows the values that wait, a failure does not wait.
  mutating func complete(_ completion: Completion, _ effects: Effects) {
    guard case .finished = completion, state.unrequested != nil else { return effects.complete(completion) }
    state.unrequested?.isFinal = true
  }
}
