internal import StreamCore
internal import StreamEngine

/// Publishes constant values on demand: the machine of the items of `stream`, `just` and `sequence`.
struct SequenceMachine: PullSource, BatchSource {
  private let values: [Value]
  /// The number of values published.
  var state = PullState(0)

  init(_ values: [Value]) { self.values = values }

  func problem(with saved: PullState<Int>) -> String? {
    (0...values.count).contains(saved.place) ? nil : "is at value \(saved.place) of \(values.count)"
  }

  func isDone(_ place: Int) -> Bool { place >= values.count }

  mutating func next(_ place: inout Int, _ effects: Effects) -> Value? {
    guard place < values.count else { return nil }
    place += 1
    return values[place - 1]
  }

  func upcoming(_ fields: () -> [String]?) -> UpcomingValues? {
    guard isRunningOn, state.place < values.count else { return nil }
    return .elements(values[state.place..<min(values.count, state.place + UpcomingValues.limit)])
  }

  mutating func advance(by count: Int, _ effects: Effects) { proceed(from: state.place + count, effects) }

  var lowering: Lowering<PullState<Int>>? {
    guard values.count == 1 else { return nil }
    let value = values[0]
    return .value(Steps { $0.value = $0.constant(value) })
  }
}
