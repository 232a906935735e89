internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamTools

/// A stream that another process runs with `--state DIR`: the values of its operators, and once a second its rates,
/// queues and memory.
actor AttachedRun: WatchedStream {
  private let client: StatusClient
  /// The operators of the run, as tracks of the page.
  let list: Value
  private let tracks: [Value: Int]
  private var order = 0
  private var watcher: Task<Void, Never>?

  /// Maximum number of events of an operator between two requests.
  private static let valueCount = 100
  private static let pause = Duration.milliseconds(250)

  /// - Throws: 404 if no stream runs with the folder.
  init(_ place: String) throws(StudioProblem) {
    do throws(Diagnostic) {
      client = try StatusClient(place)
      let status = try client.status(values: Self.valueCount)
      let operators = status.map(Self.operators) ?? []
      tracks = Dictionary(operators.enumerated().map { ($1.pointer, $0) }) { first, _ in first }
      list = .list(
        ValueList(
          operators.enumerated().map { number, entry in
            [
              "id": .count(number), "kind": "stage", "title": entry.title, "detail": "", "pointer": entry.pointer,
              "events": [],
            ]
          }))
    } catch {
      throw StudioProblem(.notFound, error.message, detail: error.help)
    }
  }

  func events() throws(StudioProblem) -> AsyncStream<PageEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: PageEvent.self, bufferingPolicy: .bufferingNewest(5_000))
    watcher?.cancel()
    let watcher = Task { [weak self] in
      var count = 0
      while !Task.isCancelled, let events = await self?.next(withStatus: count % 4 == 0) {
        for event in events { continuation.yield(event) }
        count += 1
        try? await Task.sleep(for: Self.pause)
      }
      continuation.yield(PageEvent(name: "end", value: ["reason": "the run has ended"]))
      continuation.finish()
    }
    continuation.onTermination = { _ in watcher.cancel() }
    self.watcher = watcher
    return stream
  }

  /// The events since the last call; nil if the run has ended.
  private func next(withStatus isWhole: Bool) -> [PageEvent]? {
    guard let status = try? client.status(values: Self.valueCount, after: order) else { return nil }
    var found: [(order: Int, event: Value)] = []
    for entry in Self.operators(status) {
      guard let track = tracks[entry.pointer] else { continue }
      for event in entry.recent {
        guard case .map(let members) = event, case .int(let number)? = members["order"] else { continue }
        found.append((Int(number), .map(members.setting("track", .count(track)))))
      }
    }
    found.sort { $0.order < $1.order }
    order = found.last?.order ?? order
    let marbles = found.map { PageEvent(name: "marble", value: PageValue($0.event).value) }
    return (isWhole ? [PageEvent(name: "status", value: PageValue(status).value)] : []) + marbles
  }

  private static func operators(_ status: Value) -> [(pointer: Value, title: Value, recent: [Value])] {
    guard case .list(let operators)? = status.member("operators") else { return [] }
    return operators.elements.compactMap { entry in
      // An input publishes nothing that is counted.
      guard let pointer = entry.member("pointer"), let name = entry.member("name"), name != "input" else { return nil }
      var recent: [Value] = []
      if case .list(let events)? = entry.member("recent") { recent = events.elements }
      let id = entry.member("id") ?? .null
      return (pointer, id == .null ? name : id, recent)
    }
  }

  func stop() { watcher?.cancel() }
}
