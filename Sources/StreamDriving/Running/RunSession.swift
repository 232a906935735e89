@_spi(Engine) package import StreamCore
package import StreamEngine
internal import StreamFiles
package import StreamKit

/// A run of a stream from the command line: writes the events of the execution to the output.
package final class RunSession {
  let stream: StreamSession
  @exclusivity(unchecked) private(set) var feeds: [FileFeed]
  /// No timer later than this fires.
  let until: StreamTime?
  let console: Console
  package let outputs: RunOutputs
  /// The main output, its buffer and its writer.
  private let output: RunOutput
  private let buffer: OutputBuffer
  private let writer: any ValueWriter
  /// Whether the output of each value is chosen, or rotated at its time.
  private let isRouted: Bool
  /// The longest text of a value that is printed.
  private let longestValue: ByteCount
  let report: SkipReport
  /// Whether to print the messages of operators.
  private let reportsHooks: Bool
  /// Number of values that may still be written.
  @exclusivity(unchecked) private var remaining: Int
  /// Makes a diagnostic of a failure, with its place in the stream file.
  var explain: (StreamFailure) -> Diagnostic
  /// Called when the stream has returned to the version before, instead of the watch. Default none.
  var whenRolledBack: (() -> Void)?
  /// Detects changes of the stream file; nil unless requested.
  private let watch: StreamWatch?
  /// Records the events from outside; nil unless requested.
  let recorder: RecordingWriter?
  /// Number of lines sent as rows; tests check that there are some.
  @exclusivity(unchecked) var rowCount = 0
  /// Whether outputs for rows have been written since the last step, and the stop that one of them has caused.
  @exclusivity(unchecked) var hasWrittenRows = false
  @exclusivity(unchecked) var rowStop: RunStop?
  @exclusivity(unchecked) private(set) var drainCount = 0
  /// The value of `drainCount` at the latest event from outside.
  @exclusivity(unchecked) var drainStart = 0
  /// The position of an effect that `drain` has not found: see `noteTrialEnd`.
  var place: (after: Int?, next: Int)?
  private var progress: Progress
  /// Whether the stream continues from a saved state.
  private var isResumed = false
  /// The place of the input that was read last in the present round of several inputs; -1 between two rounds.
  @exclusivity(unchecked) var turn = -1
  /// Whether the stream has subscribed, in this run or before it.
  private(set) var hasBegun = false
  /// Saves the state of the run; nil if it is not kept.
  private var saver: RunSaver?
  /// Whether the state of the run is saved.
  var savesState: Bool { saver != nil }
  let services = RunServices()
  /// Answers the calls of the stream; nil if none can be made.
  @exclusivity(unchecked) var callReceiver: (any CallReceiver)?
  /// Returns the present of a stream that runs by a clock; nil in virtual time and event time.
  var clock: (() -> StreamTime)?
  /// Number of values written to all outputs.
  var writtenCount: Int { outputs.writtenCount }
  /// The counts for metrics and for clients that inspect the run.
  @exclusivity(unchecked) var counters = RunCounters()
  /// The queues of inputs with a clock of their own; nil in a live run.
  var queues: RecordQueues?
  private(set) var end: ExecutionEvent?

  package init(
    _ stream: StreamSession, feeds: [FileFeed], until: StreamTime?, limit: Int?, outputs: RunOutputs,
    longestValue: ByteCount = ByteCount.standardValue, console: Console, report: SkipReport,
    reportsHooks: Bool = true, watch: StreamWatch? = nil, recorder: RecordingWriter? = nil,
    explain: @escaping (StreamFailure) -> Diagnostic
  ) {
    self.watch = watch
    self.stream = stream
    self.feeds = feeds
    self.until = until
    self.outputs = outputs
    (output, buffer, writer) = (outputs.main, outputs.main.buffer, outputs.main.writer)
    self.longestValue = longestValue
    isRouted = outputs.isRouted
    outputs.bound(to: longestValue.bytes)
    self.console = console
    self.report = report
    self.reportsHooks = reportsHooks
    self.explain = explain
    self.recorder = recorder
    remaining = limit ?? .max
    progress = Progress(isShown: console.isAttended && !buffer.isTerminal)
    // Reading for a stream also fails when the program is asked to stop, or when its output is closed.
    stream.isInterrupted = { [buffer] in Interruption.hasHappened || buffer.isClosed }
    // The values of a stream that may be swapped count for its trial; an output is chosen for whole values.
    if watch == nil, !isRouted { stream.execution.rowSink = self }
    if let recorder {
      stream.journal = recorder
      stream.noteCall = recorder.note
      services.append(recorder)
    }
  }

  var execution: Execution { stream.execution }

  /// Keeps the state of the run from now on. The run stops only between two events, and not within a row.
  ///
  /// - Parameter isResumed: Whether the stream continues from a saved state, and has been started.
  func persist(by saver: RunSaver, isResumed: Bool) {
    self.isResumed = isResumed
    self.saver = saver
    if remaining != .max { stream.execution.rowSink = nil }
    services.append(saver)
  }

  /// Subscribes and writes the immediate output.
  func start() throws(RunStop) {
    try begin()
    // A version that is there already replaces the stream before its first value.
    _ = try swapIfFileChanged(midway: true)
    try drain()
  }

  /// Subscribes.
  func begin() throws(RunStop) {
    guard remaining > 0 else { throw .enough }
    hasBegun = true
    if !isResumed { stream.start() }
    // A run that is killed before its next save begins with the outputs as they are now.
    if !isResumed { try saver?.saveFirst(self) }
    try outputs.late?.release()
  }

  /// Writes the output until nothing more happens at this time.
  func drain() throws(RunStop) {
    drainStart = drainCount
    while true {
      let effect = stream.next()
      try noteRows()
      if let effect { try handle(effect) }
      try checkInterruption()
      guard effect != nil else { return }
      // A busy stream publishes too many events per second to check after each of them.
      drainCount &+= 1
      if drainCount & 255 == 0 { _ = try swapIfFileChanged(midway: true) }
    }
  }

  func handle(_ effect: StreamSession.Effect) throws(RunStop) {
    switch effect {
    case .event(let event): try handle(event)
    case .busy:
      // NB: This effect has not been counted.
      _ = try swapIfFileChanged(midway: true, counting: 1)
      // A reader may wait for the values published before so much work.
      try flush()
    case .limited(let failure):
      noteTrialEnd()
      try checkInterruption()
      throw .limited(failure)
    case .rolledBack(let failure):
      noteTrialEnd()
      try flush()
      if let whenRolledBack { return whenRolledBack() }
      guard let watch, let feeds = watch.rollBack(after: failure, feeds) else { throw .failed(failure) }
      self.feeds = feeds
      outputs.use(watch.current.stream.model)
      try useClocks(of: watch)
      explain = watch.current.explanation.diagnostic
    }
  }

  @inline(__always)
  func handle(_ event: ExecutionEvent) throws(RunStop) {
    switch event {
    case .value(let value): try write(value)
    case .finished: end = .finished
    case .failure(let failure):
      noteTrialEnd()
      end = .failure(failure)
      try checkInterruption()
      throw buffer.isClosed ? .outputClosed : .failed(failure)
    case .skipped(let failure): report.note(failure, explain(failure))
    case .noted(let note): try show(note)
    case .call(let call): callReceiver?.take(call)
    }
  }

  /// Shows what an operator notes on standard error: after the values before it.
  private func show(_ note: HookEvent) throws(RunStop) {
    guard reportsHooks else { return }
    try flush()
    console.show(note)
  }

  @inline(__always)
  func checkInterruption() throws(RunStop) {
    if Interruption.hasHappened { throw .interrupted }
  }

  /// Ends the run if the program is asked to stop, or if the stream exceeds its limit of work or memory.
  @inline(__always)
  func checkLimits() throws(RunStop) {
    try checkInterruption()
    if let effect = stream.exceeded() { try handle(effect, at: (nil, drainStart)) }
  }

  /// Ends the run if the stream exceeds its memory limit. Called when much data may have been read.
  private func checkMemory(_ place: (after: Int?, next: Int)? = nil) throws(RunStop) {
    if let effect = stream.exceededMemory() { try handle(effect, at: place ?? (nil, drainStart)) }
  }

  /// Handles an effect that `drain` has not found.
  private func handle(_ effect: StreamSession.Effect, at place: (after: Int?, next: Int)) throws(RunStop) {
    self.place = place
    defer { self.place = nil }
    try handle(effect)
  }

  /// Hands a value to the stream.
  @inline(__always)
  func send(_ value: Value, to feed: FileFeed, at time: StreamTime) throws(RunStop) {
    if feed.isRetired { return }
    try send(value, to: feed.number, at: time)
  }

  /// Hands a record to the stream: a late one to the input for late values.
  @inline(__always)
  func send(_ record: RecordOrder.Record, of queue: RecordQueue, at time: StreamTime) throws(RunStop) {
    if record.isLate { return try sendLate(record, of: queue, at: time) }
    try send(record.value, to: queue.feed, at: time)
  }

  @inline(never)
  private func sendLate(_ record: RecordOrder.Record, of queue: RecordQueue, at time: StreamTime) throws(RunStop) {
    guard !queue.feed.isRetired, let input = queue.order.clock?.lateInput else { return }
    try send(record.value, to: input, at: time)
  }

  /// Hands a value to an input of the stream.
  @inline(__always)
  func send(_ value: Value, to input: Int, at time: StreamTime) throws(RunStop) {
    var event: ExecutionEvent?
    if stream.hand(value, to: input, at: time, &event) {
      if let event { try handle(event) }
      if !execution.mayProceed { return }
    } else {
      stream.send(value, to: input, at: time)
    }
    try drain()
  }

  /// Finishes an input.
  func finish(_ feed: FileFeed, at time: StreamTime) throws(RunStop) {
    if feed.isRetired { return }
    stream.complete(feed.number, .finished, at: time)
    try drain()
  }

  /// Whether the stream wants a value of the input that a file feeds.
  @inline(__always)
  func wants(_ feed: FileFeed) -> Bool { !feed.isRetired && stream.wants(feed.number) }

  /// Lets timers fire up to this instant.
  func advance(to time: StreamTime) throws(RunStop) {
    stream.advance(to: time)
    try drain()
  }

  /// Lets the next timer fire: inputs come before the other timers of its instant.
  func advanceToNextTimer() throws(RunStop) {
    stream.advanceToNextTimer()
    try drain()
  }

  /// Whether a number was printed as a string since JSON has none for it.
  var hasNonFinite: Bool { outputs.all.contains { $0.writer.hasNonFinite } }

  /// Whether something depends on the time at which a value is sent.
  var looksAtTime: Bool { until != nil || writer.writesTimes || outputs.followTime || execution.pipeline.readsTime }

  /// Whether the run ends before this instant.
  func isBeyondEnd(_ time: StreamTime) -> Bool { until.map { time > $0 } ?? false }

  /// The time at which something happens that comes from outside now.
  var present: StreamTime { clock?() ?? stream.time }

  /// Flushes the output before the program waits.
  func flush() throws(RunStop) {
    // The lines of taps precede the values that follow from them.
    if let tap = console.tap, tap.isWaiting {
      console.clearProgress()
      tap.flush(console)
    }
    try console.output.flushAll()
    try recorder?.flush()
  }

  /// Shows how far the run has come, now and then.
  func showProgress() {
    progress.show(on: console, valuesIn: feeds.reduce(0) { $0 + $1.count }, valuesOut: writtenCount)
  }

  /// Writes the end of the output.
  package func close() {
    for service in services.all { service.close(self) }
    for note in stream.cancel() where reportsHooks { console.show(note) }
    outputs.finish(StreamEnd(time: stream.time, event: end))
  }

  func write(_ value: Value) throws(RunStop) {
    if isRouted { return try route(value) }
    try write { () throws(Diagnostic) in
      try writer.write(value, at: stream.time, to: buffer)
    }
  }

  /// Writes a value to the output that it belongs to.
  @inline(never)
  private func route(_ value: Value) throws(RunStop) {
    let (output, value) = outputs.route(value)
    try output.rotateBeforeValue()
    do throws(Diagnostic) {
      try output.write(value, at: stream.time, atMost: longestValue)
    } catch {
      try report.skipValue(error, nil)
      return
    }
    try output.buffer.flushIfFull()
    remaining -= 1
    if remaining == 0 { throw .enough }
  }

  /// Writes a record that has not been made.
  @inline(__always)
  func write(_ record: OutputRecord) throws(RunStop) {
    try write { () throws(Diagnostic) in
      if !writer.write(record, to: buffer) {
        try writer.write(record.value, at: stream.time, to: buffer)
      }
    }
  }

  /// Writes a record that was published unchanged, as the current row.
  ///
  /// NB: A declared type changes no record that is a row, so its line is its value.
  func writeRow(_ rows: LineRows, whole: () -> Value) throws(RunStop) {
    try write { () throws(Diagnostic) in
      if writer.write(rowOf: rows, to: buffer) { return }
      if let record = rows.outputRecord, writer.write(record, to: buffer) { return }
      try writer.write(whole(), at: stream.time, to: buffer)
    }
  }

  @inline(__always)
  private func write(_ value: () throws(Diagnostic) -> Void) throws(RunStop) {
    do throws(Diagnostic) {
      let start = buffer.bytes.count
      try value()
      if buffer.bytes.count &- start > longestValue.bytes { throw takeBack(from: start) }
    } catch {
      try report.skipValue(error, nil)
      return
    }
    try buffer.flushIfFull()
    output.writtenCount &+= 1
    remaining -= 1
    if remaining == 0 { throw .enough }
  }

  /// Removes the value that was written last, which is too long.
  @inline(never)
  private func takeBack(from start: Int) -> Diagnostic {
    buffer.bytes.removeSubrange(start...)
    writer.takeBack()
    return .tooLongValue(longestValue)
  }
}

// Waiting, and swapping while waiting.
extension RunSession {
  /// Whether the stream is swapped when its file changes.
  var isWatching: Bool { watch != nil }

  /// Continues as another version of the stream, if its file has changed and is valid. Returns whether it does.
  func swapIfChanged() throws(RunStop) -> Bool {
    guard try swapIfFileChanged() else { return false }
    try drain()
    return true
  }

  /// - Parameters:
  ///   - midway: Whether the stream may still be at work. Default false.
  ///   - count: The number of effects that have happened and are not counted.
  private func swapIfFileChanged(midway: Bool = false, counting count: Int = 0) throws(RunStop) -> Bool {
    guard let watch, watch.untilNextLook == 0 else { return false }
    let effects = drainCount + count
    let place = (after: midway ? effects - drainStart : nil, next: effects)
    let hasEffects = stream.settle()
    noteTrialEnd(at: place)
    if hasEffects { return true }
    // The user expects the output of the old version before the swap.
    try flush()
    // A new version is not blamed for memory that the version before it has used.
    try checkMemory(place)
    guard let next = watch.next(), let feeds = watch.swap(stream, feeds, to: next) else { return false }
    self.feeds = feeds
    outputs.use(next.stream.model)
    try useClocks(of: watch)
    if let recorder {
      recorder.noteSwap(
        to: RecordedStream(next), at: stream.latestTime, after: midway ? effects - drainStart : nil,
        isTrial: stream.isOnTrial)
      drainStart = effects
    }
    explain = next.explanation.diagnostic
    return true
  }

  /// Reads the times of values as the version that runs now declares.
  private func useClocks(of watch: StreamWatch) throws(RunStop) {
    let hasTimes = queues?.hasTimes ?? false
    guard let clocks = watch.clocks(hasTimes: hasTimes), hasTimes else { return }
    do throws(Diagnostic) {
      try queues?.use(clocks)
    } catch {
      throw .refused(error, nil)
    }
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
  /// - Parameter nanoseconds: The longest wait; nil for no limit.
  func wait(for files: [FileDescriptor], nanoseconds: Int64?) -> [Bool] {
    let longest = [nanoseconds, watch.map { $0.untilNextLook + 1 }, services.untilDue].compactMap(\.self).min()
    let signals = services.signals + [watch?.signal].compactMap(\.self)
    let isReadable = Waiting.readable(files + signals, writable: services.writeSignals, nanoseconds: longest)
    services.hurry()
    return Array(isReadable.prefix(files.count))
  }

  // MARK: Services

  /// Adds something that the run serves from now on.
  func serve(_ service: any RunService) { services.append(service) }

  /// Serves the services if they are due. Returns whether they were.
  @discardableResult
  func serve() throws(RunStop) -> Bool {
    guard services.areDue() else { return false }
    for service in services.all { try service.serve(self) }
    return true
  }

  /// Serves the services until none of them holds time. Returns false if none did.
  func waitForServices() throws(RunStop) -> Bool {
    guard services.holdTime else { return false }
    while services.holdTime {
      try checkLimits()
      try flush()
      _ = wait(for: [], nanoseconds: nil)
      try serve()
      if try swapIfChanged() { break }
    }
    return true
  }

  /// Reads more of a file that can be read without a wait.
  func fillAtOnce(_ feed: FileFeed) throws(RunStop) {
    try checkLimits()
    try checkMemory()
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
