internal import CLibrary
internal import StreamCore

/// Walks over the bytes of a file, reads on as it needs, and knows line and column.
///
/// - Memory: a chunk, and the longest value.
struct FileCursor: @unchecked Sendable {  // used from one place at a time, as its reader is
  /// What diagnostics call the file.
  let name: String
  var place: FilePlace
  /// Whether CR alone ends a line, too: it ends a row of a table, but is white space in JSON.
  var endsLinesAtReturn = false
  private let bytes: any ByteStream
  /// The same, where it comes in pieces of lines.
  private let pieces: (any PieceStream)?
  private let memory: FileMemory
  /// What has been read, from here on, with the padding behind it: it is in `memory`, or is the piece that was read last.
  private var window: UnsafePointer<UInt8>
  /// Where in the window the place is, and where what has been read ends.
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// Bytes that are read at once.
  private static let chunk = 64 * 1024
  /// The longest value, in bytes.
  private static let limit = JSONLimits().bytes

  /// - Parameter isOfLines: whether nobody looks at what stands behind the last line break that has been read.
  init(_ bytes: any ByteStream, name: String, at place: FilePlace, isOfLines: Bool) {
    self.bytes = bytes
    pieces = isOfLines ? bytes as? any PieceStream : nil
    self.name = name
    self.place = place
    memory = FileMemory()
    window = UnsafePointer(memory.bytes)
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

  /// Holds what is left, and more behind it.
  private mutating func hold(_ more: UnsafeBufferPointer<UInt8>) {
    memory.hold(UnsafeBufferPointer(start: window + start, count: end - start), more)
    (window, start, end) = (UnsafePointer(memory.bytes), 0, end - start + more.count)
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
    return isFit(UnsafeBufferPointer(start: window + start, count: length))
  }

  private func breakDistance(from known: Int) -> Int? {
    memchr(window + start + known, 0x0A, end - start - known).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(window) - start
    }
  }

  /// So many bytes, which have been peeked at; there until more is read.
  func next(_ count: Int) -> PaddedBytes { PaddedBytes(unsafe: window + start, count: min(count, end - start)) }

  /// What has been read behind the place; there until more is read.
  var rest: PaddedBytes { next(end - start) }

  /// Reads lines of `rest` into rows, as far as they can be.
  func read(into rows: LineRows) {
    pieces?.prepare(rows)
    _ = rows.read(rest, from: pieces?.rows, atMost: .max)
  }

  /// Goes behind lines that `rest` begins with.
  ///
  /// - Parameter last: the last one, with its line break.
  mutating func passLines(_ count: Int, endingWith last: PaddedBytes) {
    guard let base = last.bytes.baseAddress else { return }
    let length = base + last.count - (window + start)
    start += length
    place.offset += length
    place.line += count
    place.column = 1
  }

  /// Goes behind so many bytes, which `lineLength` has told, and the line break.
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

  /// Takes so many bytes, which have been peeked at, and goes behind them. Where CR ends lines, an LF behind it is to be
  /// taken with it.
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

  /// Goes behind a byte order mark at the start of the file.
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
