/// An entry of the input of a shard.
package struct ShardEntry: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// A record. Field `v`.
    case record([UInt8])
    /// Only the newest time. An entry with `n` alone.
    case tick
    /// The input is complete. Field `end`.
    case end
    /// None of the above: a producer has written other fields.
    case unknown
  }

  package var id: StreamID
  package var content: Content
  /// The newest event time that the feeder knew before this entry, in nanoseconds since 1970. Fields `n` and `end`.
  package var newest: Int64?

  package init(id: StreamID, content: Content, newest: Int64?) {
    (self.id, self.content, self.newest) = (id, content, newest)
  }

  /// Reads an entry of a reply to XREAD: an array of its ID and its fields; nil if it is none.
  init?(_ value: RESPValue) {
    guard case .array(let parts) = value, parts.count == 2, case .blob(let id) = parts[0], let id = StreamID(id) else {
      return nil
    }
    self.init(id: id, content: .unknown, newest: nil)
    guard let fields = parts[1].pairs else { return }
    for index in stride(from: 0, to: fields.count, by: 2) {
      guard case .blob(let name) = fields[index], case .blob(let value) = fields[index + 1] else { return nil }
      switch name {
      case Self.payloadField: content = .record(value)
      case Self.newestField:
        newest = Decimal.integer(value)
        if content == .unknown, newest != nil { content = .tick }
      case Self.endField:
        content = .end
        newest = Decimal.integer(value) ?? newest
      default: break
      }
    }
  }

  private static let payloadField = Array("v".utf8)
  private static let newestField = Array("n".utf8)
  private static let endField = Array("end".utf8)
}
