internal import CLibrary
internal import StreamCore

/// Walks over the bytes of a file, reads on as it needs, and knows line and column.
///
/// - Memory: a chunk, and the longest value.
struct FileCursor: @unchecked Sendable {  // used from one place at a time, as its reader is
  /// The name of the file in diagnostics.
  let name: String
  var place: FilePlace
  /// Whether CR alone ends a line, too: it ends a row of a table, but is white space in JSON.
  var endsLinesAtReturn = false
  private let bytes: any ByteStream
  /// The byte stream, if it delivers pieces of whole lines.
  private let pieces: (any PieceStream)?
  private let memory: FileMemory
  /// The unread bytes with padding after them, in `memory` or in the piece read last.
  private var window: UnsafePointer<UInt8>
  /// The current position in the window, and the end of the bytes in it.
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// Bytes that are read at once.
  private static let chunk = 64 * 1024
  /// The longest value, in bytes.
  private static let limit = JSONLimits().bytes

  /// - Parameter isOfLines: Whether no bytes after the last line break read are needed.
  init(_ bytes: any ByteStream, name: String, at place: FilePlace, isOfLines: Bool) {
    self.bytes = bytes
    pieces = isOfLines ? bytes as? any PieceStream : nil
    self.name = name
    self.place = place
    memory = FileMemory()
    window = UnsafePointer(memory.bytes)
  }

  /// Returns a byte ahead; nil beyond the end.
  @inline(__always)
  mutating func peek(_ distance: Int = 0) throws(Diagnostic) -> UInt8? {
    let index = start + distance
    return index < end ? window[index] : try readAndPeek(distance)
  }

  private mutating func readAndPeek(_ distance: Int) throws(Diagnostic) -> UInt8? {
    while start + distance >= end, !isAtEnd {
      guard distance <= Self.limit else { throw tooLarge() }
      if let pieces {
        try read(from: pieces)
      } else {
        let more = try bytes.read(atMost: Self.chunk)
        isAtEnd = more.isEmpty
        more.withUnsafeBufferPointer { hold($0) }
      }
    }
    let index = start + distance
    return index < end ? window[index] : nil
  }

  private mutating func read(from pieces: any PieceStream) throws(Diagnostic) {
    // NB: the piece before is gone when the next is asked for.
    if start < end { hold(UnsafeBufferPointer(start: nil, count: 0)) }
    guard let piece = try pieces.nextPiece() else {
      isAtEnd = true
      return
    }
    if start < end { return hold(piece.bytes) }
    guard let base = piece.bytes.baseAddress else { return }
    (window, start, end) = (base, 0, piece.count)
  }

  /// Keeps the unread bytes and appends more.
  private mutating func hold(_ more: UnsafeBufferPointer<UInt8>) {
    memory.hold(UnsafeBufferPointer(start: window + start, count: end - start), more)
    (window, start, end) = (UnsafePointer(memory.bytes), 0, end - start + more.count)
  }

  // MARK: Lines

  /// Returns the number of bytes up to the next line break, or to the end of the file; nil if it exceeds a limit.
  ///
  /// - Parameter limit: In bytes. Default the longest value.
  mutating func lineLength(atMost limit: Int = Self.limit) throws(Diagnostic) -> Int? {
    var known = 0
    while known <= limit {
      if let length = breakDistance(from: known) { return length }
      known = end - start
      guard try peek(known) != nil else { return known }
    }
    return nil
  }

  /// Whether a complete line has been read that satisfies a predicate.
  @inline(__always)
  func hasLine(_ isFit: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    guard let length = breakDistance(from: 0) else { return false }
    return isFit(UnsafeBufferPointer(start: window + start, count: length))
  }

  private func breakDistance(from known: Int) -> Int? {
    memchr(window + start + known, 0x0A, end - start - known).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(window) - start
    }
  }

  /// Returns bytes already peeked at; valid until the next read.
  func next(_ count: Int) -> PaddedBytes { PaddedBytes(unsafe: window + start, count: min(count, end - start)) }

  /// The bytes read after the position; valid until the next read.
  var rest: PaddedBytes { next(end - start) }

  /// Reads lines of `rest` into rows, as far as they can be.
  func read(into rows: LineRows) {
    pieces?.prepare(rows)
    _ = rows.read(rest, from: pieces?.rows, atMost: .max)
  }

  /// Skips lines at the start of `rest`.
  ///
  /// - Parameter last: The last of these lines, with its line break.
  mutating func passLines(_ count: Int, endingWith last: PaddedBytes) {
    guard let base = last.bytes.baseAddress else { return }
    let length = base + last.count - (window + start)
    start += length
    place.offset += length
    place.line += count
    place.column = 1
  }

  /// Skips the bytes measured by `lineLength`, and the line break.
  mutating func passLine(_ count: Int) {
    if start + count < end {
      start += count + 1
      place.offset += count + 1
      place.line += 1
      place.column = 1
    } else {
      place.column += next(count).bytes.count { $0 & 0xC0 != 0x80 }
      start += count
      place.offset += count
    }
  }

  /// Moves a place of the same file to this one.
  func move(_ place: inout FilePlace) {
    (place.offset, place.line, place.column) = (self.place.offset, self.place.line, self.place.column)
  }

  // MARK: Bytes

  /// Takes bytes already peeked at and advances. If lines end with CR, an LF after it must be taken with it.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(next(count).bytes)
    start += taken.count
    place.offset += taken.count
    if let last = taken.lastIndex(where: { $0 == UInt8(ascii: "\n") || isReturnBreak($0) }) {
      place.line += breakCount(in: taken)
      place.column = 1 + Self.scalarCount(taken[(last + 1)...])
    } else {
      place.column += Self.scalarCount(taken[...])
    }
    return taken
  }

  private func isReturnBreak(_ byte: UInt8) -> Bool { endsLinesAtReturn && byte == UInt8(ascii: "\r") }

  private func breakCount(in bytes: [UInt8]) -> Int {
    var count = 0
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        // CR LF is one break.
        if !isReturnBreak(previous) { count += 1 }
      } else if isReturnBreak(byte) {
        count += 1
      }
      previous = byte
    }
    return count
  }

  /// Skips a byte order mark at the start of the file.
  mutating func skipMark() throws(Diagnostic) {
    guard place.offset == 0, try peek() == 0xEF, try peek(1) == 0xBB, try peek(2) == 0xBF else { return }
    _ = take(3)
    place.column = 1
  }

  /// Refuses a file that is not in UTF-8, by its first bytes.
  mutating func requireText() throws(Diagnostic) {
    guard place.offset == 0 else { return }
    // NB: what has come at once is enough; more may be long in coming.
    guard try peek() != nil else { return }
    guard let kind = InputKind(firstBytes: rest.bytes), let message = kind.message else { return }
    throw problem(.invalidInput, message, help: kind.help)
  }

  /// Skips white space.
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

  /// The error for a value that does not end within the limit.
  func tooLarge() -> Diagnostic {
    problem(.tooLarge, "the value that begins here is longer than \(Self.limit / 1_048_576) MiB, which is the limit")
  }

  /// Returns an error at this position, or at the one given.
  func problem(
    _ code: DiagnosticCode, _ message: String, help: String? = nil, at place: FilePlace? = nil
  ) -> Diagnostic {
    Diagnostic(code, message, help: help, location: location(of: place ?? self.place))
  }

  func location(of place: FilePlace) -> SourceLocation {
    SourceLocation(file: name, bytes: place.offset..<place.offset, line: place.line, column: place.column)
  }

  /// Returns the error of a JSON text that began at a position of the file.
  func problem(_ error: JSONError, in text: [UInt8], from start: FilePlace) -> Diagnostic {
    var diagnostic = error.diagnostic(
      in: SourceText(file: name, linesOfFeeds: text, firstLine: start.line))
    guard var location = diagnostic.location else { return diagnostic }
    if location.line == start.line { location.column += start.column - 1 }
    location.bytes = (location.bytes.lowerBound + start.offset)..<(location.bytes.upperBound + start.offset)
    diagnostic.location = location
    return diagnostic
  }

  private static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
}
