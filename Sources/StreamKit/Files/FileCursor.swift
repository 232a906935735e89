internal import StreamCore

/// Walks over the bytes of a file, reads on as it needs, and knows line and column.
///
/// - Memory: a chunk, and the longest value.
struct FileCursor: Sendable {
  /// What diagnostics call the file.
  let name: String
  var place: FilePlace
  private let bytes: any ByteStream
  private var window: [UInt8] = []
  /// Where in the window the place is.
  private var start = 0
  private var isAtEnd = false

  /// Bytes that are read at once.
  private static let chunk = 64 * 1024
  /// The longest value, in bytes.
  private static let limit = JSONLimits().bytes

  init(_ bytes: any ByteStream, name: String, at place: FilePlace) {
    self.bytes = bytes
    self.name = name
    self.place = place
  }

  /// The byte so far ahead; nil behind the end.
  @inline(__always)
  mutating func peek(_ distance: Int = 0) throws(Diagnostic) -> UInt8? {
    let index = start + distance
    return index < window.count ? window[index] : try readAndPeek(distance)
  }

  private mutating func readAndPeek(_ distance: Int) throws(Diagnostic) -> UInt8? {
    while start + distance >= window.count, !isAtEnd {
      guard distance <= Self.limit else {
        throw problem(
          .tooLarge, "the value that begins here is longer than \(Self.limit / 1_048_576) MiB, the most that is read")
      }
      window.removeFirst(start)
      start = 0
      let more = try bytes.read(atMost: Self.chunk)
      isAtEnd = more.isEmpty
      window += more
    }
    let index = start + distance
    return index < window.count ? window[index] : nil
  }

  /// Takes so many bytes, which have been peeked at, and goes behind them.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(window[start..<min(start + count, window.count)])
    start += taken.count
    place.offset += taken.count
    if let last = taken.lastIndex(of: UInt8(ascii: "\n")) {
      place.line += taken.count { $0 == UInt8(ascii: "\n") }
      place.column = 1 + Self.scalarCount(taken[(last + 1)...])
    } else {
      place.column += Self.scalarCount(taken[...])
    }
    return taken
  }

  /// Goes behind a byte order mark at the start of the file.
  mutating func skipMark() throws(Diagnostic) {
    guard place.offset == 0, try peek() == 0xEF, try peek(1) == 0xBB, try peek(2) == 0xBF else { return }
    _ = take(3)
    place.column = 1
  }

  /// Goes behind white space.
  mutating func skipSpace() throws(Diagnostic) {
    var count = 0
    while let byte = try peek(count), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      count += 1
      if count == Self.chunk {
        _ = take(count)
        count = 0
      }
    }
    _ = take(count)
  }

  /// What is wrong at this place, or at the one given.
  func problem(
    _ code: DiagnosticCode, _ message: String, help: String? = nil, at place: FilePlace? = nil
  ) -> Diagnostic {
    Diagnostic(code, message, help: help, location: location(of: place ?? self.place))
  }

  func location(of place: FilePlace) -> SourceLocation {
    SourceLocation(file: name, bytes: place.offset..<place.offset, line: place.line, column: place.column)
  }

  /// What is wrong with a JSON text that began at a place of the file.
  func problem(_ error: JSONError, in text: [UInt8], from start: FilePlace) -> Diagnostic {
    var diagnostic = error.diagnostic(in: SourceText(file: name, bytes: text, firstLine: start.line))
    guard var location = diagnostic.location else { return diagnostic }
    if location.line == start.line { location.column += start.column - 1 }
    location.bytes = (location.bytes.lowerBound + start.offset)..<(location.bytes.upperBound + start.offset)
    diagnostic.location = location
    return diagnostic
  }

  private static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
}
