internal import CLibrary
@_spi(Engine) internal import StreamCore

/// Walks over the bytes of a file, reads on as it needs, and knows line and column.
///
/// - Memory: a chunk, and the longest value.
struct FileCursor: @unchecked Sendable {  // used from one place at a time, as its reader is
  /// The name of the file in diagnostics.
  let name: String
  var place: FilePlace
  /// Whether CR alone ends a line, too: it ends a row of a table, but is white space in JSON.
  var endsLinesAtReturn = false
  private let pieces: any PieceStream
  private let memory: FileMemory
  /// The bytes read from the start of the current value on, with padding after them, in `memory` or in the latest piece.
  private var window: UnsafePointer<UInt8>
  /// The current position in the window, and the end of the bytes in it.
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// The start of the current value.
  private var valueStart = (index: 0, place: FilePlace())
  /// The start of a line that is too long, and whether the rest of it is being skipped.
  private var longLine = FilePlace()
  private var isInLongLine = false
  /// Whether the latest error only says that more has to be read first.
  private(set) var isStarved = false
  /// The longest value, in bytes.
  private let limit: Int

  /// Number of bytes of white space that are skipped at once.
  private static let chunk = 64 * 1024

  init(_ pieces: any PieceStream, name: String, at place: FilePlace, limit: Int) {
    self.pieces = pieces
    self.name = name
    self.place = place
    self.limit = limit
    memory = FileMemory()
    window = UnsafePointer(memory.bytes)
    valueStart.place = place
  }

  // MARK: Values

  /// Begins a value. Its bytes are kept until the next one begins.
  @inline(__always)
  mutating func begin() {
    valueStart = (start, place)
    isStarved = false
  }

  /// Returns to the start of the current value.
  mutating func rewind() { (start, place) = valueStart }

  /// Returns a byte ahead; nil beyond the end.
  ///
  /// - Throws: Also if the byte has to be read first: see `isStarved`.
  @inline(__always)
  mutating func peek(_ distance: Int = 0) throws(Diagnostic) -> UInt8? {
    let index = start + distance
    return index < end ? window[index] : try readAndPeek(distance)
  }

  private mutating func readAndPeek(_ distance: Int) throws(Diagnostic) -> UInt8? {
    while start + distance >= end, !isAtEnd {
      guard distance <= limit else { throw tooLarge() }
      try readPiece()
    }
    let index = start + distance
    return index < end ? window[index] : nil
  }

  private mutating func readPiece() throws(Diagnostic) {
    // NB: A piece is gone when the next one is read.
    if valueStart.index < end, window != memory.bytes { keep(UnsafeBufferPointer(start: nil, count: 0)) }
    switch try pieces.nextPiece() {
    case .end: isAtEnd = true
    case .unread:
      isStarved = true
      throw Diagnostic(.cannotRead, "more of the file has to be read")
    case .bytes(let piece):
      if valueStart.index < end { return keep(piece.bytes) }
      guard let base = piece.bytes.baseAddress else { return }
      (window, start, end, valueStart.index) = (base, 0, piece.count, 0)
    }
  }

  /// Keeps the bytes of the current value and appends more.
  private mutating func keep(_ more: UnsafeBufferPointer<UInt8>) {
    let first = valueStart.index
    memory.hold(UnsafeBufferPointer(start: window + first, count: end - first), more)
    (window, start, end) = (UnsafePointer(memory.bytes), start - first, end - first + more.count)
    valueStart.index = 0
  }

  // MARK: Lines

  /// Returns the number of bytes up to the next line break, or to the end of the file; nil if it exceeds a limit.
  ///
  /// - Parameter limit: In bytes. Default the longest value.
  mutating func lineLength(atMost limit: Int? = nil) throws(Diagnostic) -> Int? {
    let limit = limit ?? self.limit
    var known = 0
    while true {
      if let length = breakDistance(from: known) { return length <= limit ? length : nil }
      known = end - start
      if known > limit { return nil }
      guard try peek(known) != nil else { return known }
    }
  }

  /// Takes the next line, without its line break; valid until more is read. Nil at the end, and before a line that is too
  /// long.
  ///
  /// - Parameter start: Becomes the start of the line.
  mutating func nextLine(_ start: inout FilePlace) throws(Diagnostic) -> PaddedBytes? {
    begin()
    if isInLongLine { return nil }
    try skipMark()
    start = place
    guard try peek() != nil, let count = try lineLength() else { return nil }
    let line = next(count)
    passLine(count)
    return line
  }

  /// Skips a line that is too long. Returns false at the end of the file.
  ///
  /// - Parameter start: Becomes the start of the line.
  mutating func skipLongLine(_ start: inout FilePlace) throws(Diagnostic) -> Bool {
    if !isInLongLine {
      guard try peek() != nil else { return false }
      longLine = place
    }
    isInLongLine = true
    while true {
      let length = breakDistance(from: 0)
      passLine(length ?? end - self.start)
      begin()
      if length != nil { break }
      guard try peek() != nil else { break }
    }
    isInLongLine = false
    start = longLine
    return true
  }

  private func breakDistance(from known: Int) -> Int? {
    memchr(window + start + known, 0x0A, end - start - known).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(window) - start
    }
  }

  /// The bytes taken since the current value began, without a line break at their end; valid until the next read.
  var taken: PaddedBytes {
    var last = start
    if last > valueStart.index, window[last - 1] == UInt8(ascii: "\n") { last -= 1 }
    if last > valueStart.index, window[last - 1] == UInt8(ascii: "\r") { last -= 1 }
    return PaddedBytes(unsafe: window + valueStart.index, count: last - valueStart.index)
  }

  /// Returns bytes already peeked at; valid until the next read.
  func next(_ count: Int) -> PaddedBytes { PaddedBytes(unsafe: window + start, count: min(count, end - start)) }

  /// The bytes read after the position; valid until the next read.
  var rest: PaddedBytes { next(end - start) }

  /// The bytes read after a part of `rest`; valid until the next read.
  func rest(after part: PaddedBytes) -> PaddedBytes { rest.dropThrough(part) }

  /// Reads lines into rows, as far as they have been read and have the layout of rows.
  mutating func read(into rows: LineRows, atMost limit: Int) {
    if isInLongLine { return rows.forget() }
    if start == end, pieces.hasPiece {
      begin()
      // It exists, so this reports nothing that the reader of values would not report again.
      try? readPiece()
    }
    pieces.prepare(rows)
    _ = rows.read(rest, from: pieces.rows, atMost: limit)
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
  func tooLarge(at place: FilePlace? = nil) -> Diagnostic {
    problem(
      .tooLarge, "the value that begins here is longer than \(limit / 1_048_576) MiB, which is the limit", at: place)
  }

  /// Returns an error at this position, or at the one given.
  func problem(
    _ code: DiagnosticCode, _ message: String, help: String? = nil, at place: FilePlace? = nil
  ) -> Diagnostic {
    Diagnostic(code, message, help: help, location: location(of: place ?? self.place))
  }

  func location(of place: FilePlace) -> Diagnostic.Location {
    Diagnostic.Location(file: name, bytes: place.offset..<place.offset, line: place.line, column: place.column)
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
