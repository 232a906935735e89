import StreamCombine
import StreamCore

/// The Chinese article's view model, its state published.
final class ProfileModel: ObservableObject {
  enum State {
    case isLoading
    case failed(String)
    case loaded(name: String)

    init(_ value: Value) {
      guard case .map(let members) = value else {
        self = .isLoading
        return
      }
      if case .map(let user)? = members["loaded"] {
        self = .loaded(name: user["name"]?.text ?? "")
      } else if let error = members["failed"] {
        self = .failed(error.text)
      } else {
        self = .isLoading
      }
    }

    var value: Value {
      switch self {
      case .isLoading: ["isLoading": [:]]
      case .failed(let error): ["failed": .string(error)]
      case .loaded(let name): ["loaded": ["name": .string(name)]]
      }
    }

    /// The contents of a view.
    var rendered: Value {
      switch self {
      case .isLoading: ["title": "", "spinner": true]
      case .failed(let error): ["title": .string("Sorry: " + error), "spinner": false]
      case .loaded(let name): ["title": .string(name), "spinner": false]
      }
    }
  }

  @Published var state = State.isLoading
  /// The same, published by the article's wrapper without Combine.
  @Observed var observedState = State.isLoading
  /// The same, by the wrapper over a subject that keeps nothing.
  @Heralded var heraldedState = State.isLoading

  func set(_ state: State) {
    self.state = state
    observedState = state
    heraldedState = state
  }

  static func make(in world: World) -> ProfileModel {
    let model = ProfileModel()
    world.keep(model)
    world.inputs["state"] = { [unowned model] in model.set(State($0)) }
    return model
  }
}

/// A property that is observed by closures, each for as long as its token is kept.
@propertyWrapper
struct Observed<Value> {
  /// Ends an observation when it is canceled or released.
  final class Token {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { cancel() }

    func cancel() {
      end?()
      end = nil
    }
  }

  private final class Observations {
    var closures: [(number: Int, closure: (Value) -> Void)] = []
    var count = 0
  }

  private let observations = Observations()
  var projectedValue: Observed { self }
  var wrappedValue: Value { didSet { for (_, closure) in observations.closures { closure(wrappedValue) } } }

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Calls the closure with the present value, then with each that is assigned.
  func observe(with closure: @escaping (Value) -> Void) -> Token {
    closure(wrappedValue)
    observations.count += 1
    let number = observations.count
    observations.closures.append((number, closure))
    return Token { [weak observations] in observations?.closures.removeAll { $0.number == number } }
  }
}

/// A property whose subject publishes each assignment and keeps no value.
@propertyWrapper
struct Heralded<Value> {
  private let subject = PassthroughSubject<Value, Never>()
  var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }
  var wrappedValue: Value { didSet { subject.send(wrappedValue) } }

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
