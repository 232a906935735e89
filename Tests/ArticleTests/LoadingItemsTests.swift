import StreamCombine
import StreamCore
import Testing

/// The Vietnamese article: items that are loaded, checked, kept.
@Suite struct LoadingItemsTests {
  /// The responses of the servers.
  static let bodies = [
    #"{"items": [{"id": 1, "title": "Tea", "short_text": "green"}]}"#,
    #"{"items": [{"id": 1, "title": "Tea", "short_text": "green", "in_stock": true}, {"short_text": "", "title": "", "id": -2}], "next_page": null}"#,
    #"{"items": []}"#, #"{"items": null}"#, #"{}"#, #"[]"#, #"null"#, "", "{", "<html>", #"{"items": {}}"#,
    #"{"items": [{"id": "1", "title": "Tea", "short_text": "green"}]}"#,
    #"{"items": [{"id": 1, "title": null, "short_text": "green"}]}"#,
    #"{"items": [{"id": 1, "title": "Tea"}]}"#, #"{"items": [{"id": 1, "title": "Tea", "shortText": "green"}]}"#,
    #"{"items": [{"id": 1, "title": "Tea", "_short_text": "green"}]}"#,
    #"{"items": [{"ID": 1, "title": "Tea", "SHORT_TEXT": "green"}]}"#,
    #"{"items": [{"id": 1, "title": "\u00c9\ud83c\udf75", "short__text": "two\nlines"}]}"#,
  ]

  static let answers: [Script.Answer] =
    bodies.map { .value(["data": .string($0)], after: 300) } + [
      .failure("offline", after: 3000), .failure(["status": 500], after: 0),
    ]

  /// The requests, by the file that says the same.
  static let requests: [(file: String, listen: @Sendable (World) -> Void)] = [
    ("all-items", { world in world.listen(to: world.allItems, as: \.value) }),
    ("validated-items", { world in world.listen(to: world.validatedItems, as: \.value) }),
    ("recent-item", { world in world.listen(to: world.recentItem, as: \.value) }),
  ]

  @Test("A request comes to the same end, whatever the server answers", arguments: answers.indices)
  func requests(_ index: Int) throws {
    for request in Self.requests {
      let heard = try compare(
        "loading-items/\(request.file).json", Script(answers: ["session.data": [Self.answers[index]]]),
        note: request.file, with: request.listen)
      #expect(heard.calls.count == 1)
    }
  }

  @Test("Constant publishers")
  func constants() throws {
    let item = Item(id: 1, title: "Tea", shortText: "green")
    try compare("loading-items/constant-items.json", Script()) { world in
      world.listen(to: AnyPublisher<[Item], ItemsError>.just([item]), as: \.value)
    }
    try compare("loading-items/constant-failure.json", Script()) { world in
      world.listen(to: AnyPublisher<[Item], ItemsError>.fail(with: .emptyQuery), as: \.value)
    }
  }

  /// Loads at random times, which servers answer in any way.
  static func loads(_ input: String, _ seed: UInt64, _ answers: [Script.Answer]) -> Script {
    var generator = ScriptGenerator(seed: seed)
    for _ in 0..<12 {
      generator.wait([0, 1, 100, 250, 500, 999, 1000, 2000])
      generator.send(.null, to: input)
    }
    generator.answer("session.data", count: 7) { generator in
      var answer = generator.pick(answers)
      answer.delay = generator.pick([0, 1, 100, 250, 500, 1000, 1500])
      return answer
    }
    return generator.script
  }

  /// The view models, by the file that says the same.
  static let models: [(file: String, input: String, listen: @Sendable (World) -> Void)] = [
    ("items-result", "load", ItemListModel.shown), ("items-state", "load", LoadableItemList.states),
  ]

  @Test("View models that load again and again", arguments: 0..<40 as Range<UInt64>)
  func models(_ seed: UInt64) throws {
    for model in Self.models {
      let heard = try compare(
        "loading-items/\(model.file).json", Self.loads(model.input, seed, Self.answers),
        note: "\(model.file), seed \(seed)", with: model.listen)
      #expect(heard.events.count > 1)
    }
  }

  static let configurations: [Script.Answer] =
    [
      #"{"theme": "dark", "page_size": 50}"#, #"{"page_size": 1, "theme": "", "more": {"a_b": [1]}}"#,
      #"{"theme": "dark"}"#,
      #"{"theme": "dark", "page_size": "50"}"#, "[1]", "",
    ].map { .value(["data": .string($0)]) } + [.failure("offline")]

  @Test("A configuration that is brought up to date", arguments: 0..<24 as Range<UInt64>)
  func configuration(_ seed: UInt64) throws {
    let heard = try compare(
      "loading-items/config.json", Self.loads("update", seed, Self.configurations), note: "seed \(seed)",
      with: ConfigurationController.configurations)
    #expect(heard.events.count == 13)
  }

  @Test("Searches fill a cache, and later ones are answered from it")
  func searches() throws {
    let hits = try (0..<40).reduce(0) { hits, seed in try hits + searches(seed) }
    #expect(hits > 40)
  }

  /// Ten searches one after the other, and how many of them the cache answered.
  private func searches(_ seed: UInt64) throws -> Int {
    let stream = try ArticleFiles.load("loading-items/search.json")
    var generator = ScriptGenerator(seed: seed)
    // One cache for all searches, on each side.
    let caches = (file: Cache(), publishers: Cache())
    var hits = 0
    for number in 0..<10 {
      let query: Value = generator.pick(["tea", "tea", "cup", ""])
      var script = Script(["query": [(generator.pick([0, 1, 700]), query)]])
      script.answers["session.data"] = [generator.pick(Self.answers + Array(repeating: Self.answers[0], count: 10))]
      let actual = try stream.run(script, host: caches.file.host(script))
      let expected = World.run(script, host: caches.publishers.host(script), ItemSearch.first)
      #expect(actual == expected, "seed \(seed), search \(number)\n\(script)\n\(actual)\n\(expected)")
      if actual.hooks.isEmpty, !actual.values.isEmpty { hits += 1 }
    }
    #expect(caches.file.items == caches.publishers.items)
    return hits
  }

  /// The items found, by query.
  final class Cache {
    private(set) var items: [String: Value] = [:]

    func host(_ script: Script) -> ScriptedHost {
      let host = ScriptedHost(script)
      host.functions["cache.value"] = { [unowned self] query in .value(items[query.text] ?? .null) }
      host.hooks["cache.insert"] = { [unowned self] found in
        guard case .map(let members) = found, let query = members["key"]?.text else { return }
        items[query] = members["items"]
      }
      return host
    }
  }
}
