/// An event of an event stream.
public struct ServerSentEvent: Hashable, Sendable {
  /// The field `event`; `message` if there is none.
  public var type: String
  /// The fields `data`, separated by line feeds.
  public var data: String
  /// The ID of the latest event that had one, this one included; empty if there was none.
  public var id: String

  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}

/// Parses an event stream as it arrives: Server-Sent Events, in the HTML Living Standard, section 9.2.
///
/// A line or an event beyond the limit is skipped, whatever its length, so that no server fills the memory.
public struct ServerSentEventParser: Sendable {
  /// The ID of the latest event, for the header `Last-Event-ID`.
  public private(set) var lastEventID = ""
  /// The time before the client connects again, in milliseconds, if the server has stated one.
  public private(set) var retry: Int?

  private let limit: Int
  private var line: [UInt8] = []
  private var isLineTooLong = false
  private var isAfterReturn = false
  /// The bytes that may be a byte order mark; nil once the beginning has been read.
  private var mark: [UInt8]? = []
  private var type = ""
  private var data = ""
  private var hasData = false
  private var isEventTooLong = false
  private var id = ""

  /// - Parameter limit: Maximum length of a line, and of the data of an event, in bytes. Default 64 KiB.
  public init(limit: Int = 64 * 1024) { self.limit = limit }

  /// Parses the next bytes.
  ///
  /// - Returns: The events that they complete.
  public mutating func parse(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      guard var mark else {
        take(byte, &events)
        continue
      }
      mark.append(byte)
      self.mark = mark
      guard !Self.byteOrderMark.starts(with: mark) || mark.count == Self.byteOrderMark.count else { continue }
      self.mark = nil
      if mark != Self.byteOrderMark { for early in mark { take(early, &events) } }
    }
    return events
  }

  /// Begins a new connection: an event that is not complete is forgotten.
  public mutating func reconnect() {
    self = ServerSentEventParser(continuing: self)
  }

  private init(continuing former: ServerSentEventParser) {
    self.init(limit: former.limit)
    lastEventID = former.lastEventID
    id = former.lastEventID
    retry = former.retry
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private mutating func take(_ byte: UInt8, _ events: inout [ServerSentEvent]) {
    let isSecondOfTwo = isAfterReturn && byte == UInt8(ascii: "\n")
    isAfterReturn = byte == UInt8(ascii: "\r")
    if isSecondOfTwo { return }
    if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
      if isLineTooLong { isEventTooLong = true } else { endLine(&events) }
      line.removeAll(keepingCapacity: true)
      isLineTooLong = false
    } else if line.count < limit {
      line.append(byte)
    } else {
      isLineTooLong = true
    }
  }

  private mutating func endLine(_ events: inout [ServerSentEvent]) {
    guard !line.isEmpty else { return dispatch(&events) }
    guard line.first != UInt8(ascii: ":") else { return }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let name = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    take(String(decoding: name, as: UTF8.self), value)
  }

  private mutating func take(_ field: String, _ value: ArraySlice<UInt8>) {
    switch field {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data":
      guard data.utf8.count + value.count < limit else { return isEventTooLong = true }
      if hasData { data += "\n" }
      data += String(decoding: value, as: UTF8.self)
      hasData = true
    case "id":
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      guard !value.isEmpty, value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int(String(decoding: value, as: UTF8.self))
      else { break }
      retry = number
    default: break
    }
  }

  private mutating func dispatch(_ events: inout [ServerSentEvent]) {
    lastEventID = id
    if hasData, !isEventTooLong {
      events.append(ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id))
    }
    type = ""
    data = ""
    hasData = false
    isEventTooLong = false
  }
}
