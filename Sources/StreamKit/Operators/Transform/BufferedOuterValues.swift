internal import StreamCore
internal import StreamEngine

/// The values of upstream, kept until it finishes. Each then starts a stream, on port 1, 2 … in their order.
struct BufferedOuterValues: Codable, Sendable {
  private var values: [Value] = []

  var count: Int { values.count }

  mutating func add(_ value: Value, limit: Int, owner: String) throws(StreamFailure) {
    guard values.count < limit else {
      throw .beyondLimit(limit, "value", " waiting to start streams", of: owner, value: value)
    }
    values.append(value)
  }

  /// Starts all streams, then requests values from them.
  mutating func begin(asking demand: Demand, _ effects: Effects) {
    for (index, value) in values.enumerated() {
      effects.subscribe(to: 1, on: index + 1, capturing: [value, .int(Int64(index))])
    }
    for index in values.indices { effects.request(demand, from: index + 1) }
    values = []
  }
}
