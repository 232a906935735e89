internal import StreamCore
internal import StreamDriving
package import StreamFiles
internal import StreamKit

/// Reads records, and sends each to the shard of its key.
package struct ShardFeed {
  let file: PartitionFile
  let feeder: ShardFeeder
  let router: Router
  let log: (String) -> Void
  /// Whether the input is complete at the end of the file.
  let ends: Bool

  package init(
    _ file: PartitionFile, _ address: RedisAddress, _ division: ShardDivision, mostInput: Int?, isNumbered: Bool,
    ends: Bool, skipsErrors: Bool, log: @escaping (String) -> Void
  ) throws {
    self.file = file
    self.log = log
    self.ends = ends
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

  /// Sends all lines of a file. Those that have been read are sent before it waits for more.
  package func run(_ input: FileDescriptor, isNumbered: Bool) throws -> Report {
    defer { feeder.close() }
    let lines = LineReader(input, limit: KeyLimits.record)
    var report = Report()
    reading: while true {
      switch lines.next() {
      case .text(let line):
        if line.isBlankLine { continue }
        let number = isNumbered ? UInt64(lines.number) : nil
        if try !send(line.withoutCarriageReturn, number: number) { report.skipped += 1 }
      case .tooLong:
        throw StageError.refused(
          "line \(lines.number) is longer than \(KeyLimits.record / 1_048_576) MiB, which is the limit")
      case .incomplete:
        guard try wait(for: input) else {
          report.isInterrupted = true
          break reading
        }
        try lines.fill()
      case .end: break reading
      }
    }
    if ends, !report.isInterrupted { try feeder.end() } else { try feeder.flush() }
    (report.sent, report.known) = (feeder.sent, feeder.skipped)
    return report
  }

  /// Waits until more of the file can be read. Returns false if the program is asked to stop.
  private func wait(for input: FileDescriptor) throws -> Bool {
    if Waiting.isReadable(input) { return !Interruption.hasHappened }
    if !feeder.isFlushed { try feeder.flush() }
    while !Interruption.hasHappened {
      if Waiting.readable([input], nanoseconds: 1_000_000_000)[0] { return true }
      try feeder.keepAlive()
    }
    return false
  }

  /// Sends a record. Returns false for one that is skipped.
  ///
  /// - Parameter number: The number of the line.
  private func send(_ line: PaddedBytes, number: UInt64?) throws -> Bool {
    if let number { try feeder.note(line: line.bytes, number: number) }
    var key: [UInt8] = []
    let route = try router.route(line, appendingKeyTo: &key)
    // The text follows its length.
    key.removeFirst(4)
    guard let route else {
      if router.watermark.newest != Watermark.none { feeder.note(time: router.watermark.newest) }
      log("skipped: " + String(decoding: key, as: UTF8.self))
      return false
    }
    // The shard decides what is late, by the newest time that comes with each record.
    try feeder.add(
      key: key, payload: Array(line.bytes), time: route.fate == .onTime ? route.time : nil, number: number)
    return true
  }
}
