internal import CEL
internal import DequeModule
@_spi(Engine) internal import StreamCore

/// Publishes the results of a partition in the one order that they have wherever the keys run: by time, then by the text
/// of the key, then in the order of the key.
///
/// Each value is a list of a key and its result. The results of an instant are published when no timer of an operator
/// before this one is left at that instant. To the operators behind it they are events of the host, which precede their
/// own timers: so these operators do the same if the keys run in other executions, and the host sends their results.
///
/// - Memory: the results of one instant, and those that wait for demand.
struct ResultOrder: Machine {
  struct State: Codable, Sendable {
    /// The keys and results of the present instant, as lists of two.
    var present: [Value] = []
    /// The results in order that wait for demand.
    var ordered = Backlog()
    var hasAsked = false
    /// The completion that follows the results of the present instant.
    var ending: Completion?
  }

  var state = State()

  private static let endOfInstant = 0

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.ordered.ask(demand)
    state.ordered.drain(effects)
    guard !state.hasAsked else { return }
    state.hasAsked = true
    effects.request(.unlimited, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .list(let pair) = value, pair.count == 2 else {
      throw StreamFailure(.wrongType, "a result of a partition comes without its key", value: value)
    }
    if state.present.isEmpty {
      effects.setTimer(Self.endOfInstant, at: effects.now, ticket: effects.takeTicketOfResults())
    }
    state.present.append(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if state.present.isEmpty {
      state.ordered.end(completion, effects, keeping: true)
    } else {
      state.ending = completion
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    for result in try Self.inOrder(state.present) { state.ordered.append(result) }
    state.present = []
    state.ordered.drain(effects)
    if let ending = state.ending { state.ordered.end(ending, effects, keeping: true) }
  }

  private struct Keyed {
    let text: [UInt8]
    let number: Int
    let result: Value
  }

  /// Returns the results of an instant in their order.
  private static func inOrder(_ pairs: [Value]) throws(StreamFailure) -> [Value] {
    var latest: (key: Value, text: [UInt8])?
    var keyed: [Keyed] = []
    var isSorted = true
    for (number, pair) in pairs.enumerated() {
      guard case .list(let pair) = pair, pair.count == 2 else { continue }
      if pairs.count == 1 { return [pair[1]] }
      if latest.map({ MapKey($0.key) != MapKey(pair[0]) }) ?? true {
        let text = try text(of: pair[0])
        if let latest, text.lexicographicallyPrecedes(latest.text) { isSorted = false }
        latest = (pair[0], text)
      }
      keyed.append(Keyed(text: latest?.text ?? [], number: number, result: pair[1]))
    }
    if !isSorted {
      keyed.sort { first, second in
        first.text == second.text ? first.number < second.number : first.text.lexicographicallyPrecedes(second.text)
      }
    }
    return keyed.map(\.result)
  }

  private static func text(of key: Value) throws(StreamFailure) -> [UInt8] {
    do throws(Diagnostic) {
      return try KeyText.bytes(of: key)
    } catch {
      throw StreamFailure(error.code, "the key of a partition with 'then' is not a JSON value: \(error.message)")
    }
  }
}
