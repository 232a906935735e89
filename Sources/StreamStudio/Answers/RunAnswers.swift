internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import StreamTools

extension StudioRoute {
  /// Runs of drafts in virtual time.
  static let runs: [StudioRoute] = [
    StudioRoute(.post, "/run", "A run of a draft in virtual time: the events of each input, operator and output", .run)
    {
      studio, request in
      let run = try DraftRun(request, studio)
      guard case .map(let map) = try run.diagram(showsStages: true).pageValue else { return .null }
      return .map(map.setting("inputs", run.inputs))
    },
    StudioRoute(
      .post, "/picture", "A picture of a run or of the graph of a draft",
      .run + [.optional("form"), .optional("format"), .optional("stages", "boolean")]
    ) { studio, request in
      try Picture(request, studio).value
    },
  ]
}

/// A run of a draft that a request asks for.
struct DraftRun {
  private let open: OpenDraft
  private let stream: StreamFile
  private let test: StreamTest
  private let pointer: JSONPointer
  private let limit: Int
  private let studio: Studio

  /// Maximum number of values on a line.
  private static let limits = 1...20_000

  /// A run with the events of a recording.
  init(_ open: OpenDraft, feeding inputs: Members<StreamTest.EventScript>, until end: Double?, _ studio: Studio)
    throws(StudioProblem)
  {
    (self.open, self.studio) = (open, studio)
    stream = try open.stream()
    test = StreamTest(name: "", inputs: inputs, seconds: end, expect: StreamTest.EventScript(.values([])))
    (pointer, limit) = (JSONPointer(), Self.limits.upperBound)
  }

  init(_ request: StudioRequest, _ studio: Studio) throws(StudioProblem) {
    self.studio = studio
    open = try request.draft().opened(in: studio.folder)
    stream = try open.stream()
    if case .int(let count)? = request["limit"] {
      limit = min(max(Int(clamping: count), Self.limits.lowerBound), Self.limits.upperBound)
    } else {
      limit = 1_000
    }
    let tests = stream.model.placedTests
    var test: StreamTest
    if let name = request.optionalText("test") {
      guard let placed = tests.first(where: { $0.test.name == name }) else {
        throw .missing("the draft has no test '\(name)'")
      }
      (test, pointer) = (placed.test, placed.pointer)
    } else if request["inputs"] == nil, let first = stream.model.tests.first {
      (test, pointer) = (first, JSONPointer(["tests", "0"]))
    } else {
      (test, pointer) = (StreamTest(name: "", expect: StreamTest.EventScript(.values([]))), JSONPointer())
    }
    if let inputs = request["inputs"] { test.inputs = try EventScripts(json: inputs).scripts }
    if let seconds = try request.seconds("seconds") { test.seconds = seconds }
    self.test = test
  }

  func diagram(showsStages: Bool) throws(StudioProblem) -> TimelineDiagram {
    var run = PictureRun(stream, options: open.compileOptions)
    run.showsStages = showsStages
    run.limit = limit
    run.workLimit = studio.runLimits
    do throws(Diagnostics) { return try run.picture(of: test, at: pointer) } catch {
      throw StudioProblem(Diagnostics(error.all.map { (try? open.json())?.locate($0) ?? $0 }))
    }
  }

  /// The events that the run feeds, by input.
  var inputs: Value { EventScripts(test.inputs).value }

  /// The names of the inputs that the stream has.
  var inputNames: [String] {
    get throws(StudioProblem) {
      do throws(Diagnostics) { return try stream.compile(open.compileOptions).inputs.map(\.name) } catch {
        throw StudioProblem(error)
      }
    }
  }

  var title: String { stream.model.name ?? open.draft.path }
  var outline: StreamOutline { StreamOutline(stream, options: open.compileOptions) }
}

/// The events that the marbles of inputs are.
struct EventScripts {
  let scripts: Members<StreamTest.EventScript>

  init(_ scripts: Members<StreamTest.EventScript>) { self.scripts = scripts }

  /// Reads `{"a": [{"at": 1, "value": 2}, {"at": 3, "finished": true}]}`.
  init(json: Value) throws(StudioProblem) {
    guard case .map(let map) = json else { throw .invalid("'inputs' is not an object") }
    var pairs: [(String, StreamTest.EventScript)] = []
    for (key, value) in map.pairs {
      guard let name = key.text, case .list(let items) = value else {
        throw .invalid("the events of an input are an array")
      }
      var events: [Source.Record.Event] = []
      for item in items { events.append(try Self.event(item, of: name)) }
      // The order of equal times is kept.
      let sorted = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
      pairs.append((name, StreamTest.EventScript(.events(sorted))))
    }
    scripts = Members(pairs: pairs)
  }

  private static func event(_ json: Value, of name: String) throws(StudioProblem) -> Source.Record.Event {
    guard let time = json.member("at")?.seconds, time >= 0 else {
      throw .invalid("an event of '\(name)' has no 'at', a number of seconds")
    }
    do throws(Diagnostic) {
      if let value = json.member("value") { return Source.Record.Event(at: time, .value(try PageValue.read(value))) }
      if json.member("finished") == true { return Source.Record.Event(at: time, .finished) }
      if let failure = json.member("failure") {
        return Source.Record.Event(at: time, .failure(try PageValue.read(failure)))
      }
    } catch {
      throw StudioProblem(Diagnostics([error]))
    }
    throw .invalid("an event of '\(name)' has none of 'value', 'finished' and 'failure'")
  }

  var value: Value {
    .map(
      ValueMap(
        scripts.map { name, script in
          let events = script.history().events.compactMap { event -> Value? in
            let at = (Value.string("at"), Value.double(event.time.seconds))
            switch event.event {
            case .value(let value): return .map(ValueMap([at, (.string("value"), PageValue(value).value)]))
            case .finished: return .map(ValueMap([at, (.string("finished"), .bool(true))]))
            case .failure(let failure):
              return .map(ValueMap([at, (.string("failure"), PageValue(failure.errorValue).value)]))
            case .skipped, .call, .noted: return nil
            }
          }
          return (.string(name), .list(ValueList(events)))
        }))
  }
}

/// A picture of a draft, to be shared.
struct Picture {
  private let run: DraftRun
  private let isGraph: Bool
  private let format: String
  private let showsStages: Bool

  init(_ request: StudioRequest, _ studio: Studio) throws(StudioProblem) {
    run = try DraftRun(request, studio)
    isGraph = request.optionalText("form") == "graph"
    format = request.optionalText("format") ?? "svg"
    showsStages = request["stages"] != false
  }

  var value: Value {
    get throws(StudioProblem) {
      let (text, type) = try content
      let name = String(run.title.map { $0.isLetter || $0.isNumber ? $0 : "-" }).lowercased()
      let ending = ["mermaid": "mmd", "text": "txt"][format] ?? format
      return ["name": .string("\(name).\(ending)"), "type": .string(type), "text": .string(text)]
    }
  }

  private var content: (text: String, type: String) {
    get throws(StudioProblem) {
      switch (isGraph, format) {
      case (true, "svg"): return (StreamGraph(run.outline).svg(title: run.title), "image/svg+xml")
      case (true, "mermaid"): return (StreamGraph(run.outline).mermaid, "text/plain")
      case (true, "dot"): return (StreamGraph(run.outline).dot, "text/plain")
      case (true, "text"): return (run.outline.tree(isASCII: false), "text/plain")
      case (false, "svg"): return (try run.diagram(showsStages: showsStages).svg(title: run.title), "image/svg+xml")
      case (false, "text"):
        return (try run.diagram(showsStages: showsStages).text(width: 100, isASCII: false), "text/plain")
      case (false, "html"):
        return (RunPage(title: run.title, run: try run.diagram(showsStages: true).pageValue).html, "text/html")
      default: throw .invalid("a \(isGraph ? "graph" : "run") cannot be drawn as '\(format)'")
      }
    }
  }
}
