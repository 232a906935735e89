package import StreamCore
internal import StreamKit
package import StreamRuntime

/// A run of a stream from the command line: writes the events of the execution to the output.
package final class RunSession {
  @exclusivity(unchecked) private(set) var execution: Execution
  @exclusivity(unchecked) private(set) var feeds: [FileFeed]
  /// No timer later than this fires.
  let until: StreamTime?
  private let console: Console
  private let writer: any ValueWriter
  /// The longest text of a value that is printed.
  private let longestValue: ByteCount
  private let report: SkipReport
  /// Whether to print the messages of operators.
  private let tellsNotes: Bool
  /// Number of values that may still be written.
  @exclusivity(unchecked) private var remaining: Int
  /// Makes a diagnostic of a failure, with its place in the stream file.
  private var explain: (StreamFailure) -> Diagnostic
  /// Detects changes of the stream file; nil unless requested.
  private let watch: StreamWatch?
  /// Number of lines sent as rows; tests check that there are some.
  @exclusivity(unchecked) var rowCount = 0
  /// The fast path for rows from a source to the stream, if nothing else feeds it.
  private let sourcePath: SourceFastPath?
  private var drainCount = 0
  /// Limit on the work and memory of the run.
  private let workLimit: WorkLimit
  @exclusivity(unchecked) private var meter: WorkMeter
  /// Number of values in and out when the meter was read last.
  @exclusivity(unchecked) private var meteredCount = 0
  private var progress: Progress
  @exclusivity(unchecked) private(set) var writtenCount = 0
  private(set) var end: ExecutionEvent?

  package init(
    _ execution: Execution, feeds: [FileFeed], until: StreamTime?, limit: Int?, writer: any ValueWriter,
    longestValue: ByteCount = ByteCount.standardValue, workLimit: WorkLimit, console: Console, report: SkipReport,
    tellsNotes: Bool = true, watch: StreamWatch? = nil,
    explain: @escaping (StreamFailure) -> Diagnostic
  ) {
    self.watch = watch
    self.workLimit = workLimit
    meter = WorkMeter(workLimit)
    self.execution = execution
    self.feeds = feeds
    self.until = until
    self.writer = writer
    self.longestValue = longestValue
    writer.bound(to: longestValue.bytes)
    self.console = console
    self.report = report
    self.tellsNotes = tellsNotes
    self.explain = explain
    remaining = limit ?? .max
    // A stream that becomes another one says what comes of a value before that.
    sourcePath = feeds.isEmpty && watch == nil ? SourceFastPath(execution) : nil
    progress = Progress(isShown: console.isAttended && !console.output.isTerminal)
  }

  /// Subscribes and writes the immediate output.
  func start() throws(RunStop) {
    guard remaining > 0 else { throw .enough }
    execution.request(.unlimited)
    // A version that is there already replaces the stream before its first value.
    _ = try becomeAnother()
    try drain()
  }

  /// Writes the output until the execution is idle.
  func drain() throws(RunStop) {
    while true {
      if let sourcePath { try takeRows(through: sourcePath) }
      switch execution.step(atMost: isWatching ? Self.watchingPatience : WorkMeter.slice) {
      case .idle: return try look()
      case .unfinished:
        _ = try becomeAnother()
        // Somebody may wait for what has been published before so much work.
        try flush()
      case .event(let event): try hear(event)
      }
      try look()
      // A busy stream publishes too many events per second to check after each of them.
      drainCount &+= 1
      if drainCount & 255 == 0 { _ = try becomeAnother() }
    }
  }

  @inline(__always)
  func hear(_ event: ExecutionEvent) throws(RunStop) {
    switch event {
    case .value(let value): try write(value)
    case .finished: end = .finished
    case .failure(let failure):
      // Reading for a stream also fails when the program is asked to stop, or when its output is closed.
      if !Interruption.hasHappened, !console.output.isClosed, try restoreFormer(after: failure) { return }
      end = .failure(failure)
      if Interruption.hasHappened { throw .interrupted }
      throw console.output.isClosed ? .outputClosed : .failed(failure)
    case .skipped(let failure): report.note(failure, explain(failure))
    case .noted(let note): try tell(note)
    case .call: break  // no function is registered, so none can be named
    }
  }

  /// Shows what an operator notes on standard error: after the values before it.
  private func tell(_ note: HookEvent) throws(RunStop) {
    guard tellsNotes else { return }
    try flush()
    console.tell(note)
  }

  /// Ends the run if the program is asked to stop, or if the run exceeds its work or memory limit.
  @inline(__always)
  func look() throws(RunStop) {
    if Interruption.hasHappened { throw .interrupted }
    guard let failure = meter.read(execution) else { return }
    try stop(failure)
  }

  @inline(never)
  private func stop(_ failure: StreamFailure) throws(RunStop) {
    if Interruption.hasHappened { throw .interrupted }
    if failure.code == DiagnosticCode.workExceeded.rawValue {
      // A value of an input is an event too.
      let count = writtenCount + feeds.reduce(0) { $0 + $1.count }
      if count != meteredCount {
        meteredCount = count
        return meter.noteEvent(execution)
      }
    }
    if try restoreFormer(after: failure) { return }
    throw .limited(failure)
  }

  /// Ends the run if it exceeds its memory limit. Called when much data may have been read.
  private func lookAtMemory() throws(RunStop) {
    if let failure = workLimit.check?() { try stop(failure) }
  }

  /// Number of steps between checks for changes of the stream file.
  private static let watchingPatience = 1_000

  /// Hands a value to the stream.
  @inline(__always)
  func send(_ value: Value, to feed: FileFeed, at time: StreamTime) throws(RunStop) {
    if feed.isRetired { return }
    var event: ExecutionEvent?
    if watch == nil, execution.hand(value, to: feed.number, at: time, &event) {
      if let event { try hear(event) }
      if !execution.mayGoOn { return }
    } else {
      watch?.former?.state.record(.value(value, input: execution.pipeline.inputs[feed.number].name), at: time)
      execution.send(value, to: feed.number, at: time)
    }
    try drain()
    watch?.former?.state.finishWork(at: execution.time)
  }

  /// Returns the fast path for rows from a file; nil if the stream may be swapped.
  func rowPath(for feed: FileFeed) -> InputFastPath? {
    guard watch == nil, !feed.isRetired else { return nil }
    return feed.rowPath(of: execution)
  }

  /// Tells the stream that an input has come to its end.
  func finish(_ feed: FileFeed, at time: StreamTime) throws(RunStop) {
    if feed.isRetired { return }
    watch?.former?.state.record(.end(input: execution.pipeline.inputs[feed.number].name), at: time)
    execution.finish(feed.number, at: time)
    try drain()
    watch?.former?.state.finishWork(at: execution.time)
  }

  /// Whether the stream wants a value of the input that a file feeds.
  @inline(__always)
  func wants(_ feed: FileFeed) -> Bool { !feed.isRetired && execution.wants(feed.number) }

  /// Lets timers fire up to this instant.
  func advance(to time: StreamTime) throws(RunStop) {
    execution.advance(to: time)
    try drainTimers()
  }

  /// Lets the next timer fire: inputs come before the other timers of its instant.
  func advanceToNextTimer() throws(RunStop) {
    execution.advanceToNextTimer()
    try drainTimers()
  }

  private func drainTimers() throws(RunStop) {
    try drain()
    watch?.former?.state.finishWork(at: execution.time)
  }

  /// Whether a number was printed as a string since JSON has none for it.
  var hasNonFinite: Bool { writer.hasNonFinite }

  /// Whether something depends on the time at which a value is sent.
  var looksAtTime: Bool { until != nil || writer.writesTimes || execution.pipeline.readsTime }

  /// Whether nothing at this instant is to happen any more.
  func isBeyondEnd(_ time: StreamTime) -> Bool { until.map { time > $0 } ?? false }

  /// Flushes the output before the program waits.
  func flush() throws(RunStop) {
    try console.output.flush()
  }

  /// Shows how far the run has come, now and then.
  func showProgress() {
    progress.show(on: console, valuesIn: feeds.reduce(0) { $0 + $1.count }, valuesOut: writtenCount)
  }

  /// Writes the end of the output.
  package func close() {
    for note in execution.cancel() where tellsNotes { console.tell(note) }
    writer.finish(StreamEnd(time: execution.time, event: end), to: console.output)
  }

  func write(_ value: Value) throws(RunStop) {
    try write { () throws(Diagnostic) in
      try writer.write(value, at: execution.time, to: console.output)
    }
  }

  /// Writes a record that has not been made.
  @inline(__always)
  func write(_ record: OutputRecord) throws(RunStop) {
    try write { () throws(Diagnostic) in
      if !writer.write(record, to: console.output) {
        try writer.write(record.value, at: execution.time, to: console.output)
      }
    }
  }

  /// Writes a record that was published unchanged, as the current row.
  ///
  /// NB: A declared type changes no record that is a row, so its line is its value.
  func writeRow(_ rows: LineRows, whole: () -> Value) throws(RunStop) {
    try write { () throws(Diagnostic) in
      if writer.write(rowOf: rows, to: console.output) { return }
      if let record = rows.outputRecord, writer.write(record, to: console.output) { return }
      try writer.write(whole(), at: execution.time, to: console.output)
    }
  }

  @inline(__always)
  private func write(_ value: () throws(Diagnostic) -> Void) throws(RunStop) {
    do throws(Diagnostic) {
      let start = console.output.bytes.count
      try value()
      if console.output.bytes.count &- start > longestValue.bytes { throw takeBack(from: start) }
    } catch {
      try report.skipValue(error, nil)
      return
    }
    try console.output.flushIfFull()
    writtenCount += 1
    watch?.former?.state.trial.countValue()
    remaining -= 1
    if remaining == 0 { throw .enough }
  }

  /// Removes the value that was written last, which is too long.
  @inline(never)
  private func takeBack(from start: Int) -> Diagnostic {
    console.output.bytes.removeSubrange(start...)
    writer.takeBack()
    return .tooLongValue(longestValue)
  }
}

// Waiting, and swapping while waiting.
extension RunSession {
  /// Whether the stream becomes another one when its file changes.
  var isWatching: Bool { watch != nil }

  /// Goes on as another version of the stream, if its file has changed and is right. Says whether it does.
  func swapIfChanged() throws(RunStop) -> Bool {
    guard try becomeAnother() else { return false }
    try drain()
    return true
  }

  private func becomeAnother() throws(RunStop) -> Bool {
    guard let watch, watch.untilNextLook == 0 else { return false }
    watch.settle()
    // Whoever changes a file looks at what comes of it.
    try flush()
    // A new version is not blamed for memory that the version before it has used.
    try lookAtMemory()
    guard let next = watch.next() else { return false }
    guard let (execution, feeds) = watch.swap(execution, feeds, to: next) else { return false }
    self.execution = execution
    self.feeds = feeds
    explain = next.explanation.diagnostic
    return true
  }

  /// Continues as the version before, if the one that has failed is on trial. Returns whether it does.
  private func restoreFormer(after failure: StreamFailure) throws(RunStop) -> Bool {
    guard let watch, let (execution, feeds) = watch.restore(after: failure, feeds) else { return false }
    try flush()
    self.execution = execution
    self.feeds = feeds
    meter = WorkMeter(workLimit)
    explain = watch.current.explanation.diagnostic
    return true
  }

  /// Waits until the stream has been swapped, when nothing more can happen. Returns false if the file is not watched.
  func waitForChange() throws(RunStop) -> Bool {
    guard isWatching else { return false }
    try flush()
    while try !swapIfChanged() {
      _ = wait(for: [], nanoseconds: nil)
      if Interruption.hasHappened { throw .interrupted }
    }
    return true
  }

  /// Which of the files can be read; none when time is over, or it is time to look whether the stream file has changed.
  ///
  /// - Parameter nanoseconds: the longest wait; nil is for ever.
  func wait(for files: [FileDescriptor], nanoseconds: Int64?) -> [Bool] {
    let longest = watch.map { min(nanoseconds ?? .max, $0.untilNextLook + 1) } ?? nanoseconds
    let signals = [watch?.signal].compactMap(\.self)
    return Array(Waiting.readable(files + signals, nanoseconds: longest).prefix(files.count))
  }

  /// Reads more of a file that can be read without a wait.
  func fillAtOnce(_ feed: FileFeed) throws(RunStop) {
    try look()
    try lookAtMemory()
    try feed.fill()
  }

  /// Waits until a file can be read, and reads more of it; false where something else is to be done first.
  func fill(_ feed: FileFeed) throws(RunStop) -> Bool {
    if !feed.isReadable {
      showProgress()
      try flush()
      guard wait(for: [feed.signal], nanoseconds: nil)[0] else {
        if Interruption.hasHappened { throw .interrupted }
        return false
      }
    }
    try fillAtOnce(feed)
    return true
  }
}
