public import StreamCore
internal import StreamEngine

extension StreamTest {
  /// The events of a stream in a test: those fed to an input, or those expected.
  public struct EventScript: StreamFilePart {
    public enum Kind: Hashable, Sendable {
      /// `{"marbles": "-a-b|", "values": {…}, "frame": 0.001}`
      case marbles(Source.Marbles)
      /// `{"events": [{"at": 1, "value": 2}, …]}`
      case events([Source.Record.Event])
      /// `{"values": [1, 2]}`, `{"values": [1], "failure": "error"}`: as input, values that are read when the stream
      /// wants them, followed by the ending; as expectation, these values in order at any time, followed by the ending.
      /// Without an ending, as input and as expectation the stream finishes; in a test with `for`, which ends the run
      /// early, the expected stream may also stay open.
      case values([Value], ending: Ending? = nil)
      /// `{"outputs": {"alerts": {"values": [1]}}}`: only as expectation of a file with outputs, the events of each
      /// output. The end of an output is that of the file. Outputs that are not named are not compared.
      case outputs(Members<EventScript>)
    }

    /// The event after the last of the values.
    public enum Ending: Hashable, Sendable {
      /// `"finished": true`
      case finished
      /// `"finished": false`: the stream stays open.
      case open
      /// `"failure": …`: any JSON value. As expectation, compared as the failure of an event.
      case failure(Value)
    }

    public var kind: Kind
    /// Custom members, whose names begin with `x-`.
    public var extensions: ValueMap

    public init(_ kind: Kind, extensions: ValueMap = ValueMap()) {
      self.kind = kind
      self.extensions = extensions
    }

    package static let keys = ["marbles", "events", "values", "frame", "finished", "failure"]

    public init(json: Value) throws(Diagnostics) { try self.init(json, what: "a script of events", hasOutputs: true) }

    /// - Parameter hasOutputs: Whether the script may have `outputs`.
    init(_ json: Value, what: String, hasOutputs: Bool = false) throws(Diagnostics) {
      var reader = MemberReader(
        json, what: what, keys: Self.keys + (hasOutputs ? ["outputs"] : []),
        form: { value in if case .list = value { "write {\"values\": […]}" } else { nil } })
      try reader.throwUnlessObject()
      extensions = reader.extensions
      kind = .values([])
      if hasOutputs, reader.has("outputs") {
        kind = .outputs(Self.outputs(&reader))
        try reader.diagnostics.throwErrors()
        return
      }
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
        let events =
          reader.elements("events") { value throws(Diagnostics) in try Source.Record.Event(json: value) } ?? []
        kind = .events(events)
        do throws(Diagnostic) {
          try Source.Record(events: events).validate()
        } catch {
          reader.append(error)
        }
      } else {
        kind = .values(reader.list("values") ?? [], ending: Self.ending(&reader))
      }
      if isMarbles || reader.has("events"), let name = ["finished", "failure"].first(where: reader.has) {
        reader.append(
          Diagnostic(
            .invalidTest,
            "'\(name)' belongs to 'values' and has no meaning beside '\(isMarbles ? "marbles" : "events")'",
            at: JSONPointer([name]), part: .key,
            help: isMarbles ? "end the diagram with | or #" : "write the end as the last event"))
      }
      try reader.diagnostics.throwErrors()
    }

    /// Reads the expectations of several outputs.
    private static func outputs(_ reader: inout MemberReader) -> Members<EventScript> {
      if let key = Self.keys.first(where: reader.has) {
        reader.append(
          Diagnostic(
            .invalidTest, "'\(key)' has no meaning beside 'outputs'", at: JSONPointer([key]), part: .key,
            help: "write it in the expectation of each output"))
      }
      return reader.named("outputs", what: "an output") { value in
        MemberReader.part(or: EventScript(.values([]))) { () throws(Diagnostics) in
          try EventScript(value, what: "an expectation")
        }
      }
    }

    /// Reads the members for the end of the values.
    private static func ending(_ reader: inout MemberReader) -> Ending? {
      let finished = reader.bool("finished")
      guard let failure = reader.value("failure") else { return finished.map { $0 ? .finished : .open } }
      if reader.has("finished") {
        reader.append(
          Diagnostic(
            .conflictingFields, "a script has one of 'finished' and 'failure'; found both",
            at: JSONPointer(["finished"]),
            part: .key))
      }
      return .failure(failure)
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
      case .values(let values, let ending):
        writer.add("values", values, always: true)
        switch ending {
        case nil: break
        case .finished: writer.add("finished", true)
        case .open: writer.add("finished", false)
        case .failure(let failure): writer.add("failure", failure)
        }
      case .outputs(let scripts):
        writer.add("outputs", .map(ValueMap(scripts.map { (.string($0.name), $0.element.json) })))
      }
      writer.add(extensions)
      return writer.value
    }

    /// Returns the events with their times.
    public func history() -> History {
      switch kind {
      case .marbles(let marbles): return (try? marbles.history()) ?? History()
      case .events(let events): return History(events.map(\.timed))
      case .values(let values, let ending):
        let end = (ending ?? .finished).event.map { [History.Event(.zero, $0)] } ?? []
        return History(values.map { History.Event(.zero, .value($0)) } + end)
      case .outputs(let scripts):
        return History(scripts.flatMap { $0.element.history().events }.sorted { $0.time < $1.time })
      }
    }

    /// The script as a source, which begins when it is subscribed to.
    var source: Source {
      switch kind {
      case .marbles(let marbles): .marbles(marbles)
      case .events(let events): .record(Source.Record(events: events))
      case .values(let values, nil), .values(let values, .finished): .items(values.map { StreamItem($0) })
      case .values(let values, let ending):
        .record(
          Source.Record(
            events: values.map { Source.Record.Event(at: 0, .value($0)) }
              + (ending?.recorded.map { [Source.Record.Event(at: 0, $0)] } ?? [])))
      // Only an expectation has outputs; reading a test checks that.
      case .outputs: .items([])
      }
    }
  }
}

extension StreamTest.EventScript.Ending {
  /// The completion as a recording has it; nil if the stream stays open.
  var recorded: Source.Record.Event.Kind? {
    switch self {
    case .finished: .finished
    case .open: nil
    case .failure(let failure): .failure(failure)
    }
  }

  /// The completion as an event; nil if the stream stays open.
  var event: ExecutionEvent? { recorded.map { Source.Record.Event(at: 0, $0).timed.event } }
}

extension Value {
  /// An object with more members; every other value unchanged.
  func adding(_ members: ValueMap) -> Value {
    guard !members.isEmpty, case .map(let map) = self else { return self }
    return .map(ValueMap(map.pairs.map { ($0, $1) } + members.pairs.map { ($0, $1) }))
  }

  /// Returns a number of seconds, as an integer if it is whole.
  package static func seconds(_ seconds: Double) -> Value { Int64(exactly: seconds).map(Value.int) ?? .double(seconds) }
}
