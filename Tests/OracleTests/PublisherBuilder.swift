import StreamCombine
import StreamCore

typealias ValuePublisher = AnyPublisher<Value, any Error>

/// Makes the chain of publishers that a description stands for.
final class PublisherBuilder {
  let subjects: [PassthroughSubject<Value, any Error>]
  let scheduler: VirtualScheduler
  /// Which of our decisions are taken over.
  let decisions: Set<DecidedDifference>
  /// The objects that must live as long as the run.
  private var kept: [any Subscription] = []
  /// Whether a subscriber asks for less than everything, or an operator may.
  let isDemandFinite: Bool
  private let sharedStream: StreamDescription?
  private lazy var shared = sharedStream.map { publisher(for: $0, Formula.Variables()) }

  init(_ pipeline: PipelineDescription, _ scheduler: VirtualScheduler, _ decisions: Set<DecidedDifference>) {
    subjects = pipeline.inputs.map { _ in PassthroughSubject() }
    sharedStream = pipeline.shared
    isDemandFinite = pipeline.isDemandFinite
    self.scheduler = scheduler
    self.decisions = decisions
  }

  /// - Parameter variables: what the expressions of the stream know from outside.
  func publisher(for stream: StreamDescription, _ variables: Formula.Variables) -> ValuePublisher {
    var publisher = publisher(for: stream.source, variables)
    for operation in stream.operators { publisher = apply(operation, to: publisher, variables) }
    return publisher
  }

  private func publisher(for source: SourceDescription, _ variables: Formula.Variables) -> ValuePublisher {
    switch source {
    case .input(let number): return waiting(subjects[number].eraseToAnyPublisher(), fromSubscription: true)
    case .shared: return shared ?? Self.empty
    case .sequence(let values): return Self.sequence(values)
    case .just(let formula):
      return Self.just(0).tryMap { _ in try formula.apply(variables) }.eraseToAnyPublisher()
    case .fail(let payload):
      return Fail(error: OracleFailure.payload(.string(payload)) as any Error).eraseToAnyPublisher()
    case .empty: return Self.empty
    case .never: return Empty(completeImmediately: false).eraseToAnyPublisher()
    case .items(let items):
      let publishers = items.map { item in
        let just = Self.just(item.value)
        guard let delay = item.delay else { return just }
        return just.delay(for: .milliseconds(delay), scheduler: scheduler).eraseToAnyPublisher()
      }
      guard let first = publishers.first else { return Self.empty }
      return publishers.dropFirst().reduce(first) { $0.append($1).eraseToAnyPublisher() }
    }
  }

  static var empty: ValuePublisher { Empty().eraseToAnyPublisher() }

  private static func just(_ value: Value) -> ValuePublisher {
    Just(value).setFailureType(to: (any Error).self).eraseToAnyPublisher()
  }

  static func sequence(_ values: [Value]) -> ValuePublisher {
    Publishers.Sequence(sequence: values).eraseToAnyPublisher()
  }
}

extension PublisherBuilder {
  private func apply(
    _ operation: OperatorDescription, to upstream: ValuePublisher, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .map, .compactMap, .scan, .reduce, .collect, .replaceNil, .flatMap, .switchMap:
      transform(upstream, by: operation, variables)
    case .filter, .removeDuplicates, .drop, .dropWhile, .dropUntil, .prefix, .prefixWhile, .prefixUntil, .first, .last,
      .outputAt, .output, .ignoreOutput:
      select(from: upstream, by: operation, variables)
    case .count, .min, .max, .containsValue, .contains, .allSatisfy:
      summarize(upstream, by: operation, variables)
    case .delay, .debounce, .throttle, .timeout, .measureInterval:
      time(upstream, by: operation)
    case .zip, .append, .prepend, .share, .buffer:
      combine(upstream, by: operation, variables)
    case .mapError, .catch, .replaceError, .replaceEmpty, .retry:
      recover(upstream, by: operation, variables)
    }
  }

  func subscriptionFirst<Upstream: Publisher>(_ upstream: Upstream) -> SubscriptionFirst<Upstream> {
    SubscriptionFirst(upstream: upstream) { [weak self] in self?.kept.append($0) }
  }

  /// A publisher whose values wait for demand, where that is taken over.
  func waiting(_ publisher: ValuePublisher, fromSubscription asksAtOnce: Bool = false) -> ValuePublisher {
    guard decisions.contains(.valuesWait) else { return publisher }
    return WaitingPublisher(upstream: publisher, asksAtOnce: asksAtOnce).eraseToAnyPublisher()
  }

  /// An operator that asks upstream only when it has been asked itself.
  func askingWhenAsked(
    _ upstream: ValuePublisher, _ operation: @escaping (ValuePublisher) -> ValuePublisher
  ) -> ValuePublisher {
    Deferred {
      let gate = DemandGate()
      let gated = GatedPublisher(upstream: upstream, gate: gate).eraseToAnyPublisher()
      return GateOpener(upstream: operation(gated), gate: gate)
    }.eraseToAnyPublisher()
  }

  /// A closure of a value for a formula.
  static func function(_ formula: Formula, _ variables: Formula.Variables) -> (Value) throws -> Value {
    { value in
      var variables = variables
      variables.value = value
      return try formula.apply(variables)
    }
  }

  /// The result of a formula that cannot fail.
  static func total(_ formula: Formula, _ variables: Formula.Variables) -> (Value) -> Value {
    let function = function(formula, variables)
    return { (try? function($0)) ?? .null }
  }
}
