import StreamCore
import TestSupport

/// Says a vector in a stream file of ours.
final class VectorTranslator {
  let vector: ConformanceVector
  /// The moments in milliseconds at which the host feeds a value to inputs that stand for dates.
  private(set) var dates: [String: Double] = [:]
  /// The values that the host feeds, by input.
  private(set) var hotEvents: [(input: String, events: [VectorEvent])] = []
  /// Named streams that functions share with what is around them.
  private var streams: [(String, Value)] = []
  /// The streams that travel as values: a value stands for its number.
  private var references: [StreamSketch] = []
  /// How many functions give another stream with each call.
  private var sequenceCount = 0
  private var sharedCount = 0

  /// The inputs by which the host subscribes an observer, and cancels it.
  static func start(_ observer: Int) -> String { "observer \(observer) comes" }
  static func stop(_ observer: Int) -> String { "observer \(observer) goes" }
  /// The input behind a hot source.
  static func input(_ source: String) -> String { "hot \(source)" }

  init(_ vector: ConformanceVector) { self.vector = vector }

  /// The stream file.
  func model() throws(Unsayable) -> Value {
    var inputs: [(String, Value)] = []
    for source in vector.sources {
      if source.isHot { inputs.append((Self.input(source.name), .object())) }
      let events = try traveling(source.events)
      if source.isHot { hotEvents.append((Self.input(source.name), events)) }
      streams.append((source.name, stream(of: source, events).value))
    }
    for definition in vector.definitions {
      let sketch = try stream(definition.stream, FunctionScope())
      streams.append((definition.name, sketch.value))
    }
    let root: StreamSketch
    if vector.observers.count == 1 {
      root = try pipeline(vector.observers[0].pipeline)
    } else {
      for index in vector.observers.indices {
        inputs += [(Self.start(index), .object()), (Self.stop(index), .object())]
      }
      root = try observers()
    }
    inputs += dates.keys.sorted().map { ($0, .object(("initialValue", .null))) }
    let members = [("inputs", object(inputs)), ("streams", object(streams))] + root.value.members
    if members.contains(where: { StreamSketch.isFedInside($1) }) {
      throw Unsayable("what is fed to operators is subscribed to in a second place")
    }
    return object(members)
  }

  private func object(_ members: [(String, Value)]) -> Value {
    .map(ValueMap(members.map { (.string($0), $1) }))
  }

  private func stream(of source: VectorSource, _ events: [VectorEvent]) -> StreamSketch {
    guard !source.isHot else { return StreamSketch(source: "input", ("name", .string(Self.input(source.name)))) }
    let recorded = events.map { event in
      let at = Self.seconds(event.time)
      return switch event.kind {
      case .next(let value): Value.object(("at", at), ("value", value))
      case .error(let error): Value.object(("at", at), ("failure", error))
      case .complete: Value.object(("at", at), ("finished", true))
      }
    }
    return StreamSketch(source: "record", ("events", .list(recorded)))
  }

  /// The events with their values as they travel.
  private func traveling(_ events: [VectorEvent]) throws(Unsayable) -> [VectorEvent] {
    var result: [VectorEvent] = []
    for event in events {
      // Events of a vector's source after its end have no effect.
      switch result.last?.kind {
      case .complete, .error: return result
      default: break
      }
      switch event.kind {
      case .next(let json): result.append(VectorEvent(time: event.time, .next(try value(json, FunctionScope()))))
      case .error(let json): result.append(VectorEvent(time: event.time, .error(try value(json, FunctionScope()))))
      case .complete: result.append(event)
      }
    }
    return result
  }

  /// A whole pipeline. If it publishes streams, their tagged events are published instead.
  private func pipeline(_ pipeline: Value) throws(Unsayable) -> StreamSketch {
    var sketch = try stream(pipeline, FunctionScope())
    try tagParts(of: &sketch)
    return sketch
  }

  /// Several observers side by side: the host subscribes each of them, and its events have its number.
  private func observers() throws(Unsayable) -> StreamSketch {
    var all: [StreamSketch] = []
    for (index, observer) in vector.observers.enumerated() {
      var heard = try pipeline(observer.pipeline)
      heard.add("materialize")
      heard.map("{'observer': \(index), 'event': value}")
      var sketch = StreamSketch(source: "input", ("name", .string(Self.start(index))))
      sketch.add("flatMap", ("stream", heard.value))
      sketch.add("prefixUntil", ("stream", .string(Self.stop(index))))
      all.append(sketch)
    }
    guard let first = all.first else { throw Unsayable("there are no observers") }
    guard all.count > 1 else { return first }
    return first.adding("merge", ("with", .list(all.dropFirst().map(\.value))))
  }

  // MARK: Needs of the parts of a pipeline

  static func seconds(_ milliseconds: Double) -> Value {
    let seconds = milliseconds / 1000
    return Int64(exactly: seconds).map(Value.int) ?? .double(seconds)
  }

  /// A number of milliseconds that is longer than nothing and ends.
  func seconds(_ value: Value?, _ what: String) throws(Unsayable) -> Value {
    guard let number = value?.number else { throw Unsayable("\(what) that is no number of milliseconds") }
    guard number.isFinite else { throw Unsayable("\(what) of \(number) milliseconds") }
    return Self.seconds(max(number, 0))
  }

  /// A stream that publishes at a moment, or at once if that has been.
  func date(_ milliseconds: Double) -> StreamSketch {
    let name = "at \(milliseconds) ms"
    dates[name] = max(milliseconds, 0)
    var sketch = StreamSketch(source: "input", ("name", .string(name)))
    sketch.add("filter", ("expression", "value != null"))
    sketch.add("prefix", ("count", 1))
    return sketch
  }

  /// Registers a stream under an unused name, and returns the name.
  func share(_ sketch: StreamSketch) -> String {
    sharedCount += 1
    let name = "shared by a function, \(sharedCount)"
    streams.append((name, sketch.value))
    return name
  }

  func takeSequenceNumber() -> Int {
    defer { sequenceCount += 1 }
    return sequenceCount
  }

  /// A value as it travels: streams are values by their number.
  func value(_ json: Value, _ scope: FunctionScope) throws(Unsayable) -> Value {
    switch json {
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try value(element, scope)) }
      return .list(values)
    case .map:
      if let number = json.field("$double") { return .double(number.text.flatMap(Double.init) ?? .nan) }
      if let moment = json.field("$at")?.number { return .timestamp(Self.timestamp(moment)) }
      if let stream = json.field("$stream") {
        references.append(try self.stream(stream, scope))
        return .object(("$stream", .int(Int64(references.count - 1))))
      }
      var members: [(String, Value)] = []
      for (name, member) in json.members { members.append((name, try value(member, scope))) }
      return object(members)
    default: return json
    }
  }

  static func timestamp(_ milliseconds: Double) -> Timestamp {
    let whole = Int64(exactly: milliseconds.rounded()) ?? 0
    return Timestamp(seconds: whole / 1000, nanoseconds: whole % 1000 * 1_000_000)
  }

  /// The stream that a value stands for; of a list its elements.
  func dereference(_ text: String) -> StreamSketch {
    let elements = StreamSketch(source: "sequence", ("expression", .string("dyn(\(text))")))
    return Self.choice(
      references.enumerated().map { ("dyn(\(text)) == {'$stream': \($0)}", $1) }, otherwise: elements)
  }

  /// The first stream whose condition is true.
  static func choice(_ cases: [(condition: String, stream: StreamSketch)], otherwise: StreamSketch) -> StreamSketch {
    cases.reversed().reduce(otherwise) { rest, next in
      StreamSketch(
        source: "iif", ("condition", .string(next.condition)), ("then", next.stream.value), ("else", rest.value))
    }
  }
}
