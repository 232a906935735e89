internal import StreamCore
package import StreamDriving

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

  /// Sends all lines of a file.
  ///
  /// - Returns: The number of records sent, and of those that were there already.
  package func run(_ input: FileDescriptor, isNumbered: Bool) throws -> (sent: Int, known: Int) {
    let lines = LineReader(input, limit: FrameReader.longest / 2)
    reading: while true {
      switch lines.next() {
      case .text(let line): try send(line, number: isNumbered ? UInt64(lines.number) : nil)
      case .tooLong: throw StageError.refused("line \(lines.number) is longer than 32 MiB, which is the limit")
      case .incomplete: try lines.fill()
      case .end: break reading
      }
    }
    if ends { try feeder.end() } else { try feeder.flush() }
    return (feeder.sent, feeder.skipped)
  }

  /// - Parameter number: The number of the line.
  private func send(_ line: PaddedBytes, number: UInt64?) throws {
    if line.bytes.allSatisfy({ $0 <= 0x20 }) { return }
    var key: [UInt8] = []
    let route = try router.route(line, appendingKeyTo: &key)
    // The text follows its length.
    key.removeFirst(4)
    guard let route else { return log("skipped: " + String(decoding: key, as: UTF8.self)) }
    // The shard decides what is late, by the newest time that comes with each record.
    try feeder.add(
      key: key, payload: Array(line.bytes), time: route.fate == .onTime ? route.time : nil, number: number)
  }
}
