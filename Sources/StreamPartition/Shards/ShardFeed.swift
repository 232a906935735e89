@_spi(Engine) internal import StreamCore
internal import StreamDriving
package import StreamFiles
package import StreamKit

/// Reads records, and sends each to the shard of its key.
package struct ShardFeed {
  let file: PartitionFile
  let feeder: ShardFeeder
  let router: Router
  let log: (String) -> Void
  /// Whether the input is complete at the end of the file.
  let ends: Bool
  private let skipsErrors: Bool
  /// How long no record has arrived.
  private let silence = FeedSilence()

  package init(
    _ file: PartitionFile, _ address: RedisAddress, _ division: ShardDivision, mostInput: Int?, isNumbered: Bool,
    ends: Bool, skipsErrors: Bool, log: @escaping (String) -> Void
  ) throws {
    try file.requireShards()
    self.file = file
    self.log = log
    self.ends = ends
    self.skipsErrors = skipsErrors
    var options = ShardFeeder.Options()
    options.maxInput = mostInput
    options.isNumbered = isNumbered
    feeder = try ShardFeeder(address, division, options: options)
    router = try Router(file, skipsErrors: skipsErrors)
  }

  /// The number of lines of a file that were sent, and of those that were not.
  package struct Report {
    /// Number of records that were sent.
    package var sent = 0
    /// Number of those that were there already.
    package var known = 0
    /// Number of lines that were skipped, as errors.
    package var skipped = 0
    /// Whether the program was asked to stop before the end of the file.
    package var isInterrupted = false
  }

  /// Sends all records of a file. Those that have been read are sent before it waits for more.
  ///
  /// - Parameter format: The format of the file. Lines of JSON are sent unchanged.
  package func run(_ input: FileDescriptor, _ format: FileFormat, isNumbered: Bool) throws -> Report {
    defer { feeder.close() }
    let pieces = FilePieces(input, format, limit: KeyLimits.record)
    // Lines of JSON are sent unchanged: the shard converts them to the declared type.
    let records = RecordSource(
      pieces, named: StandardInput.name, format, format == .ndjson ? .dyn : file.inputType, limit: KeyLimits.record)
    var report = Report()
    reading: while true {
      let record: Value
      switch try next(records) {
      case .record(let value): record = value
      case .incomplete:
        guard try wait(for: pieces.signal) else {
          report.isInterrupted = true
          break reading
        }
        try pieces.fill()
        continue
      case .end: break reading
      case nil:
        report.skipped += 1
        continue
      }
      silence.end()
      let number = isNumbered ? UInt64(records.location.line) : nil
      let line = records.location.line
      let isSent =
        if format == .ndjson, let text = records.latestLine {
          try send(text, at: line, number: number)
        } else {
          try PaddedBytes.with(Array(JSONWriter.compact(record).utf8)) { try send($0, at: line, number: number) }
        }
      if !isSent { report.skipped += 1 }
    }
    for warning in router.warnings {
      log("warning: \(warning.message)" + (warning.help.map { "; \($0)" } ?? ""))
    }
    if ends, !report.isInterrupted { try feeder.end() } else { try feeder.flush() }
    (report.sent, report.known) = (feeder.sent, feeder.skipped)
    return report
  }

  /// Returns the next record; nil for one that is skipped, because it cannot be read.
  private func next(_ records: RecordSource) throws -> RecordSource.Step? {
    do throws(RecordSource.Problem) {
      return try records.next()
    } catch {
      let message: String
      switch error {
      case .unreadable(let diagnostic):
        message = (diagnostic.location.map { "line \($0.line): " } ?? "") + diagnostic.message
      case .mismatch(let problem, _):
        let place = problem.tokens.isEmpty ? "" : ", at \(JSONPointer(problem.tokens))"
        message = "line \(records.location.line): \(problem.message)\(place)"
      }
      guard skipsErrors, records.isPastProblem else { throw StageError.refused(message) }
      log("skipped: " + message)
      return nil
    }
  }

  /// Waits until more of the file can be read. Returns false if the program is asked to stop.
  private func wait(for input: FileDescriptor) throws -> Bool {
    if Waiting.isReadable(input) { return !Interruption.hasHappened }
    if !feeder.isFlushed { try feeder.flush() }
    while !Interruption.hasHappened {
      let longest = silence.begin(with: router.watermark.newest, idle: file.clock?.idle)
      if Waiting.readable([input], nanoseconds: longest)[0] { return true }
      try feeder.keepAlive()
      guard let newest = silence.present else { continue }
      // The input is idle: time passes by the clock of the machine, in all shards.
      router.watermark.newest = max(router.watermark.newest, newest)
      try feeder.pass(to: newest)
    }
    return false
  }

  /// Sends a record. Returns false for one that is skipped.
  ///
  /// - Parameters:
  ///   - place: The number of the line, for messages.
  ///   - number: The same number, if the input is numbered.
  private func send(_ line: PaddedBytes, at place: Int, number: UInt64?) throws -> Bool {
    if let number { try feeder.note(line: line.bytes, number: number) }
    var key: [UInt8] = []
    let route: Router.Route?
    do throws(StageError) {
      route = try router.route(line, appendingKeyTo: &key)
    } catch {
      guard case .refused(let message) = error else { throw error }
      throw StageError.refused("line \(place): \(message)")
    }
    // The text follows its length.
    key.removeFirst(4)
    guard let route else {
      if router.watermark.newest != Watermark.none { feeder.note(time: router.watermark.newest) }
      log("skipped: line \(place): " + String(decoding: key, as: UTF8.self))
      return false
    }
    // The shard decides what is late, by the newest time that comes with each record.
    try feeder.add(
      key: key, payload: Array(line.bytes), time: route.fate == .onTime ? route.time : nil, number: number)
    return true
  }
}
