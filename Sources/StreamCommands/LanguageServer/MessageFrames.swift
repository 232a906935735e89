/// Splits the input into messages: a header with the length of the body, an empty line, and the body.
struct MessageFrames {
  enum Frame: Equatable {
    case message([UInt8])
    /// A malformed message, with a description of the error. Reading continues with the next header.
    case fault(String)
    /// A message that is too long, with a description of the error. Reading stops, since its end may never arrive.
    case end(String)
  }

  private var bytes: [UInt8] = []
  /// Up to where they have been taken.
  private var position = 0
  /// Length of the body; nil within a header.
  private var length: Int?
  /// Whether reading has ended.
  private var isOver = false
  /// Length announced by a header line, until the header ends.
  private var announced: Int?
  /// Whether the header has lines.
  private var isInHeader = false

  /// The longest message, in bytes: the text of a file and as much again for its escapes.
  static let longest = 128 * 1024 * 1024
  /// The longest line of a header, in bytes.
  static let longestLine = 4_096

  mutating func append(_ new: [UInt8]) {
    if isOver { return }
    if position > 0 {
      bytes.removeSubrange(..<position)
      position = 0
    }
    bytes += new
  }

  /// The next message, if it has come whole.
  mutating func next() -> Frame? {
    while !isOver {
      if let length {
        guard bytes.count - position >= length else { return nil }
        defer {
          position += length
          self.length = nil
        }
        return .message(Array(bytes[position..<position + length]))
      }
      guard let line = nextLine() else {
        guard bytes.count - position > Self.longestLine else { return nil }
        position = bytes.count
        announced = nil
        isInHeader = false
        return .fault("a header line is longer than \(Self.longestLine) bytes")
      }
      if let frame = read(line) { return frame }
    }
    return nil
  }

  /// The bytes of the next line without its end.
  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
    defer { position = end + 1 }
    let line = bytes[position..<end]
    return line.last == 0x0D ? line.dropLast() : line
  }

  /// Reads a line of a header. Returns an error frame for a malformed line.
  private mutating func read(_ line: ArraySlice<UInt8>) -> Frame? {
    guard !line.isEmpty else {
      // Empty lines between messages do no harm.
      guard isInHeader else { return nil }
      isInHeader = false
      guard let announced else { return .fault("a header has no Content-Length") }
      self.announced = nil
      guard announced <= Self.longest else { return end("\(announced)") }
      length = announced
      return nil
    }
    isInHeader = true
    let text = String(decoding: line.suffix(Self.longestLine), as: UTF8.self)
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // The rest of a message with a wrong length may precede the header.
    guard parts.count > 1, parts[parts.count - 2].lowercased().hasSuffix("content-length") else { return nil }
    let number = parts[parts.count - 1].filter { !$0.isWhitespace }
    guard let count = Int(number), count >= 0 else {
      if !number.isEmpty, number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
        return end("\(number.prefix(40))")
      }
      // Reported once.
      isInHeader = false
      return .fault("Content-Length is '\(number.prefix(40))'; expected a number of bytes")
    }
    announced = count
    return nil
  }

  private mutating func end(_ announced: String) -> Frame {
    isOver = true
    bytes = []
    position = 0
    return .end(
      "a message of \(announced) bytes is too long; at most \(Self.longest) bytes are allowed, and the session ends")
  }
}
