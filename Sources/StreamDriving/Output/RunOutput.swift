@_spi(Engine) package import StreamCore
internal import StreamEngine
internal import StreamFiles

/// One destination of a run: standard output, a file, or a program, with the format of its values.
package final class RunOutput {
  /// The name of the output; nil for the output of the stream itself.
  package let name: String?
  package let format: ValueFormat
  let buffer: OutputBuffer
  @exclusivity(unchecked) private(set) var writer: any ValueWriter
  /// Number of values written.
  @exclusivity(unchecked) var writtenCount = 0
  /// When the file is rotated; nil for never.
  let rule: RotationRule?
  /// The time that rotation goes by: the clock's, or the stream's.
  private var present: () -> Timestamp = { LiveClock().origin }
  /// The number of the period in which the current file was begun; nil before its first value.
  private var period: Int64?
  private var isRotating = false
  /// Whether `writeAtOnce` leaves values in the buffer.
  private var isHeld = false
  /// Number of bytes at the end of the text that `finish` has written.
  private var endCount = 0
  /// The names of the columns of a table; nil for those of the values.
  private let columns: [String]?
  /// When the values in the buffer began to wait for others; nil if they do not.
  private var waitStart: Int64?
  private let clock = LiveClock()

  /// The longest time for which the first rows wait for others, which may have other columns. In nanoseconds.
  private static let longestWait: Int64 = 500_000_000

  private var sink: any OutputSink { buffer.sink }

  /// Creates an output for the destination of a buffer.
  package init(
    _ buffer: OutputBuffer, name: String?, format: ValueFormat, rotation rule: RotationRule? = nil,
    columns: [String]? = nil
  ) {
    (self.buffer, self.name, self.format, self.rule, self.columns) = (buffer, name, format, rule, columns)
    writer = format.makeWriter(nil, isLive: true, columns: columns)
    if format.isTable {
      // NB: the buffer of standard output outlives the run.
      buffer.beforeWriting = { [weak self] in self?.settle() }
      if columns == nil { buffer.mayWait = { [weak self] in (self?.untilDue ?? 0) > 0 } }
    }
    if case .size? = rule {
      buffer.whenWritten = { [unowned self] () throws(RunStop) in try rotateIfLarge() }
    }
    setThreshold()
  }

  /// Creates an output with its own writer.
  init(_ buffer: OutputBuffer, writer: any ValueWriter) {
    (self.buffer, self.writer, name, format, rule, columns) = (buffer, writer, nil, .ndjson, nil, nil)
  }

  /// Creates an output for a destination that no other output has.
  ///
  /// - Parameter resuming: Whether `resume` is called next. Default false: existing content is continued.
  package convenience init(
    to sink: any OutputSink, name: String?, format: ValueFormat, rotation: RotationRule? = nil, resuming: Bool = false,
    columns: [String]? = nil
  ) throws(Diagnostic) {
    self.init(OutputBuffer(to: sink), name: name, format: format, rotation: rotation, columns: columns)
    if !resuming { try continueContent() }
  }

  /// Continues the content of a file that exists.
  private func continueContent() throws(Diagnostic) {
    if let file = sink as? FileSink { writer.resume(try file.continueContent(format)) }
  }

  /// Begins a run that writes times, or not.
  ///
  /// - Parameters:
  ///   - isLive: Whether time is that of the machine's clock.
  ///   - present: The stream's time, if rotation goes by it.
  func begin(_ stamping: TimeStamping?, isLive: Bool, present: (() -> Timestamp)?) {
    let state = writer.state
    writer = format.makeWriter(stamping, isLive: isLive, columns: columns)
    writer.resume(state)
    if let present { self.present = present }
  }

  /// Prepares the output for another run of the stream, after `finish`.
  func restart() throws(Diagnostic) {
    (endCount, isRotating) = (0, false)
    if sink is FileSink { try continueContent() } else { writer.resume(WriterState()) }
  }

  // MARK: Writing

  /// Writes a value, which is too long if it has more bytes than the limit.
  ///
  /// - Throws: `Diagnostic` as the reason if the value has no form in the format; nothing is written.
  func write(_ value: Value, at time: StreamTime, atMost limit: ByteCount) throws(Diagnostic) {
    let start = buffer.bytes.count
    try writer.write(value, at: time, to: buffer)
    if buffer.bytes.count - start > limit.bytes {
      buffer.bytes.removeSubrange(start...)
      writer.takeBack()
      throw .tooLongValue(limit)
    }
    writtenCount += 1
  }

  /// Leaves values of `writeAtOnce` in the buffer until `release`: before the run begins, the time for rotation is not
  /// known, and a run that is killed before its first state begins again.
  func hold() { isHeld = true }

  /// Writes these values, and every other one at once from now on.
  func release() throws(RunStop) {
    guard isHeld else { return }
    isHeld = false
    if !buffer.bytes.isEmpty { try rotateBeforeValue() }
    try buffer.flush()
  }

  /// Writes a value, as it was read if it was read as a line of JSON, and flushes.
  func writeAtOnce(_ value: Value, _ line: (some Sequence<UInt8>)?) throws(RunStop) {
    if !isHeld { try rotateBeforeValue() }
    if let line {
      buffer.bytes.append(contentsOf: line)
    } else {
      JSONWriter.append(value, to: &buffer.bytes)
    }
    buffer.bytes.append(UInt8(ascii: "\n"))
    writtenCount += 1
    if !isHeld { try buffer.flush() }
  }

  /// Writes the end of the text. The file is not rotated afterward, until a value follows.
  func finish(_ end: StreamEnd) {
    let start = buffer.bytes.count
    writer.finish(end, to: buffer)
    endCount = buffer.bytes.count - start
    isRotating = true
  }

  // MARK: Waiting

  /// Completes the rows before they are written.
  private func settle() {
    writer.settle(in: buffer)
    waitStart = nil
  }

  /// Nanoseconds until the first rows of a table are written even if no others come; nil if none wait.
  var untilDue: Int64? {
    guard !buffer.bytes.isEmpty, writer.mayWait else { return nil }
    let now = clock.now.nanoseconds
    let start = waitStart ?? now
    waitStart = start
    return max(0, Self.longestWait - (now - start))
  }

  // MARK: Rotation

  /// Whether `rotateBeforeValue` must be called before each value.
  var followsTime: Bool { if case .period? = rule { true } else { false } }

  /// Rotates the file if a new period has begun. Called before a value is written.
  func rotateBeforeValue() throws(RunStop) {
    guard case .period(let seconds)? = rule, let file = sink as? FileSink else { return }
    let now = present().seconds
    let current = now >= 0 ? now / seconds : (now - seconds + 1) / seconds
    let began = period ?? current
    // A clock that was set back begins no new period.
    period = max(began, current)
    if current > began { try rotate(file) }
  }

  /// Rotates the file if it is large enough. The buffer, which has whole values, has been written.
  private func rotateIfLarge() throws(RunStop) {
    guard case .size(let size)? = rule, !isRotating, let file = sink as? FileSink else { return }
    if file.bytes >= size.bytes { try rotate(file) }
    setThreshold()
  }

  private func rotate(_ file: FileSink) throws(RunStop) {
    isRotating = true
    defer { isRotating = false }
    if file.bytes > 0 || !buffer.bytes.isEmpty { writer.finish(StreamEnd(time: .zero, event: nil), to: buffer) }
    try buffer.flush()
    guard file.bytes > 0 else { return }
    try file.rotate(at: present())
    writer.resume(WriterState())
  }

  private func setThreshold() {
    guard case .size(let size)? = rule else { return }
    buffer.threshold = max(min(OutputBuffer.capacity, size.bytes - sink.bytes), 1)
  }

  // MARK: Positions

  /// Waits until what was written is on disk, and returns how far the output has come, with the text that has not been
  /// written. Writes nothing.
  ///
  /// The end of the text, if it has been written, lies after the position: a resumed run writes it again.
  package func position() throws(RunStop) -> OutputPosition {
    try sink.synchronize()
    var position = OutputPosition(
      name: name, path: sink.path, bytes: sink.bytes - endCount, values: writtenCount, format: format.rawValue,
      writer: writer.state)
    if !buffer.bytes.isEmpty { position.pending = String(decoding: buffer.bytes, as: UTF8.self) }
    position.rotation = rule.map { _ in OutputPosition.Rotation(period: period) }
    try sink.describe(&position)
    return position
  }

  /// Continues at a position: removes everything that was written after it.
  ///
  /// - Returns: A warning if that is impossible, as for a pipe: values may repeat.
  /// - Throws: A diagnostic if the destination is not as it was at the position; it is unchanged.
  package func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic? {
    guard position.format == format.rawValue else {
      throw Diagnostic(
        .invalidArgument, "'\(sink.name)' has the format \(position.format) in the state; it is \(format.rawValue) now",
        help: "write --format \(position.format), or begin with a new state")
    }
    guard position.path == sink.path else {
      throw Diagnostic(
        .invalidArgument,
        "the output was '\(position.path ?? "<stdout>")' when the state was saved; it is '\(sink.name)' now",
        help: "write to the same output, or begin with a new state")
    }
    let warning = try sink.resume(from: position)
    writer.resume(position.writer)
    buffer.restore(position.pending ?? "")
    writtenCount = position.values
    (period, endCount, isRotating) = (position.rotation?.period, 0, false)
    do throws(RunStop) {
      // The last value may have filled the file.
      try rotateIfLarge()
    } catch {
      if case .refused(let diagnostic, _) = error { throw diagnostic }
    }
    return warning
  }

  /// Writes what is buffered, and releases the destination. Values that are still held belong to a run that has not begun.
  func close() throws(RunStop) {
    if !isHeld { try buffer.flush() }
    try sink.close()
  }
}
