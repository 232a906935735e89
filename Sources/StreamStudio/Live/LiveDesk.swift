internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import StreamTools

/// The streams that run for pages.
actor LiveDesk {
  private var runs: [(id: String, run: any WatchedStream)] = []
  private var count = 0

  /// Maximum number of streams that run: the oldest is stopped.
  private static let limit = 8

  func add(_ run: any WatchedStream) async -> String {
    count += 1
    let id = String(count)
    runs.append((id, run))
    if runs.count > Self.limit { await runs.removeFirst().run.stop() }
    return id
  }

  func run(_ id: String) throws(StudioProblem) -> any WatchedStream {
    guard let run = runs.first(where: { $0.id == id })?.run else { throw .missing("the stream does not run any more") }
    return run
  }

  /// Returns a stream that runs here, and not in another process.
  func owned(_ id: String) throws(StudioProblem) -> LiveRun {
    guard let run = try run(id) as? LiveRun else {
      throw StudioProblem(.conflict, "the stream runs in another process, which reads its own inputs")
    }
    return run
  }

  func remove(_ id: String) async {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    await runs.remove(at: index).run.stop()
  }
}

/// A stream whose events a page reads.
protocol WatchedStream: Actor {
  func events() async throws(StudioProblem) -> AsyncStream<PageEvent>
  func stop()
}

/// The recordings and files that a live stream is fed from.
struct LiveFeed {
  private(set) var events: [LiveRun.FedEvent] = []

  /// Maximum number of events of a feed.
  private static let limit = 1_000_000

  /// Reads `{"a": {"by": "file", "path": "a.ndjson", "speed": 2}}`.
  init(_ json: Value?, _ open: OpenDraft, _ folder: StudioFolder) throws(StudioProblem) {
    guard case .map(let map)? = json else { return }
    for (key, feed) in map.pairs {
      guard let input = key.text else { continue }
      let speed = feed.member("speed")?.seconds ?? 1
      guard speed > 0 else { throw .invalid("the speed of '\(input)' is not above 0") }
      switch feed.member("by")?.text ?? "hand" {
      case "hand": break
      case "file": try read(file: try Self.path(feed, folder), into: input, speed, open)
      case "recording": try read(recording: try Self.path(feed, folder), into: input, speed)
      default: throw .invalid("'\(input)' is fed by hand, by a file or by a recording")
      }
    }
  }

  private static func path(_ feed: Value, _ folder: StudioFolder) throws(StudioProblem) -> String {
    guard let path = feed.member("path")?.text else { throw .invalid("a feed from a file has a 'path'") }
    return try folder.file(path)
  }

  /// Reads values, so many each second.
  private mutating func read(
    file place: String, into input: String, _ speed: Double, _ open: OpenDraft
  ) throws(StudioProblem) {
    let stream = try open.stream()
    let console = Console.quiet()
    do throws(Diagnostics) {
      let pipeline = try stream.compile(open.compileOptions)
      guard let argument = NamedArgument(argument: "\(input)=\(place)") else { return }
      let recorded = RecordedInput(
        loader: open.loader, console: console, eventTime: nil, pace: Interval(seconds: 1 / speed), limit: Self.limit)
      for script in try recorded.scripts([argument], stream, pipeline, file: open.draft.path).scripts {
        for event in script.script.history.events { add(event.event, at: event.time, to: script.name) }
      }
    } catch {
      throw StudioProblem(error)
    }
  }

  private mutating func add(_ event: ExecutionEvent, at time: StreamTime, to input: String) {
    switch event {
    case .value(let value): events.append(.init(time: time, input: input, event: .value(value)))
    case .finished: events.append(.init(time: time, input: input, event: .completion(.finished)))
    case .failure(let failure): events.append(.init(time: time, input: input, event: .completion(.failure(failure))))
    case .skipped, .call, .noted: break
    }
  }

  /// Reads the events of an input from a recording of a run.
  private mutating func read(recording place: String, into input: String, _ speed: Double) throws(StudioProblem) {
    do {
      let reader = try RecordingReader(place, Console.quiet())
      for event in try reader.inputEvents(limit: Self.limit) where event.input == input {
        add(event.event, at: StreamTime(seconds: event.time.seconds / speed), to: input)
      }
    } catch let error as Diagnostics {
      throw StudioProblem(error)
    } catch {
      throw StudioProblem(.unprocessableContent, "the recording cannot be read")
    }
  }
}

extension StudioRoute {
  /// Streams that run by the clock.
  static let lives: [StudioRoute] = [
    StudioRoute(.post, "/live", "Prepares a draft to run by the clock", .draft + [.optional("feeds", "object")]) {
      studio, request in
      let open = try request.draft().opened(in: studio.folder)
      let feed = try LiveFeed(request["feeds"], open, studio.folder)
      let run = try LiveRun(open, feed: feed.events, studio)
      return ["id": .string(await studio.live.add(run)), "tracks": await run.list]
    },
    StudioRoute(.post, "/attach", "Shows a stream that 'streamrun --state DIR' runs", [.body("state")]) {
      studio, request in
      let place = try studio.folder.place(of: try request.text("state"))
      let run = try AttachedRun(place)
      return ["id": .string(await studio.live.add(run)), "tracks": run.list]
    },
    StudioRoute(
      .post, "/live/{id}/send", "Sends an event to an input",
      [
        .path("id"), .body("input"), .optional("value", "any"), .optional("finished", "boolean"),
        .optional("failure", "any"),
      ]
    ) { studio, request in
      let event: LiveRun.FedEvent.Event
      if let value = request.body.member("value") {
        do throws(Diagnostic) { event = .value(try PageValue.read(value)) } catch {
          throw StudioProblem(Diagnostics([error]))
        }
      } else if request["finished"] == true {
        event = .completion(.finished)
      } else if let failure = request["failure"] {
        event = .completion(.failure(StreamFailure(payload: failure)))
      } else {
        throw StudioProblem.invalid("there is none of 'value', 'finished' and 'failure'")
      }
      try await studio.live.owned(try request.text("id")).send(event, to: try request.text("input"))
      return .map(ValueMap([]))
    },
    StudioRoute(.post, "/live/{id}/swap", "Continues as another version", [.path("id")] + .draft) { studio, request in
      let open = try request.draft().opened(in: studio.folder)
      return ["report": try await studio.live.owned(try request.text("id")).swap(to: open)]
    },
    StudioRoute(.delete, "/live/{id}", "Stops a stream", [.path("id")]) { studio, request in
      await studio.live.remove(try request.text("id"))
      return .map(ValueMap([]))
    },
  ]
}
