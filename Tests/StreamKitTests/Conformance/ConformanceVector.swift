import StreamCore

/// One pipeline of another library's tests with what it must do, as the vectors' README describes them.
struct ConformanceVector {
  let id: String
  /// Its group in the report: the second part of its ID, which is its operator.
  let topic: String
  /// The sources by name, in the order in which they count at one moment.
  let sources: [VectorSource]
  /// Nodes that several places of the pipelines share, by name.
  let definitions: [(name: String, stream: Value)]
  let observers: [Observer]
  /// When each source is subscribed to; a source that is not here may be subscribed to at any time.
  let subscriptions: [(name: String, spans: [Span])]
  /// The verdict about Combine.
  let verdict: Verdict
  /// Combine's result, if it differs.
  let combineExpect: [VectorEvent]?

  enum Verdict: String {
    case same, differs, unknown
  }

  /// A subscriber of a pipeline, and its expected events.
  struct Observer {
    let pipeline: Value
    /// Milliseconds; nil for never.
    let subscribeAt: Double
    let unsubscribeAt: Double?
    let expect: [VectorEvent]
  }

  /// From when to when a source was subscribed to, in milliseconds.
  struct Span: Hashable, CustomStringConvertible {
    var from: Double
    var to: Double?

    var description: String { "\(from)–\(to.map { "\($0)" } ?? "")" }
  }

  init(_ json: Value) throws(VectorProblem) {
    guard case .string(let id)? = json.field("id") else { throw VectorProblem("it has no id") }
    self.id = id
    let parts = id.split(separator: "/")
    topic = parts.count > 1 ? String(parts[1]) : id
    sources = try json.field("sources").members.map { name, source throws(VectorProblem) in
      try VectorSource(name, source)
    }
    .sorted { $0.order < $1.order }
    definitions = json.field("defs").members
    verdict = json.field("combine")?.text.flatMap(Verdict.init(rawValue:)) ?? .unknown
    combineExpect = try json.field("combineExpect")?.elements.map { event throws(VectorProblem) in
      try VectorEvent(event)
    }
    subscriptions = json.field("subscriptions").members.map { name, spans in
      (name, spans.elements.map { Span(from: $0.field("from")?.number ?? 0, to: $0.field("to")?.number) })
    }
    let observers = json.field("observers")?.elements ?? [json]
    self.observers = try observers.map { observer throws(VectorProblem) in
      guard let pipeline = observer.field("pipeline") else { throw VectorProblem("it has no pipeline") }
      return Observer(
        pipeline: pipeline, subscribeAt: observer.field("subscribeAt")?.number ?? 0,
        unsubscribeAt: observer.field("unsubscribeAt")?.number,
        expect: try (observer.field("expect")?.elements ?? []).map { event throws(VectorProblem) in
          try VectorEvent(event)
        })
    }
  }
}

/// A vector that cannot be read.
struct VectorProblem: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A source of a vector: hot, a subject that the test feeds, or cold, played again for each subscriber.
struct VectorSource {
  let name: String
  let isHot: Bool
  /// Which of the hot sources comes first at one moment.
  let order: Double
  let events: [VectorEvent]

  init(_ name: String, _ json: Value) throws(VectorProblem) {
    self.name = name
    isHot = json.field("kind") == "hot"
    order = json.field("order")?.number ?? 0
    events = try (json.field("events")?.elements ?? []).map { event throws(VectorProblem) in try VectorEvent(event) }
  }
}

/// Something that a source says, or that must come out.
struct VectorEvent {
  /// Milliseconds.
  let time: Double
  let kind: Kind

  enum Kind {
    case next(Value)
    case error(Value)
    case complete
  }

  init(time: Double, _ kind: Kind) {
    self.time = time
    self.kind = kind
  }

  init(_ json: Value) throws(VectorProblem) {
    guard let time = json.field("t")?.number else { throw VectorProblem("an event has no time") }
    self.time = time
    if let value = json.field("next") {
      kind = .next(value)
    } else if let error = json.field("error") {
      kind = .error(error)
    } else {
      kind = .complete
    }
  }
}

extension Value {
  /// A member of an object.
  func field(_ name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A number, whatever its type; `{"$double": "Infinity"}` is one.
  var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .map: field("$double")?.text.flatMap(Double.init)
    default: nil
    }
  }

  var elements: [Value] { if case .list(let list) = self { list.elements } else { [] } }

  /// The members of an object, in order.
  var members: [(String, Value)] {
    guard case .map(let map) = self else { return [] }
    return map.pairs.compactMap { key, value in key.text.map { ($0, value) } }
  }

  /// An object with the members that are not nil.
  static func object(_ members: (String, Value?)...) -> Value {
    .map(ValueMap(members.compactMap { name, value in value.map { (.string(name), $0) } }))
  }
}

extension Value? {
  var members: [(String, Value)] { self?.members ?? [] }
}
