public import StreamCore
public import StreamRuntime

/// The events of a stream in a test: those fed to an input, or those expected.
public struct EventScript: StreamFilePart {
  public enum Kind: Hashable, Sendable {
    /// `{"marbles": "-a-b|", "values": {…}, "frame": 0.001}`
    case marbles(Source.Marbles)
    /// `{"events": [{"at": 1, "value": 2}, …]}`
    case events([RecordedEvent])
    /// `{"values": [1, 2]}`: as input, all values at the start followed by the end; as expectation, these values in
    /// order at any time.
    case values([Value])
  }

  public var kind: Kind
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap

  public init(_ kind: Kind, extensions: ValueMap = ValueMap()) {
    self.kind = kind
    self.extensions = extensions
  }

  package static let keys = ["marbles", "events", "values", "frame"]

  public init(json: Value) throws(Diagnostics) { try self.init(json, what: "a script of events") }

  init(_ json: Value, what: String) throws(Diagnostics) {
    var reader = MemberReader(json, what: what, keys: Self.keys)
    try reader.throwUnlessObject()
    extensions = reader.extensions
    kind = .values([])
    let isMarbles = reader.has("marbles")
    let found = [isMarbles, reader.has("events"), !isMarbles && reader.has("values")].count { $0 }
    if found != 1 {
      reader.append(
        Diagnostic(
          .invalidTest,
          "\(what) must have one of 'marbles', 'events' and 'values'; found \(found == 0 ? "none" : "more than one")",
          help: "write {\"values\": [1, 2]} or {\"marbles\": \"-a-b|\", \"values\": {\"a\": 1, \"b\": 2}}"))
    } else if isMarbles {
      let fields = ValueMap(
        [("diagram", json.member("marbles")), ("values", json.member("values")), ("frame", json.member("frame"))]
          .compactMap { name, value in value.map { (.string(name), $0) } })
      do throws(Diagnostics) {
        kind = .marbles(try Source.Marbles.read(.map(fields)))
      } catch {
        for diagnostic in error.all { reader.append(Self.renamed(diagnostic)) }
      }
    } else if reader.has("events") {
      let events = reader.elements("events") { value throws(Diagnostics) in try RecordedEvent(json: value) } ?? []
      kind = .events(events)
      do throws(Diagnostic) {
        try Source.Record(events: events).validate()
      } catch {
        reader.append(error)
      }
    } else {
      kind = .values(reader.list("values") ?? [])
    }
    try reader.diagnostics.throwErrors()
  }

  /// Renames the source's field `diagram` to the script's member `marbles`.
  private static func renamed(_ diagnostic: Diagnostic) -> Diagnostic {
    var copy = diagnostic
    if copy.pointer.tokens.first == "diagram" { copy.pointer.tokens[0] = "marbles" }
    return copy
  }

  public var json: Value {
    var writer = MemberWriter()
    switch kind {
    case .marbles(let marbles):
      writer.add("marbles", marbles.diagram)
      writer.add("values", marbles.values)
      writer.add("frame", marbles.frame.map(Value.seconds))
    case .events(let events): writer.add("events", events.map(\.json), always: true)
    case .values(let values): writer.add("values", values, always: true)
    }
    writer.add(extensions)
    return writer.value
  }

  /// Returns the events with their times.
  public func history() -> History {
    switch kind {
    case .marbles(let marbles): return (try? marbles.history()) ?? History()
    case .events(let events): return History(events.map(\.timed))
    case .values(let values):
      return History(values.map { TimedEvent(.zero, .value($0)) } + [TimedEvent(.zero, .finished)])
    }
  }

  /// The script as a source, which begins when it is subscribed to.
  var source: Source {
    switch kind {
    case .marbles(let marbles): .marbles(marbles)
    case .events(let events): .record(Source.Record(events: events))
    case .values(let values): .items(values.map { StreamItem($0) })
    }
  }
}

extension Value {
  /// An object with more members; every other value as it is.
  func adding(_ members: ValueMap) -> Value {
    guard !members.isEmpty, case .map(let map) = self else { return self }
    return .map(ValueMap(map.pairs.map { ($0, $1) } + members.pairs.map { ($0, $1) }))
  }

  /// Returns a number of seconds, as an integer if it is whole.
  package static func seconds(_ seconds: Double) -> Value { Int64(exactly: seconds).map(Value.int) ?? .double(seconds) }
}
