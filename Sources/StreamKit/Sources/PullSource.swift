internal import StreamCore
internal import StreamRuntime

/// A source that makes its values one by one, as they are asked for.
///
/// It says only what comes next. Between two values everything that follows from the first is done.
protocol PullSource: Machine where State == PullState<Place> {
  /// What says how far the source has come.
  associatedtype Place: Codable & Sendable

  /// Whether there is nothing left, as far as that is known without making a value.
  func isDone(_ place: Place) -> Bool
  /// The next value, and the place behind it; nil if there is none after all.
  mutating func next(_ place: inout Place, _ effects: Effects) throws(StreamFailure) -> Value?
  /// Whether the place that `next` gave when it failed is behind what made it fail, so that the next value may be asked
  /// for there. Default false.
  var isPastFailure: Bool { get }
}

/// What a source that is pulled keeps.
struct PullState<Place: Codable & Sendable>: Codable, Sendable {
  var place: Place
  var demand = Demand.none
  /// Whether what follows from a value is still being done.
  var isRunning = false

  init(_ place: Place) { self.place = place }
}

extension PullSource {
  var isPastFailure: Bool { false }

  /// Whether values are published one after the other, and nothing bounds them.
  var isRunningOn: Bool { state.isRunning && state.demand.isUnlimited }

  /// Goes on from a place behind values that have been published.
  mutating func goOn(from place: Place, _ effects: Effects) {
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
