package import StreamCore
package import StreamKit
package import StreamRuntime

/// Recordings from files as scripts, which feed a run as a test does.
package struct RecordedInput {
  let loader: FileLoader
  let console: Console
  /// The data's own clock; without it values come at a steady pace.
  let clock: EventClock?
  /// Time between two values without a clock.
  let pace: Interval
  /// The most values that are read of a file.
  let limit: Int
  /// Whether to skip lines that are not JSON, and values of another type than the input's.
  var skips = false

  package init(
    loader: FileLoader, console: Console, clock: EventClock?, pace: Interval, limit: Int, skips: Bool = false
  ) {
    self.loader = loader
    self.console = console
    self.clock = clock
    self.pace = pace
    self.limit = limit
    self.skips = skips
  }

  /// Returns the recording of each input.
  ///
  /// - Throws: The errors for files that cannot be read, and the errors in them.
  package func scripts(
    _ arguments: [NamedArgument], _ stream: StreamFile, _ pipeline: Pipeline, file: String
  ) throws(Diagnostics) -> [(name: String, events: [RecordedEvent])] {
    let report = SkipReport(console, skips: skips)
    var assignment = InputAssignment(stream, pipeline, readsStandardInput: false)
    let files = assignment.files(arguments)
    try assignment.problems.throwErrors()
    let feeds = try FileFeeds(streamFile: file, assignment, report).open(files)
    do throws(RunStop) {
      return try read(feeds)
    } catch {
      guard case .refused(let diagnostic, let source) = error else { return [] }
      if let source { console.remember(source) }
      throw Diagnostics([diagnostic])
    }
  }

  private func read(_ feeds: [FileFeed]) throws(RunStop) -> [(name: String, events: [RecordedEvent])] {
    guard let clock else {
      var scripts: [(name: String, events: [RecordedEvent])] = []
      for feed in feeds { scripts.append((feed.name, try readAtPace(feed))) }
      return scripts
    }
    let queues = feeds.map { RecordQueue($0, clock: clock) }
    let origin = try EventTimeDriver.origin(of: queues)
    var scripts: [(name: String, events: [RecordedEvent])] = []
    for queue in queues { scripts.append((queue.feed.name, try read(queue, since: origin))) }
    return scripts
  }

  private func read(_ queue: RecordQueue, since origin: Timestamp) throws(RunStop) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    var latest = 0.0
    while events.count < limit {
      try queue.read { feed throws(RunStop) in
        try feed.waitAndFill { () throws(RunStop) in }
        return true
      }
      guard let record = queue.pop() else {
        events.append(RecordedEvent(at: latest, .finished))
        break
      }
      latest = max(latest, record.time.streamTime(since: origin).seconds)
      events.append(RecordedEvent(at: latest, .value(record.value)))
    }
    return events
  }

  private func readAtPace(_ feed: FileFeed) throws(RunStop) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while events.count < limit {
      let time = Double(events.count) * pace.seconds
      switch try feed.next() {
      case .incomplete: try feed.waitAndFill { () throws(RunStop) in }
      case .value(let value): events.append(RecordedEvent(at: time, .value(value)))
      case .end:
        events.append(RecordedEvent(at: max(time - pace.seconds, 0), .finished))
        return events
      }
    }
    return events
  }
}
