/// The progress of a shard up to its last commit, from which the next owner continues.
package struct ShardMeta: Hashable, Sendable {
  /// The last entry of the input whose effects are committed.
  package var position = StreamID.zero
  /// The newest event time, in nanoseconds since 1970; nil before the first one.
  package var newest: Int64?
  /// The event time up to which no more records are awaited, in nanoseconds since 1970; nil before the first one.
  package var watermark: Int64?
  /// The hash of the stream file that the snapshots belong to; empty before the first commit.
  package var fileHash: [UInt8] = []
  /// Whether the end of the input is committed.
  package var isEnded = false
  /// The epoch of the owner that has made the last commit. Set by `ShardLog`.
  package internal(set) var epoch: Int64 = 0
  /// Totals since the beginning.
  package var records: Int64 = 0
  package var outputs: Int64 = 0
  package var late: Int64 = 0
  package var failures: Int64 = 0

  package init() {}

  /// Reads the reply to HGETALL. Unknown fields are left to later versions.
  ///
  /// - Throws: `RedisError.foreign` if a field has another form.
  init(_ reply: RESPValue, key: [UInt8]) throws(RedisError) {
    guard let pairs = reply.pairs else { throw .malformed("HGETALL has no map") }
    for index in stride(from: 0, to: pairs.count, by: 2) {
      guard let name = pairs[index].text, let value = pairs[index + 1].bytes else {
        throw .malformed("HGETALL has other values than strings")
      }
      guard read(name, value) else {
        throw .foreign(key: String(decoding: key, as: UTF8.self), reason: "the field '\(name)' is damaged")
      }
    }
  }

  /// Reads one field. Returns false if the value has another form.
  private mutating func read(_ name: String, _ value: [UInt8]) -> Bool {
    let number = Decimal.integer(value)
    switch name {
    case "position":
      guard let id = StreamID(value) else { return false }
      position = id
      return true
    case "file":
      fileHash = value
      return true
    case "newest":
      newest = number
      return number != nil || value.isEmpty
    case "watermark":
      watermark = number
      return number != nil || value.isEmpty
    default: break
    }
    guard let field = Self.totals[name] else { return name == "ended" ? readEnd(number) : true }
    guard let number else { return false }
    self[keyPath: field] = number
    return true
  }

  private mutating func readEnd(_ number: Int64?) -> Bool {
    isEnded = number == 1
    return number == 0 || number == 1
  }

  private static var totals: [String: WritableKeyPath<ShardMeta, Int64>] {
    ["epoch": \.epoch, "records": \.records, "outputs": \.outputs, "late": \.late, "failures": \.failures]
  }

  /// Writes the command that stores all fields.
  func write(to writer: inout RESPWriter, key: [UInt8]) {
    func optional(_ name: String, _ value: Int64?) {
      writer.append(name)
      if let value { writer.append(value) } else { writer.append("") }
    }
    func number(_ name: String, _ value: Int64) {
      writer.append(name)
      writer.append(value)
    }
    writer.append("HSET")
    writer.append(key)
    writer.append("position")
    writer.append(position.description)
    writer.append("file")
    writer.append(fileHash)
    optional("newest", newest)
    optional("watermark", watermark)
    number("ended", isEnded ? 1 : 0)
    number("epoch", epoch)
    number("records", records)
    number("outputs", outputs)
    number("late", late)
    number("failures", failures)
  }

  /// Number of arguments that `write` appends.
  static let argumentCount = 2 + 10 * 2
}
