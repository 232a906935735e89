internal import StreamCore
internal import StreamEngine

/// A source that computes its values one by one, on demand.
///
/// It implements only the next step. All effects of a value are delivered before the next value is computed.
protocol PullSource: Machine where State == PullState<Place> {
  /// The position of the source.
  associatedtype Place: Codable & Sendable

  /// Whether there is no next value, as far as that is known without computing it.
  func isDone(_ place: Place) -> Bool
  /// The next value, and the position after it; nil if there is none.
  mutating func next(_ place: inout Place, _ effects: Effects) throws(StreamFailure) -> Value?
  /// Whether the position that `next` set before it failed is past the error, so that the next value can be requested
  /// there. Default false.
  var isPastFailure: Bool { get }
}

/// The state of a pull source.
struct PullState<Place: Codable & Sendable>: Codable, Sendable {
  var place: Place
  var demand = Demand.none
  /// Whether the effects of a value are still being delivered.
  var isRunning = false

  init(_ place: Place) { self.place = place }
}

extension PullSource {
  var isPastFailure: Bool { false }

  /// Whether values are published one after another with unlimited demand.
  var isRunningOn: Bool { state.isRunning && state.demand.isUnlimited }

  /// Continues from a position past values that have been published.
  mutating func proceed(from place: Place, _ effects: Effects) {
    state.place = place
    if isDone(place) {
      state.isRunning = false
      effects.finish()
    } else {
      effects.resume()
    }
  }

  mutating func start(_ effects: Effects) throws(StreamFailure) {
    if isDone(state.place) { effects.finish() }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    state.demand += demand
    if !state.isRunning { try publishNext(effects) }
  }

  mutating func resume(_ effects: Effects) throws(StreamFailure) { try publishNext(effects) }

  private mutating func publishNext(_ effects: Effects) throws(StreamFailure) {
    state.isRunning = false
    guard state.demand > .none else { return }
    var place = state.place
    let next: Value?
    do throws(StreamFailure) {
      next = try self.next(&place, effects)
    } catch {
      guard effects.skipsErrors, isPastFailure else { throw error }
      state.place = place
      state.isRunning = true
      effects.skip(error)
      return effects.resume()
    }
    guard let value = next else { return effects.finish() }
    state.place = place
    _ = state.demand.takeOne()
    effects.publish(value)
    if isDone(state.place) {
      effects.finish()
    } else {
      state.isRunning = true
      effects.resume()
    }
  }
}
