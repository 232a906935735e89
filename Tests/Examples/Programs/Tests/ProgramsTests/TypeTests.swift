import Foundation
import Programs
import StreamCore
import StreamEngine
import StreamKit
import Testing

#if canImport(Observation)
import Observation
#endif

@Suite("Programs: types and failures", .timeLimit(.minutes(1)))
struct TypeTests {
  private func order(_ id: Int, _ state: Order.State, note: String? = nil) throws -> Order {
    Order(
      id: id, placed: Date(timeIntervalSince1970: 1_700_000_000.25),
      page: try #require(URL(string: "https://example.org/orders/\(id)?a=1")),
      total: try #require(Decimal(string: "19.9")), state: state, note: note)
  }

  @Test("14. The app's types go in and come out")
  func orders() async throws {
    let orders = Orders()
    var invoices = try orders.invoices().makeAsyncIterator()
    let sent = try [order(1, .open), order(2, .paid), order(3, .open, note: "a gift")]
    for order in sent { orders.orders.send(order) }
    orders.orders.finish()
    var received: [Invoice] = []
    while let invoice = try await invoices.next() { received.append(invoice) }
    let due = Date(timeIntervalSince1970: 1_700_000_000.25 + 14 * 86_400)
    #expect(received.map(\.order) == [sent[0], sent[2]])
    #expect(received.map(\.due) == [due, due])
    #expect(received.map(\.discounted) == [Decimal(string: "9.95"), nil])
  }

  @Test("14. A feed that is missing, or of the wrong type, is an error when the stream is made")
  func feeds() throws {
    let model = StreamModel(
      inputs: ["count": InputDeclaration(type: .int), "name": InputDeclaration(type: .string)],
      source: .input("count"), operators: [.merge(with: ["name"])])
    let error = #expect(throws: Diagnostics.self) {
      try LiveStream(model, inputs: ["count": PassthroughInput<String>()])
    }
    #expect(
      error?.description == """
        error S304: the feed of input 'count' sends values of type string, but its type is int
        error S303: input 'name' has neither a feed nor an initial value
          help: add a feed for 'name' to 'inputs', or an 'initialValue' to its declaration
        """)
  }

  #if canImport(Observation)
  @Test("15. A model object of the main actor follows a stream")
  @MainActor func priceBoard() async throws {
    let board = PriceBoard()
    let averages = StreamModel(
      inputs: ["prices": InputDeclaration(type: .double)], source: .input("prices"),
      operators: [.scan("acc + (value - acc) / 2.0")])
    let (changes, mail) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking({ _ = board.average }, onChange: { mail.finish() })
    let following = Task { await board.follow(averages) }
    // The loop subscribes when its task runs.
    await Task.yield()
    board.prices.send(2)
    board.prices.send(4)
    for await _ in changes {}
    board.prices.send(completion: .finished)
    await following.value
    #expect(board.average == 3)
    #expect(board.failure == nil)
  }
  #endif

  @Test("16. Publishers that never fail, and a failure that no closure handles")
  func gauge() throws {
    let reported = Recorder<String>()
    let former = UnhandledFailure.handler
    UnhandledFailure.handler = { reported.append("\($0)") }
    defer { UnhandledFailure.handler = former }
    let gauge = try Gauge()
    gauge.liters.send(25)
    #expect(gauge.level == 4)
    gauge.liters.send(0)
    gauge.liters.send(50)
    #expect(gauge.level == 4)
    let results = gauge.results.map { result in (try? result.get()).map { "\($0)" } ?? "failed" }
    #expect(results == ["4", "failed"])
    #expect(reported.values == ["S402: 100 cannot be divided by zero (at /operators/0/map/expression)"])
  }
}
