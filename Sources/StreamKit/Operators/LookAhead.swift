internal import StreamEngine

/// Forwards downstream's demand, limited to a number of values in flight: bounds the queue of an operator that delays
/// values.
struct LookAhead: Codable, Sendable {
  /// Maximum number of values in flight.
  @Counted private(set) var limit: Int
  /// Number of values in flight: requested, but not published yet.
  @Counted private var ahead = 0
  /// Demand beyond the limit.
  private var owed = Demand.none

  init(limit: Int) { _limit = Counted(wrappedValue: limit) }

  /// Returns the look-ahead of an operator whose downstream has requested all values.
  static func full(limit: Int) -> LookAhead {
    var all = LookAhead(limit: limit)
    (all.ahead, all.owed) = (limit, .unlimited)
    return all
  }

  /// Whether downstream has requested all values, and as many as possible are in flight.
  var isFull: Bool { owed.isUnlimited && ahead == limit }

  /// Demand of downstream that is still unmet.
  var unanswered: Demand { owed + Demand(ahead) }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    owed += demand
    ask(effects)
  }

  /// A value has been published.
  mutating func release(_ effects: Effects) {
    ahead -= 1
    ask(effects)
  }

  private mutating func ask(_ effects: Effects) {
    let count = min(owed.count, limit - ahead)
    guard count > 0 else { return }
    ahead += count
    if !owed.isUnlimited { owed = Demand(owed.count - count) }
    effects.request(Demand(count), from: 0)
  }
}

extension LookAhead: DemandCounting {
  var unansweredDemand: Demand { unanswered }
}
