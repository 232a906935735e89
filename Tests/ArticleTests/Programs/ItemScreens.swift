import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// A response to the app's session.
struct SessionResponse: Codable, Sendable {
  var data: String
}

/// An item as a screen shows it.
struct ShownItem: Codable, Sendable, Equatable {
  var id: Int
  var title: String
  var shortText: String
}

/// The Vietnamese article's list, whose state a file keeps.
final class ItemListScreen {
  /// The state of the list. One of these members is present.
  struct State: Codable, Equatable {
    struct Nothing: Codable, Equatable {}

    var idle: Nothing?
    var loading: Nothing?
    var loaded: [ShownItem]?
    var failed: Value?
  }

  typealias Session = TestServer<String, SessionResponse>

  private let loads = PassthroughInput<Int>()
  private(set) var state = State()
  private var subscription: AnyCancellable?

  init(_ streams: AppStreams, session: Session) throws {
    var streams = streams
    streams.services.function("session.data") { (request: String) in try await session.answer(request) }
    subscription = try streams.publisher("loading-items/items-state.json", inputs: ["load": loads])
      .assign(to: \.state, onWeak: self)
  }

  func load() { loads.send(1) }
}

/// Finds items, and keeps what was found.
final class ItemFinder {
  typealias Session = TestServer<Value, SessionResponse>

  /// The items found, by query.
  final class Cache: Sendable {
    private let items = Mutex<[String: [ShownItem]]>([:])

    subscript(query: String) -> [ShownItem]? {
      get { items.withLock { $0[query] } }
      set { items.withLock { $0[query] = newValue } }
    }
  }

  private struct Found: Codable, Sendable {
    var key: String
    var items: [ShownItem]
  }

  let cache = Cache()
  private(set) var items: [ShownItem] = []
  private(set) var failure: StreamFailure?
  /// How many searches have come to an end.
  private(set) var count = 0
  private let streams: AppStreams
  private var subscription: AnyCancellable?

  init(_ streams: AppStreams, session: Session) {
    var streams = streams
    streams.services.function("session.data") { (request: Value) in try await session.answer(request) }
    streams.services.function("cache.value") { [cache] (query: String) in cache[query] }
    streams.services.hook("cache.insert") { [cache] (found: Found) in cache[found.key] = found.items }
    self.streams = streams
  }

  func search(_ query: String) throws {
    subscription = try streams.publisher("loading-items/search.json", inputs: ["query": StreamInput(query)])
      .sink(
        receiveCompletion: { [weak self] completion in
          if case .failure(let failure) = completion { self?.failure = failure }
          self?.count += 1
        },
        receiveValue: { [weak self] in self?.items = $0 })
  }
}

@Suite struct ItemScreenTests {
  private static let body = #"{"items": [{"id": 1, "title": "Tea", "short_text": "green"}]}"#
  private static let tea = ShownItem(id: 1, title: "Tea", shortText: "green")
  private let time = VirtualScheduler()

  @Test("Idle, loading, loaded; loading again while loading asks once")
  func states() async throws {
    let session = ItemListScreen.Session(time)
    let screen = try ItemListScreen(AppStreams(time), session: session)
    time.go(to: 100)
    #expect(screen.state == ItemListScreen.State(idle: .init()))
    screen.load()
    screen.load()
    time.go(to: 100)
    #expect(screen.state == ItemListScreen.State(loading: .init()))
    await time.wait(at: 100) { session.count == 1 }
    screen.load()
    time.go(to: 600)
    session.answer(with: .success(SessionResponse(data: Self.body)))
    await time.wait(at: 600) { screen.state.loading == nil }
    #expect(screen.state == ItemListScreen.State(loaded: [Self.tea]))
    #expect(session.count == 1)
    screen.load()
    time.go(to: 600)
    #expect(screen.state == ItemListScreen.State(loading: .init()))
    await time.wait(at: 600) { session.count == 2 }
    session.answer(with: .failure(NetworkFailure.offline))
    await time.wait(at: 600) { screen.state.loading == nil }
    #expect(screen.state == ItemListScreen.State(failed: "offline"))
  }

  @Test("No items, and an answer that cannot be read, are failures", arguments: [#"{"items": []}"#, "<html>"])
  func failures(_ body: String) async throws {
    let session = ItemListScreen.Session(time)
    let screen = try ItemListScreen(AppStreams(time), session: session)
    time.go(to: 0)
    screen.load()
    time.go(to: 0)
    await time.wait(at: 0) { session.count == 1 }
    session.answer(with: .success(SessionResponse(data: body)))
    await time.wait(at: 0) { screen.state.loading == nil }
    let code = DiagnosticCode.invalidConversion.rawValue
    #expect(screen.state.failed?.withoutWords == (body == "<html>" ? ["code": .string(code)] : "missingItems"))
  }

  @Test("Items found once are found again without a request")
  func cache() async throws {
    let session = ItemFinder.Session(time)
    let finder = ItemFinder(AppStreams(time), session: session)
    try finder.search("tea")
    await time.wait(at: 0) { session.count == 1 }
    #expect(session.waiting == [["search": "tea"]])
    session.answer(with: .success(SessionResponse(data: Self.body)))
    await time.wait(at: 0) { finder.count == 1 }
    #expect(finder.items == [Self.tea])
    #expect(finder.cache["tea"] == [Self.tea])
    #expect(finder.cache["cup"] == nil)

    finder.cache["tea"] = []
    try finder.search("tea")
    await time.wait(at: 0) { finder.count == 2 }
    #expect(finder.items == [])
    #expect(session.count == 1)

    try finder.search("")
    await time.wait(at: 0) { finder.count == 3 }
    #expect(finder.failure?.payload == "emptyQuery")
    #expect(session.count == 1)
  }
}
