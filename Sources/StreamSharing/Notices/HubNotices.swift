internal import Foundation
internal import StreamKit
internal import Synchronization

/// The notices of a hub, as it sends them to all clients: Server-Sent Events of `v1/events`.
///
/// ```swift
/// repository.listen(to: try HubNotices("https://hub.example.org"))
/// ```
///
/// The connection is made again whenever it ends, with the ID of the latest event, and later after each failure in a
/// row. A notice is a hint to refresh, and never more: nothing in it is trusted.
public struct HubNotices: AsyncSequence, Sendable {
  public typealias Element = ServerSentEvent
  public typealias Failure = Never

  private let url: URL
  private let token: String?
  private let clock: any Clock<Duration>

  /// Creates the sequence. Each iterator is a connection of its own.
  ///
  /// - Parameters:
  ///   - hub: The address of the hub, `http` or `https`.
  ///   - token: A token with the scope `read`, if the hub needs one.
  ///   - clock: The clock of the time between two connections. Default the machine's.
  /// - Throws: `unreachable` for an address of another kind.
  public init(
    _ hub: String, token: String? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) throws(TrustError) {
    url = try HTTPExchange.url(hub, "v1/events")
    self.token = token
    self.clock = clock
  }

  public func makeAsyncIterator() -> Iterator {
    // One notice that waits stands for all: each makes the client read the same files.
    let (events, mail) = AsyncStream.makeStream(of: ServerSentEvent.self, bufferingPolicy: .bufferingNewest(1))
    let connection = HubConnection(url, token, mail)
    let task = Task { [clock] in await connection.run(clock) }
    mail.onTermination = { _ in task.cancel() }
    return Iterator(events.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    private var events: AsyncStream<ServerSentEvent>.Iterator

    init(_ events: AsyncStream<ServerSentEvent>.Iterator) { self.events = events }

    /// Returns the next notice, or nil if the task is canceled. If several notices wait, the newest is returned.
    public mutating func next() async -> ServerSentEvent? { await events.next() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> ServerSentEvent? {
      await events.next(isolation: actor)
    }
  }
}

/// The connections of one iterator, one after the other.
private final class HubConnection: Sendable {
  private struct State {
    var parser = ServerSentEventParser()
    /// Number of connections since the last one that had an event.
    var failureCount = 0
  }

  private let url: URL
  private let token: String?
  private let mail: AsyncStream<ServerSentEvent>.Continuation
  private let state = Mutex(State())

  init(_ url: URL, _ token: String?, _ mail: AsyncStream<ServerSentEvent>.Continuation) {
    self.url = url
    self.token = token
    self.mail = mail
  }

  func run(_ clock: any Clock<Duration>) async {
    while !Task.isCancelled {
      let status = await connect()
      // The standard's sign that the client is not to connect again.
      if status == 204 { break }
      let delay = state.withLock { state -> Duration in
        state.parser.reconnect()
        defer { state.failureCount += 1 }
        return Self.delay(after: state.failureCount, retry: state.parser.retry, Double.random(in: 0...1))
      }
      guard (try? await clock.pause(for: delay)) != nil else { break }
    }
    mail.finish()
  }

  /// Connects, and returns when the connection has ended.
  ///
  /// - Returns: The status; nil if the hub cannot be reached.
  private func connect() async -> Int? {
    var headers = ["accept": "text/event-stream", "cache-control": "no-store"]
    if let token { headers["authorization"] = "Bearer \(token)" }
    let lastEventID = state.withLock(\.parser.lastEventID)
    if !lastEventID.isEmpty { headers["last-event-id"] = lastEventID }
    // A hub sends a comment from time to time, so a silent connection is a broken one.
    let exchange = HTTPExchange(HTTPExchange.Request(url: url, headers: headers, pause: 120)) { head in
      head.status == 200 && head.type == "text/event-stream"
    } receive: { [self] bytes in
      let events = state.withLock { state in
        let events = state.parser.parse(bytes)
        if !events.isEmpty { state.failureCount = 0 }
        return events
      }
      for event in events { mail.yield(event) }
      return true
    }
    do throws(TrustError) {
      return try await exchange.run().status
    } catch {
      return nil
    }
  }

  /// The time to the next connection: that of the server, or 3 seconds, doubled with each failure in a row up to 10
  /// minutes; between half of it and the whole, at random.
  static func delay(after failureCount: Int, retry: Int?, _ chance: Double) -> Duration {
    let first = Double(min(max(retry ?? 3_000, 100), 600_000))
    let doubled = first * Double(1 << Int64(min(failureCount, 20)))
    return .milliseconds(Int64(min(doubled, 600_000) * (0.5 + chance / 2)))
  }
}
