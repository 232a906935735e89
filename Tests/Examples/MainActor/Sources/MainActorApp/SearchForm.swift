import StreamCombine
import StreamKit

/// A form with a search: its inputs, its results and its messages belong to the main actor.
final class SearchForm {
  @StreamInput var text = ""
  @StreamInput var limit = 10
  private(set) var hits: [Hit] = []
  private(set) var status = ""
  private(set) var isBusy = false
  private(set) var count = 0
  private(set) var failure: String?
  private(set) var live: LiveStream?
  private var tokens: Set<AnyCancellable> = []
  private var observation: StreamToken?

  init(catalog: Catalog) throws {
    var services = HostServices()
    services.function("search") { (query: Query) in try await catalog.search(query) }
    services.function("reset") { await self.reset() }
    services.hook("found", on: .shared) { [weak self] (hits: [Hit]) in self?.status = "\(hits.count) results" }
    let live = try LiveStream(Self.rules, inputs: ["text": $text, "limit": $limit], services: services)
    self.live = live
    live.publisher(of: [Hit].self).assign(to: \.hits, onWeak: self).store(in: &tokens)
    live.publisher(of: [Hit].self).failures(.log)
      .sink { [weak self] hits in self?.count = hits.count }
      .store(in: &tokens)
    live.publisher(of: [Hit].self).sink(onWeak: self, onFailure: { [weak self] in self?.failure = $0.message }) {
      form, hits in form.isBusy = hits.isEmpty
    }
    .store(in: &tokens)
    observation = $text.observe { text in print("searching for \(text)") }
  }

  private func reset() { hits = [] }

  /// Follows the results with a loop, until the stream ends.
  func follow(_ receive: (Hit) -> Void) async throws {
    guard let live else { return }
    for try await hits in live.values(of: [Hit].self) { hits.forEach(receive) }
  }

  func finish() {
    $text.send(completion: .finished)
    $limit.send(completion: .finished)
  }

  static let rules = StreamModel(
    inputs: [
      "text": InputDeclaration(type: .string, initialValue: ""), "limit": InputDeclaration(type: .int, initialValue: 5),
    ],
    source: .input("text"),
    operators: [
      .combineLatest(with: ["limit"], names: ["text", "limit"], expression: "{'text': text, 'limit': limit}"),
      .filter("size(value.text) > 2"),
      .switchMap(InnerStream(StreamModel(source: .call(.init(function: "search", argument: "outer"))))),
      PlacedOperator(.handleEvents(.init(receiveOutput: "found"))),
    ])
}

/// The catalog of the app, which is searched on the main actor.
final class Catalog {
  private let names: [String]

  init(names: [String]) { self.names = names }

  func search(_ query: Query) async throws -> [Hit] {
    await Task.yield()
    return names.filter { $0.hasPrefix(query.text) }.prefix(query.limit).map { Hit(name: $0, score: 1) }
  }
}
