package import StreamCore
package import StreamEngine
package import StreamFiles
package import StreamKit

/// Recordings from files, in the order and at the times in which a run reads them.
package struct RecordedInput {
  let loader: FileLoader
  let console: Console
  /// The data's own clock, as the arguments give it; nil to ignore it. Without a clock values come at a steady pace.
  let eventTime: EventTimeRequest?
  /// Time between two values without a clock.
  let pace: Interval
  /// The most values that are read of a file.
  let limit: Int
  /// Whether to skip lines that are not JSON, and values of another type than the input's.
  let skips: Bool
  let format: InputFormat

  package init(
    loader: FileLoader, console: Console, eventTime: EventTimeRequest?, pace: Interval, limit: Int, skips: Bool = false,
    format: InputFormat = InputFormat()
  ) {
    self.loader = loader
    self.console = console
    self.eventTime = eventTime
    self.pace = pace
    self.limit = limit
    self.skips = skips
    self.format = format
  }

  /// The recordings of inputs.
  package struct Recordings {
    package var scripts: [(name: String, script: OrderedScript)] = []
    /// Time zero of the recordings.
    package var origin = Timestamp(seconds: 0)
    /// The warnings about the times of values.
    package var warnings: [Diagnostic] = []
  }

  /// Returns the recording of each input.
  ///
  /// - Throws: The errors for files that cannot be read, and the errors in them.
  package func scripts(
    _ arguments: [NamedArgument], _ stream: StreamFile, _ pipeline: Pipeline, file: String
  ) throws(Diagnostics) -> Recordings {
    let report = SkipReport(console, skips: skips)
    var assignment = InputAssignment(stream, pipeline, readsStandardInput: false)
    let files = assignment.files(arguments)
    try assignment.problems.throwErrors()
    let feeds = try FileFeeds(streamFile: file, assignment, report, format: format).open(files)
    let clocks =
      try eventTime.map { request throws(Diagnostics) in try InputClocks(request, of: pipeline, console) }
      ?? InputClocks()
    do throws(RunStop) {
      return try read(feeds, clocks)
    } catch {
      guard case .refused(let diagnostic, let source) = error else { return Recordings() }
      if let source { console.remember(source) }
      throw Diagnostics([diagnostic])
    }
  }

  private func read(_ feeds: [FileFeed], _ clocks: InputClocks) throws(RunStop) -> Recordings {
    var recordings = Recordings()
    guard !clocks.isEmpty else {
      for feed in feeds { recordings.scripts.append((feed.name, try readAtPace(feed))) }
      return recordings
    }
    let queues = RecordQueues(clocks)
    recordings.origin = try queues.origin(of: feeds)
    for feed in feeds { recordings.scripts.append((feed.name, try read(queues.queue(of: feed)))) }
    recordings.warnings = queues.warnings(output: nil)
    return recordings
  }

  private func read(_ queue: RecordQueue) throws(RunStop) -> OrderedScript {
    var script = OrderedScript()
    while script.history.events.count < limit {
      try queue.read { feed throws(RunStop) in
        try feed.waitAndFill { () throws(RunStop) in }
        return true
      }
      let time = queue.present
      guard let record = queue.pop() else {
        script.append(.finished, at: time)
        break
      }
      script.append(record, at: time)
    }
    return script
  }

  private func readAtPace(_ feed: FileFeed) throws(RunStop) -> OrderedScript {
    var script = OrderedScript()
    var latest = StreamTime.zero
    while script.history.events.count < limit {
      let time = StreamTime(seconds: Double(script.history.events.count) * pace.seconds)
      switch try feed.next() {
      case .incomplete: try feed.waitAndFill { () throws(RunStop) in }
      case .record(let value):
        script.append(.value(value), at: time)
        latest = time
      case .end:
        script.append(.finished, at: latest)
        return script
      }
    }
    return script
  }
}
