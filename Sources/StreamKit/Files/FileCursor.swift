internal import StreamCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Walks over the bytes of a file, reads on as it needs, and knows line and column.
///
/// - Memory: a chunk, and the longest value.
struct FileCursor: Sendable {
  /// What diagnostics call the file.
  let name: String
  var place: FilePlace
  private let bytes: any ByteStream
  /// What has been read, and the padding behind it.
  private var window = Self.padding
  /// Where in the window the place is, and where what has been read ends.
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// Bytes that are read at once.
  private static let chunk = 64 * 1024
  /// The longest value, in bytes.
  private static let limit = JSONLimits().bytes
  private static let padding = [UInt8](repeating: 0, count: PaddedBytes.padding)

  init(_ bytes: any ByteStream, name: String, at place: FilePlace) {
    self.bytes = bytes
    self.name = name
    self.place = place
  }

  /// The byte so far ahead; nil behind the end.
  @inline(__always)
  mutating func peek(_ distance: Int = 0) throws(Diagnostic) -> UInt8? {
    let index = start + distance
    return index < end ? window[index] : try readAndPeek(distance)
  }

  private mutating func readAndPeek(_ distance: Int) throws(Diagnostic) -> UInt8? {
    while start + distance >= end, !isAtEnd {
      guard distance <= Self.limit else { throw tooLarge() }
      let more = try bytes.read(atMost: Self.chunk)
      isAtEnd = more.isEmpty
      window.removeSubrange(end...)
      window.removeFirst(start)
      window += more
      (start, end) = (0, window.count)
      window += Self.padding
    }
    let index = start + distance
    return index < end ? window[index] : nil
  }

  // MARK: Lines

  /// How many bytes there are up to the next line break, or to the end of the file; nil where there are more
  /// than a limit.
  ///
  /// - Parameter limit: in bytes. Default the longest value.
  mutating func lineLength(atMost limit: Int = Self.limit) throws(Diagnostic) -> Int? {
    var known = 0
    while known <= limit {
      if let length = breakDistance(from: known) { return length }
      known = end - start
      guard try peek(known) != nil else { return known }
    }
    return nil
  }

  /// Whether a line and its break have been read, and what a function says of the line.
  @inline(__always)
  func hasLine(_ isFit: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    guard let length = breakDistance(from: 0) else { return false }
    return window.withUnsafeBufferPointer { isFit(UnsafeBufferPointer(rebasing: $0[start..<start + length])) }
  }

  private func breakDistance(from known: Int) -> Int? {
    window.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base + start + known, 0x0A, end - start - known) else {
        return nil
      }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base) - start
    }
  }

  /// Lends so many bytes, which have been peeked at.
  ///
  /// NB: it changes nothing; but what may change is not copied before somebody else is called.
  @inline(__always)
  mutating func lend<Result, Failure: Error>(
    _ count: Int, _ body: (PaddedBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try window.withUnsafeBufferPointer { buffer throws(Failure) in
      // NB: there is the padding at least, so there is an address.
      guard let base = buffer.baseAddress else { preconditionFailure("padded bytes have an address") }
      return try body(PaddedBytes(unsafe: base + start, count: min(count, end - start)))
    }
  }

  /// Goes behind so many bytes, which `lineLength` has told, and the line break.
  mutating func passLine(_ count: Int) {
    if start + count < end {
      start += count + 1
      place.offset += count + 1
      place.line += 1
      place.column = 1
    } else {
      place.column += lend(count) { line in line.bytes.count { $0 & 0xC0 != 0x80 } }
      start += count
      place.offset += count
    }
  }

  // MARK: Bytes

  /// Takes so many bytes, which have been peeked at, and goes behind them.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(window[start..<min(start + count, end)])
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

  /// The value that begins here has no end within what is read.
  func tooLarge() -> Diagnostic {
    problem(.tooLarge, "the value that begins here is longer than \(Self.limit / 1_048_576) MiB, the most that is read")
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
