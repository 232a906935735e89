import ServiceLifecycle
import StreamKit

/// A trade.
struct Tick: Codable, Sendable {
  var symbol: String
  var price: Double
  var number: Int
}

/// One stream that runs once for all clients, and whose rules can change.
struct PriceBoard: Sendable {
  let ticks = PassthroughInput<Tick>()
  /// The number of connected clients.
  let clients = Gauge()
  private let stream: ChangingStream

  init(rules: StreamModel) throws { stream = try ChangingStream(rules, inputs: ["ticks": ticks]) }

  /// Sends the values from now on as server-sent events, until the server shuts down, and no faster than the client
  /// takes them: while `write` waits for a slow one, the newest 16 values are kept for it, and older ones are dropped.
  func send(to write: (String) async throws -> Void) async throws {
    clients.add(1)
    defer { clients.add(-1) }
    for try await price in stream.values(bufferingPolicy: .newest(16)).cancelOnGracefulShutdown() {
      try await write("data: \(JSONWriter.compact(price))\n\n")
    }
  }

  /// Replaces the rules between two values. The state of unchanged operators is kept, and so are the clients.
  func follow(_ rules: StreamModel) async throws -> String {
    try await stream.swap(to: rules)?.description ?? "the prices have ended"
  }
}
