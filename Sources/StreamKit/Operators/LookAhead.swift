internal import StreamCore
internal import StreamRuntime

/// Asks upstream for what downstream wants, but for no more than so many values that have not gone out yet: bounds what
/// waits in an operator that holds values back.
struct LookAhead: Codable, Sendable {
  /// The most values that are asked for and have not gone out.
  @Counted private var limit: Int
  /// How many there are.
  @Counted private var ahead = 0
  /// What downstream wants beyond that.
  private var owed = Demand.none

  init(limit: Int) { _limit = Counted(wrappedValue: limit) }

  /// What downstream wants and has not got.
  var unanswered: Demand { owed + Demand(ahead) }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    owed += demand
    ask(effects)
  }

  /// A value has gone out.
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
