internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamKit
internal import StreamTools

/// A stream that runs by the clock while a page watches it.
actor LiveRun: WatchedStream {
  private let session: StreamSession
  private let clock = LiveClock()
  private let studio: Studio
  private var version: StreamVersion
  /// The tracks by the places of their operators.
  private var tracks: [JSONPointer: Int] = [:]
  private var trackList: [Value] = []
  /// The events that are still to be fed, in order of time.
  private var feed: [FedEvent] = []
  private var fedCount = 0
  private var listener: AsyncStream<PageEvent>.Continuation?
  private var waiting: StreamToken?
  private var stateTime = StreamTime.zero
  private var isOver = false

  /// Maximum number of effects that are taken before others have their turn.
  private static let batch = 10_000

  /// An event for an input at a time.
  struct FedEvent: Sendable {
    let time: StreamTime
    let input: String
    let event: Event

    enum Event: Sendable {
      case value(Value)
      case completion(Completion)
    }
  }

  init(_ open: OpenDraft, feed: [FedEvent], _ studio: Studio) throws(StudioProblem) {
    self.studio = studio
    let version = try Self.compile(open)
    self.version = version
    session = StreamSession(version, origin: clock.origin, limit: studio.runLimits)
    self.feed = feed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    (tracks, trackList) = Self.tracks(of: version, open, from: 0)
  }

  private static func compile(_ open: OpenDraft) throws(StudioProblem) -> StreamVersion {
    let stream = try open.stream()
    var options = open.compileOptions
    options.fuses = false
    do throws(Diagnostics) { return try StreamVersion(stream, options) } catch { throw StudioProblem(error) }
  }

  /// The tracks that the page shows before anything has happened.
  var list: Value { .list(ValueList(trackList)) }

  /// Begins to run, and returns what happens.
  func events() throws(StudioProblem) -> AsyncStream<PageEvent> {
    guard listener == nil else { throw StudioProblem(.conflict, "another page watches this run") }
    let (stream, continuation) = AsyncStream.makeStream(of: PageEvent.self, bufferingPolicy: .bufferingNewest(5_000))
    continuation.onTermination = { [weak self] _ in Task { await self?.stop() } }
    listener = continuation
    watch()
    session.start()
    work()
    return stream
  }

  // MARK: From the page

  func send(_ event: FedEvent.Event, to input: String) throws(StudioProblem) {
    guard !isOver else { throw StudioProblem(.conflict, "the stream has ended") }
    guard session.execution.pipeline.input(named: input) != nil else {
      throw .missing("the stream has no input '\(input)'")
    }
    deliver(event, to: input, at: clock.now)
    work()
  }

  /// Continues as another version, and returns what has become of the state.
  func swap(to open: OpenDraft) throws(StudioProblem) -> Value {
    let next = try Self.compile(open)
    do throws(Diagnostics) {
      session.advance(to: clock.now)
      let swap = try session.prepare(next)
      session.become(swap, on: nil)
      version = next
      // New numbers, so that no event of the version before belongs to a track of this one.
      (tracks, trackList) = Self.tracks(of: next, open, from: (tracks.values.max() ?? 0) + 1)
      watch()
      work()
      return [
        "tracks": .list(ValueList(trackList)), "added": .count(swap.report.addedCount),
        "parts": .list(swap.report.parts.map(Self.value)),
      ]
    } catch {
      throw StudioProblem(error)
    }
  }

  func stop() {
    isOver = true
    waiting?.cancel()
    waiting = nil
    listener?.finish()
    listener = nil
  }

  // MARK: Work

  private func deliver(_ event: FedEvent.Event, to input: String, at time: StreamTime) {
    session.advance(to: time)
    switch event {
    case .value(let value):
      tell(input: input, "value", PageValue(value).value)
      session.send(value, named: input, at: time)
    case .completion(.finished):
      tell(input: input, "finished", true)
      session.complete(input, .finished, at: time)
    case .completion(.failure(let failure)):
      tell(input: input, "failure", Self.value(of: failure))
      session.complete(input, .failure(failure), at: time)
    }
  }

  /// Feeds the events that are due, takes the effects, and waits for the next event.
  private func work() {
    guard !isOver else { return }
    waiting?.cancel()
    let now = clock.now
    while fedCount < feed.count, feed[fedCount].time <= now {
      let next = feed[fedCount]
      fedCount += 1
      deliver(next.event, to: next.input, at: max(next.time, session.time))
      if !drain() { return wait(until: now) }
    }
    if let wake = session.nextWake, wake <= now { session.advance(to: now) }
    guard drain() else { return wait(until: now) }
    if session.isEnded { return }
    if now.seconds - stateTime.seconds >= 1 { tellState(now) }
    let next = [session.nextWake, fedCount < feed.count ? feed[fedCount].time : nil].compactMap(\.self).min()
    wait(until: min(next ?? .distantFuture, StreamTime(seconds: now.seconds + 1)))
  }

  private func wait(until time: StreamTime) {
    let rest = max(1_000_000, time.nanoseconds - clock.now.nanoseconds)
    waiting = ContinuousClock().schedule(after: .nanoseconds(rest)) { [weak self] in Task { await self?.work() } }
  }

  /// Takes effects. Returns false if there are more than a batch.
  private func drain() -> Bool {
    for _ in 0..<Self.batch {
      guard let effect = session.next() else { return true }
      switch effect {
      case .event(.finished): end(["reason": "finished"])
      case .event(.failure(let failure)), .limited(let failure):
        end(["reason": "failed", "failure": Self.value(of: failure)])
      case .event(.skipped(let failure)): tell("skipped", ["message": .string(failure.message)])
      case .event(.noted(let note)):
        tell("note", ["name": .string(note.name), "message": PageValue(note.message).value])
      case .event(.call(let call)):
        let failure = StreamFailure(.callFailed, "the studio has no function '\(call.function)'")
        session.answer(call.id, .failure(failure), at: session.time)
      case .event(.value), .busy, .rolledBack: break
      }
    }
    return false
  }

  private func watch() {
    session.execution.publicationWatcher = { [unowned self] node, event in
      // NB: The execution works only while this actor does.
      assumeIsolated { run in run.note(event, at: node.pointer) }
    }
  }

  private func note(_ event: ExecutionEvent, at pointer: JSONPointer) {
    guard let track = tracks[pointer] else { return }
    switch event {
    case .value(let value): tell(track, "value", PageValue(value).value)
    case .finished: tell(track, "finished", true)
    case .failure(let failure): tell(track, "failure", Self.value(of: failure))
    case .skipped, .call, .noted: break
    }
  }

  // MARK: To the page

  private func tell(_ name: String, _ value: Value) { listener?.yield(PageEvent(name: name, value: value)) }

  private func tell(_ track: Int, _ name: String, _ value: Value) {
    tell("marble", ["track": .count(track), "at": .double(session.time.seconds), .string(name): value])
  }

  private func tell(input: String, _ name: String, _ value: Value) {
    if let track = tracks[JSONPointer(["inputs", input])] { tell(track, name, value) }
  }

  private func tellState(_ now: StreamTime) {
    stateTime = now
    guard let states = try? session.execution.states() else { return }
    tell(
      "state",
      [
        "at": .double(now.seconds),
        "operators": .list(
          states.prefix(1_000).map { state in
            [
              "name": .string(state.name), "pointer": .string("\(state.pointer)"), "frame": .count(state.frame),
              "state": PageValue(state.state).value, "timers": .list(state.timers.map { .double($0.seconds) }),
            ]
          }),
      ])
  }

  private func end(_ value: Value) {
    tellState(clock.now)
    tell("end", value)
    isOver = true
  }

  private static func value(of failure: StreamFailure) -> Value {
    ["code": .string(failure.code), "message": .string(failure.message)]
  }

  private static func value(of part: SwapReport.Part) -> Value {
    var members: [(Value, Value)] = [("name", .string(part.name)), ("id", .text(part.id))]
    members.append(("pointer", .text(part.newPointer?.description)))
    switch part.outcome {
    case .kept: members.append(("outcome", "kept"))
    case .begunAnew(let reason): members += [("outcome", "begunAnew"), ("reason", .string(reason))]
    case .lost(let reason): members += [("outcome", "lost"), ("reason", .string(reason))]
    }
    return .map(ValueMap(members))
  }

  /// The tracks of a version: inputs, then sources and operators as the file has them.
  ///
  /// - Parameter first: The number of the first track.
  private static func tracks(
    of version: StreamVersion, _ open: OpenDraft, from first: Int
  ) -> ([JSONPointer: Int], [Value]) {
    var places: [JSONPointer: Int] = [:]
    var list: [Value] = []
    func add(_ kind: String, _ title: String, _ detail: String, _ pointer: JSONPointer) {
      guard places[pointer] == nil else { return }
      let number = first + list.count
      places[pointer] = number
      list.append([
        "id": .count(number), "kind": .string(kind), "title": .string(title), "detail": .string(detail),
        "pointer": .string("\(pointer)"), "events": [],
      ])
    }
    for input in version.pipeline.inputs where input.lateOf == nil {
      add("input", input.name, "", JSONPointer(["inputs", input.name]))
    }
    guard let stream = try? open.stream() else { return (places, list) }
    let stages = StreamOutline(stream, options: open.compileOptions).stages
    for stage in stages where stage.step.kind != .input && stage.step.kind != .reference {
      let isOutput = stage.step.pointer == version.pipeline.root.pointer && stream.model.outputNames.isEmpty
      add(isOutput ? "output" : "stage", stage.title, stage.step.detail, stage.step.pointer)
    }
    // The last operator may be in another file.
    if stream.model.outputNames.isEmpty { add("output", "output", "", version.pipeline.root.pointer) }
    return (places, list)
  }
}
