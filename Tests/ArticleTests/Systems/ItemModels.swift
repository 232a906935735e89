import StreamCombine
import StreamCore

/// The Vietnamese article's list that shows items, or an error.
final class ItemListModel: ObservableObject {
  @Published private(set) var items: [Item] = []
  @Published private(set) var error: (any Error)?
  /// Called with the shown items at the end of every load.
  var didLoad: () -> Void = {}

  private let world: World
  private var subscription: AnyCancellable?

  init(_ world: World) { self.world = world }

  func load() {
    subscription = world.validatedItems
      .map(\.items)
      .convertToResult()
      .receive(on: world.scheduler)
      .sink { [weak self] result in
        switch result {
        case .success(let items):
          self?.items = items
          self?.error = nil
        case .failure(let error):
          self?.items = []
          self?.error = error
        }
        self?.didLoad()
      }
  }

  static func shown(_ world: World) {
    let model = ItemListModel(world)
    world.keep(model)
    model.didLoad = { [unowned model, unowned world] in
      world.say(["items": model.items.value, "error": model.error.map { ItemsError($0).description } ?? .null])
    }
    world.inputs["load"] = { [unowned model] _ in model.load() }
    model.didLoad()
  }
}

/// The same list with a state of its own.
final class LoadableItemList: ObservableObject {
  @Published private(set) var state = LoadingState<[Item]>.idle

  private let world: World

  init(_ world: World) { self.world = world }

  func load() {
    guard !state.isLoading else { return }
    state = .loading
    world.validatedItems
      .map(\.items)
      .receive(on: world.scheduler)
      .convertToLoadingState()
      .assign(to: &$state)
  }

  static func states(_ world: World) {
    let model = LoadableItemList(world)
    world.keep(model)
    world.inputs["load"] = { [unowned model] _ in model.load() }
    world.listen(to: model.$state) { $0.value(\.value) }
  }
}

struct Configuration: Decodable, Equatable {
  var theme = "light"
  var pageSize = 20

  var value: Value { ["theme": .string(theme), "pageSize": .int(Int64(pageSize))] }
}

/// Keeps an app's configuration up to date.
final class ConfigurationController: ObservableObject {
  @Published private(set) var configuration = Configuration()

  private let world: World

  init(_ world: World) { self.world = world }

  func update() {
    world.data(for: "config")
      .decode()
      .replaceError(with: Configuration())
      .receive(on: world.scheduler)
      .assign(to: &$configuration)
  }

  static func configurations(_ world: World) {
    let controller = ConfigurationController(world)
    world.keep(controller)
    world.inputs["update"] = { [unowned controller] _ in controller.update() }
    world.listen(to: controller.$configuration, as: \.value)
  }
}

/// Finds items, and caches them.
struct ItemSearch {
  let world: World

  func items(matching query: String) -> AnyPublisher<[Item], ItemsError> {
    guard !query.isEmpty else { return .fail(with: .emptyQuery) }
    if let items = cached(query) { return .just(items) }
    return world.data(for: ["search": .string(query)])
      .decode(as: ItemsResponse.self)
      .mapError { ItemsError.requestFailed($0) }
      .map(\.items)
      .handleEvents(receiveOutput: { items in
        world.tell("cache.insert", ["key": .string(query), "items": items.value])
      })
      .eraseToAnyPublisher()
  }

  private func cached(_ query: String) -> [Item]? {
    guard case .success(.list(let items))? = world.answer("cache.value", .string(query))?.result else { return nil }
    return try? items.map { item throws(Diagnostic) in try ValueDecoder().decode(Item.self, from: item) }
  }

  /// One search: for the first query that comes.
  static func first(_ world: World) {
    let queries = PassthroughSubject<String, Never>()
    world.inputs["query"] = { queries.send($0.text) }
    let search = ItemSearch(world: world)
    world.listen(
      to: queries.first().setFailureType(to: ItemsError.self).flatMap { search.items(matching: $0) }, as: \.value)
  }
}

extension ItemsError: Equatable {
  static func == (lhs: ItemsError, rhs: ItemsError) -> Bool { lhs.description == rhs.description }
}
