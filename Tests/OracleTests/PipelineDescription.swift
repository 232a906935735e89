import StreamCore

/// A pipeline that can be said both as a stream file and as a chain of publishers, with all that happens to it.
struct PipelineDescription: Sendable {
  /// The events of the inputs `i0`, `i1` …, each in order of time.
  var inputs: [[InputEvent]] = []
  /// The stream that the file names `shared`, and that may be subscribed to more than once.
  var shared: StreamDescription?
  var stream: StreamDescription
  /// How many values are asked for with the subscription; nil for all that come.
  var initialDemand: Int?
  /// The later demand, in order of time.
  var demands: [LaterDemand] = []

  struct InputEvent: Sendable {
    /// In nanoseconds.
    var time: Int64
    var event: Event
  }

  enum Event: Sendable {
    case value(Value)
    case finished
    case failure(String)
  }

  struct LaterDemand: Sendable {
    /// In nanoseconds; no event of an input comes at that instant.
    var time: Int64
    var count: Int
  }
}

/// A source and what is done with its values.
struct StreamDescription: Sendable {
  var source: SourceDescription
  var operators: [OperatorDescription] = []

  /// Every operator of it and of the streams that are joined to it.
  var allOperators: [OperatorDescription] {
    operators.flatMap { place in [place] + place.streams.flatMap(\.allOperators) }
  }
}

enum SourceDescription: Sendable {
  case input(Int)
  /// Each after so many milliseconds; without a number at once.
  case items([(value: Value, delay: Int?)])
  case sequence([Value])
  case just(Formula)
  case fail(String)
  case empty
  case never
  case shared
}

/// An operator that OpenCombine has too. Times are milliseconds.
enum OperatorDescription: Sendable {
  case map(Formula)
  case compactMap(Formula)
  case scan(Value, Formula)
  case reduce(Value, Formula)
  case collect(count: Int?)
  case replaceNil(Value)
  case flatMap(StreamDescription, maxPublishers: Int?)
  case switchMap(StreamDescription)
  case filter(Formula)
  case removeDuplicates(by: Formula?)
  case drop(Int)
  case dropWhile(Formula)
  case dropUntil(StreamDescription)
  case prefix(Int)
  case prefixWhile(Formula)
  case prefixUntil(StreamDescription)
  case first(Formula?)
  case last(Formula?)
  case outputAt(Int)
  case output(from: Int, through: Int?)
  case ignoreOutput
  case count
  case min(compare: Formula?)
  case max(compare: Formula?)
  case containsValue(Value)
  case contains(Formula)
  case allSatisfy(Formula)
  case delay(Int)
  case debounce(Int)
  case throttle(Int, latest: Bool)
  case timeout(Int, error: String?)
  case measureInterval
  case zip([StreamDescription], Formula?)
  case append([StreamDescription])
  case prepend([StreamDescription])
  case share
  case buffer(capacity: Int, whenFull: WhenFull, keepsFull: Bool)
  case mapError(Formula)
  case `catch`(StreamDescription)
  case replaceError(Value)
  case replaceEmpty(Value)
  case retry(Int)

  enum WhenFull: String, Sendable, CaseIterable {
    case dropNewest, dropOldest, fail
  }

  /// The streams that are joined.
  var streams: [StreamDescription] {
    switch self {
    case .flatMap(let stream, _), .switchMap(let stream), .dropUntil(let stream), .prefixUntil(let stream),
      .catch(let stream):
      [stream]
    case .zip(let streams, _), .append(let streams), .prepend(let streams): streams
    default: []
    }
  }
}
