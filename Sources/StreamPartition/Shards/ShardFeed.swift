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
    let lines = LineSource(input)
    var number: UInt64 = 0
    while let line = try lines.next() {
      if line.isEmpty { continue }
      number += 1
      var key: [UInt8] = []
      let route = try PaddedBytes.with(line) { try router.route($0, appendingKeyTo: &key) }
      key.removeFirst(4)
      guard let route else {
        log("skipped: " + String(decoding: key, as: UTF8.self))
        continue
      }
      // The shard decides what is late, by the newest time that comes with each record.
      try feeder.add(
        key: key, payload: line, time: route.fate == .onTime ? route.time : nil,
        number: isNumbered ? number : nil)
    }
    if ends { try feeder.end() } else { try feeder.flush() }
    return (feeder.sent, feeder.skipped)
  }
}

/// The lines of a file.
final class LineSource {
  private let file: FileDescriptor
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(_ file: FileDescriptor) { self.file = file }

  /// Returns the next line without its break; nil at the end.
  func next() throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(bytes[start..<end])
      }
      if isAtEnd {
        defer { start = bytes.count }
        return start < bytes.count ? Array(bytes[start...]) : nil
      }
      searched = bytes.count - start
      bytes.removeFirst(start)
      start = 0
      let more = try file.read(atMost: 256 * 1024)
      isAtEnd = more.isEmpty
      bytes += more
    }
  }
}
