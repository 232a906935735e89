/// Identifies the input whose lines are numbered. Another input is refused, since its lines would be taken for stored
/// lines.
///
/// `PREFIX:{NAME}:lines` is a hash of line numbers. Each has the hash of all lines through that one: for the first 1,024
/// lines, then for every second one, every fourth, and so on.
final class FedLines {
  private let name: String
  private let key: [UInt8]
  private let connection: RedisConnection
  private var known: [UInt64: [UInt8]] = [:]
  private var new: [(number: UInt64, hash: [UInt8])] = []
  /// FNV-1a of all lines so far.
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ division: ShardDivision, _ connection: RedisConnection) throws(RedisError) {
    (name, key, self.connection) = (division.name, division.linesKey, connection)
    guard let pairs = try connection.call("HGETALL", .bytes(key)).pairs else { throw .malformed("HGETALL has no map") }
    for index in stride(from: 0, to: pairs.count, by: 2) {
      guard let number = pairs[index].bytes.flatMap({ Decimal.integer($0) }), let hash = pairs[index + 1].bytes else {
        throw .foreign(key: String(decoding: key, as: UTF8.self), reason: "expected line numbers")
      }
      known[UInt64(clamping: number)] = hash
    }
  }

  /// Notes the next line.
  ///
  /// - Throws: `RedisError.otherInput` if it, or a line before it, is not that of the input which was fed first.
  func note(_ line: some Sequence<UInt8>, number: UInt64) throws(RedisError) {
    for byte in line { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ 0x0A) &* 0x0000_0100_0000_01B3
    let step = max(64 - number.leadingZeroBitCount - 10, 0)
    guard number & (1 << UInt64(step) - 1) == 0 else { return }
    let text = Array(String(hash, radix: 16).utf8)
    if let other = known[number] {
      if other != text { throw .otherInput(name: name, line: number) }
    } else {
      new.append((number, text))
    }
  }

  /// Stores what was noted.
  func store() throws(RedisError) {
    guard !new.isEmpty else { return }
    try connection.add(2 + new.count * 2) { writer in
      writer.append("HSET")
      writer.append(key)
      for (number, hash) in new {
        writer.append(String(number))
        writer.append(hash)
      }
    }
    try connection.flush()
    _ = try connection.reply().checked()
    new = []
  }
}
