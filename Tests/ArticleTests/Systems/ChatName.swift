import StreamCombine
import StreamCore

/// The German article's first view model: whether what is typed is a name for a chat.
final class ChatNameModel: ObservableObject {
  @Published var textInput = ""
  private let scheduler: VirtualScheduler

  init(_ scheduler: VirtualScheduler) { self.scheduler = scheduler }

  var verifiedInput: AnyPublisher<Bool, Never> {
    $textInput
      .debounce(for: .seconds(1), scheduler: scheduler)
      .removeDuplicates()
      .map { name in name.count >= 3 && name.first.map(\.isLetter) == true }
      .eraseToAnyPublisher()
  }
}

extension ChatNameModel {
  /// Its name in the hands of a script.
  static func make(in world: World) -> ChatNameModel {
    let model = ChatNameModel(world.scheduler)
    world.keep(model)
    world.inputs["textInput"] = { [unowned model] in model.textInput = $0.text }
    return model
  }

  static func verifiedInput(_ world: World) {
    world.listen(to: make(in: world).verifiedInput) { .bool($0) }
  }

  /// The view's button: disabled at first, then as the model says.
  static func button(_ world: World) {
    let view = ChatView(make(in: world))
    world.keep(view)
    world.listen(to: view.$buttonDisabled) { .bool($0) }
  }

  private final class ChatView {
    @Published var buttonDisabled = true
    private var subscription: AnyCancellable?

    init(_ model: ChatNameModel) {
      subscription = model.verifiedInput.sink { [weak self] isGood in self?.buttonDisabled = !isGood }
    }
  }
}

extension Value {
  /// The text that it is; empty if it is none.
  var text: String { if case .string(let text) = self { text } else { "" } }
}
