/// An intended difference from OpenCombine. Each difference is narrow: if the publishers adopt it, and nothing else,
/// the histories must be equal again.
enum DecidedDifference: String, CaseIterable {
  case outputFinishesWithLastValue
  case throttleSubscribesFirst
  case flatMapQueues
  case asksWhenAsked
  case zipHearsSilentEndsFirst
  case zipAsksAll
  case replaceEmptyKeepsToDemand
  case dropUntilMakesGood
  case bufferIsFilledFirst
  case timeoutComesLast
  case subscriptionComesFirst
  case valuesWait

  /// Why, as SEMANTICS.md has it.
  var reason: String {
    switch self {
    case .outputFinishesWithLastValue:
      "'prefix' and 'output' finish with the last value that they publish, not with the one after it"
    case .throttleSubscribesFirst:
      "'throttle' asks upstream only when it has been asked itself, and loses nothing of a source that answers at once"
    case .flatMapQueues:
      "'flatMap' with 'maxPublishers' queues what upstream sends meanwhile, in place of losing it"
    case .zipAsksAll:
      "'zip' asks all streams for what is asked for in answer to a tuple; OpenCombine's the one that completed it"
    case .bufferIsFilledFirst:
      "all is subscribed to before anything is asked for: a 'buffer' may be full before it is asked"
    case .timeoutComesLast:
      "all is subscribed to before anything is asked for: of what is due at one instant, 'timeout' may come later"
    case .subscriptionComesFirst:
      "the end comes after the subscription; OpenCombine's 'zip', 'buffer' and 'prefix(untilOutputFrom:)' may end before"
    case .valuesWait:
      "values of a subject, 'share', 'debounce' and 'throttle' wait for demand; OpenCombine loses them"
    case .asksWhenAsked:
      "'flatMap', 'switchMap', 'debounce' and 'drop' ask upstream when they have been asked themselves, as 'throttle'"
    case .zipHearsSilentEndsFirst:
      "all streams of a 'zip' are subscribed to before any is asked: one that ends without being asked is heard first"
    case .replaceEmptyKeepsToDemand:
      "'replaceEmpty' publishes no more than has been asked for; OpenCombine asks upstream for everything and passes it on"
    case .dropUntilMakesGood:
      "'dropUntil' asks again for what it leaves out, as all that leave out do; OpenCombine's takes it off the demand"
    }
  }

  /// Whether it is taken over in every run: without it operators of OpenCombine that come after stop the process.
  var isAlwaysTakenOver: Bool { self == .subscriptionComesFirst || self == .replaceEmptyKeepsToDemand }

  /// Whether it turns two events of an instant round, which a nanosecond does on the other side.
  var isOfOrder: Bool { self == .timeoutComesLast || self == .bufferIsFilledFirst }

  /// Whether it can make a difference to a pipeline with this operator.
  func concerns(_ operation: OperatorDescription) -> Bool {
    switch (self, operation) {
    case (.outputFinishesWithLastValue, .prefix), (.outputFinishesWithLastValue, .outputAt),
      (.outputFinishesWithLastValue, .output), (.throttleSubscribesFirst, .throttle):
      true
    case (.flatMapQueues, .flatMap(_, maxPublishers: .some)): true
    case (.dropUntilMakesGood, .dropUntil), (.asksWhenAsked, .flatMap), (.asksWhenAsked, .switchMap),
      (.asksWhenAsked, .debounce), (.asksWhenAsked, .drop), (.zipHearsSilentEndsFirst, .zip), (.zipAsksAll, .zip),
      (.replaceEmptyKeepsToDemand, .replaceEmpty):
      true
    case (.bufferIsFilledFirst, .buffer), (.timeoutComesLast, .timeout), (.subscriptionComesFirst, .zip),
      (.subscriptionComesFirst, .buffer), (.subscriptionComesFirst, .prefixUntil),
      (.subscriptionComesFirst, .dropUntil):
      true
    default: false
    }
  }
}

extension PipelineDescription {
  /// The decisions that can make a difference to it.
  var decisions: Set<DecidedDifference> { concerning.filter { !$0.isAlwaysTakenOver } }

  /// Those that are taken over without asking whether they make one.
  var decisionsTakenOver: Set<DecidedDifference> {
    concerning.filter { $0.isAlwaysTakenOver && ($0 != .replaceEmptyKeepsToDemand || isDemandFinite) }
  }

  private var concerning: Set<DecidedDifference> {
    let operators = stream.allOperators + (shared?.allOperators ?? [])
    return Set(
      DecidedDifference.allCases.filter { decision in
        decision == .valuesWait ? isDemandFinite : operators.contains { decision.concerns($0) }
      })
  }

  /// Whether the subscriber, or an operator, asks for less than everything.
  var isDemandFinite: Bool {
    initialDemand != nil
      || (stream.allOperators + (shared?.allOperators ?? [])).contains { operation in
        switch operation {
        case .flatMap(_, maxPublishers: .some), .buffer(_, _, keepsFull: true), .prefixUntil, .dropUntil: true
        default: false
        }
      }
  }
}
