internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import StreamTools

extension StudioRoute {
  /// Recordings, step by step.
  static let steps: [StudioRoute] = [
    StudioRoute(
      .post, "/step", "Opens a recording to step through it", [.body("recording"), .optional("draft", "object")]
    ) { studio, request in
      let draft: OpenDraft? = request["draft"] == nil ? nil : try request.draft("draft").opened(in: studio.folder)
      return try await studio.steps.open(try request.text("recording"), draft, studio.folder)
    },
    StudioRoute(
      .post, "/step/compare", "Two versions of a stream on the events of a recording",
      [.body("recording"), .optional("old", "object"), .body("new", "object")]
    ) { studio, request in
      let recording = try Recording(try request.text("recording"), studio.folder)
      let old = try request["old"] == nil ? recording.draft : request.draft("old")
      let new = try request.draft("new")
      let runs = try [old, new].map { draft throws(StudioProblem) in
        try recording.run(of: try draft.opened(in: studio.folder), studio).diagram(showsStages: true)
      }
      let outputs = runs.map { run in
        History(run.lanes.filter { $0.kind == .output }.flatMap(\.events).sorted { $0.time < $1.time })
      }
      let differences = HistoryComparison(old: outputs[0], new: outputs[1]).differences
      return [
        "same": .bool(differences.isEmpty), "differences": .list(differences.map(Value.string)),
        "runs": .list(runs.map(\.pageValue)),
      ]
    },
    StudioRoute(
      .post, "/step/{id}", "Moves in a recording: next, back, end, to a place, or to an output",
      [.path("id"), .optional("move"), .optional("to", "integer"), .optional("outputOf")]
    ) {
      studio, request in
      let id = try request.text("id")
      if request["to"] != nil { return try await studio.steps.move(id, .to(try request.count("to"))) }
      if let place = request.optionalText("outputOf") {
        return try await studio.steps.move(id, .outputOf(try JSONPointer(requested: place)))
      }
      switch try request.text("move") {
      case "next": return try await studio.steps.move(id, .next)
      case "back": return try await studio.steps.move(id, .back)
      case "end": return try await studio.steps.move(id, .end)
      default: throw StudioProblem.invalid("'move' is next, back or end")
      }
    },
    StudioRoute(.delete, "/step/{id}", "Closes a recording", [.path("id")]) { studio, request in
      await studio.steps.close(try request.text("id"))
      return .map(ValueMap([]))
    },
  ]
}

/// The recordings that pages step through.
actor StepDesk {
  private var replays: [(id: String, replay: SteppedReplay)] = []
  private var count = 0

  /// Maximum number of open recordings: the oldest is closed.
  private static let limit = 16
  /// Maximum number of steps to the end, or to an output.
  private static let longestWay = 1_000_000

  enum Move: Sendable {
    case next, back, end
    case to(Int)
    case outputOf(JSONPointer)
  }

  func open(_ recording: String, _ draft: OpenDraft?, _ folder: StudioFolder) throws(StudioProblem) -> Value {
    let place = try folder.file(recording)
    var request = ReplayRequest(recording: place)
    var texts: [String: [UInt8]] = [:]
    if let draft {
      request.file = draft.identity
      texts[draft.identity] = draft.bytes
    }
    let console = Console.quiet(folder.access, texts: texts)
    do throws(Diagnostics) {
      let replay = try SteppedReplay(request, console)
      count += 1
      let id = String(count)
      replays.append((id, replay))
      if replays.count > Self.limit { replays.removeFirst() }
      return ["id": .string(id), "count": Value(replay.count.map(Value.count)), "view": Self.view(of: replay)]
    } catch {
      throw StudioProblem(error)
    }
  }

  func close(_ id: String) { replays.removeAll { $0.id == id } }

  func move(_ id: String, _ move: Move) throws(StudioProblem) -> Value {
    guard let replay = replays.first(where: { $0.id == id })?.replay else {
      throw .missing("the recording is no longer open; open it again")
    }
    do throws(RunStop) {
      switch move {
      case .next: _ = try replay.stepForward()
      case .back: _ = try replay.stepBack()
      case .to(let position): try replay.go(to: position)
      case .outputOf(let pointer): _ = try replay.run(toOutputOf: pointer)
      case .end:
        for _ in 0..<Self.longestWay { if try !replay.stepForward() { break } }
      }
    } catch {
      guard case .refused(let diagnostic, _) = error else {
        throw StudioProblem(.unprocessableContent, "the recording cannot be read")
      }
      throw StudioProblem(Diagnostics([diagnostic]))
    }
    return Self.view(of: replay)
  }

  private static func view(of replay: SteppedReplay) -> Value {
    [
      "position": .count(replay.position), "count": Value(replay.count.map(Value.count)),
      "at": .double(replay.time.seconds), "event": .text(replay.latestEvent), "isAtEnd": .bool(replay.isAtEnd),
      "outputs": .list(replay.outputs.compactMap(value)),
      "operators": .list(
        replay.operators().map { view in
          [
            "name": .string(view.name), "pointer": .string("\(view.pointer)"),
            "latest": Value(view.latest.flatMap(value)),
            "states": .list(
              view.states.map { state in
                [
                  "frame": .count(state.frame), "state": PageValue(state.state).value,
                  "timers": .list(state.timers.map { .double($0.seconds) }),
                ]
              }),
          ]
        }),
    ]
  }

  private static func value(of output: SteppedReplay.Output) -> Value? {
    let at = (Value.string("at"), Value.double(output.time.seconds))
    switch output.event {
    case .value(let value): return .map(ValueMap([at, (.string("value"), PageValue(value).value)]))
    case .finished: return .map(ValueMap([at, (.string("finished"), .bool(true))]))
    case .failure(let failure):
      let words: Value = ["code": .string(failure.code), "message": .string(failure.message)]
      return .map(ValueMap([at, (.string("failure"), words)]))
    case .skipped, .call, .noted: return nil
    }
  }
}

extension JSONPointer {
  /// Reads a pointer in a request.
  init(requested text: String) throws(StudioProblem) {
    do throws(Diagnostic) { try self.init(parsing: text) } catch { throw StudioProblem(Diagnostics([error])) }
  }
}
