internal import CEL
@_spi(Engine) internal import StreamCore

extension FileFormat {
  /// One JSON value per line; blank lines are ignored. JSON over several lines is read, too.
  public static let ndjson = FileFormat("ndjson", extensions: ["ndjson", "jsonl"], "one JSON value per line") {
    if let items = $1.items {
      JSONTextReader($0, items: items)
    } else {
      LineValueReader($0, keepsLines: $1.keepsLines)
    }
  }
}

/// Reads one JSON value per line.
///
/// If the first line is only the beginning of a value, or has several, the file has JSON texts that do not keep to lines,
/// and another reader takes over. So it does if the only line is an array of objects or an empty one, unless the format was
/// named: a line is a value then, alone or not.
final class LineValueReader: FormatReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  @exclusivity(unchecked) private var cursor: FileCursor
  private let reader = JSONLineReader()

  /// Start of the latest value.
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) private(set) var isPastProblem = false
  @exclusivity(unchecked) private(set) var latestLine: PaddedBytes?
  private(set) var kind: InputKind?
  /// Whether no line has been read. The first one shows how the file is written.
  @exclusivity(unchecked) private var isFirst = true
  /// Whether a line that is an array is one value even if it is the only one.
  private var keepsLines: Bool
  /// Whether the first line, an array, waits for the next one.
  private(set) var isHolding = false
  /// Whether the declared type is that of arrays.
  private var expectsLists = false
  /// The reader of a file that does not keep to lines; nil for other files.
  @exclusivity(unchecked) private var texts: JSONTextReader?

  var place: FilePlace {
    guard var place = texts?.place else { return cursor.place }
    place.hasTexts = true
    return place
  }
  var location: Diagnostic.Location { texts?.location ?? cursor.location(of: start) }
  var isStarved: Bool { texts?.isStarved ?? cursor.isStarved }

  init(_ cursor: FileCursor, keepsLines: Bool = false) {
    self.cursor = cursor
    self.keepsLines = keepsLines
    self.cursor.place.hasTexts = nil
    start = self.cursor.place
    if cursor.place.hasTexts == true { texts = JSONTextReader(self.cursor) }
  }

  func rewind() {
    if let texts { texts.rewind() } else { cursor.rewind() }
  }

  func declare(_ type: CELType) {
    if case .list = type { expectsLists = true } else { expectsLists = false }
    texts?.spreads = !expectsLists
  }

  func stopHolding() { keepsLines = true }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    isHolding = false
    if texts != nil { return try nextText() }
    while true {
      guard let line = try cursor.nextLine(&start) else {
        guard try cursor.skipLongLine(&start) else { return nil }
        isPastProblem = true
        throw cursor.tooLarge(at: start)
      }
      latestLine = line
      if line.isBlank { continue }
      do throws(JSONError) {
        try reader.read(line)
      } catch {
        return try readTexts(insteadOf: Array(line.bytes), error)
      }
      if isFirst, try isOnlyList() { return try beginTexts() }
      return reader.value.pointee
    }
  }

  /// Reads on as JSON texts if a line that is not a value is the first, and shows that the file does not keep to lines.
  ///
  /// - Throws: The error in the line for other files.
  private func readTexts(insteadOf line: [UInt8], _ error: JSONError) throws(Diagnostic) -> Value? {
    if isFirst, try isLong(line, error) { return try beginTexts() }
    isFirst = false
    isPastProblem = true
    let problem = cursor.problem(error, in: line, from: start)
    // A line with a bracket alone begins a value over several lines, wherever it is.
    let isBracket = [[UInt8(ascii: "{")], [UInt8(ascii: "[")]].contains(line.filter { $0 > 0x20 })
    kind = start.line == 1 || isBracket ? InputKind(firstLine: line, error) : nil
    throw kind.map(problem.explained) ?? problem
  }

  // MARK: Texts

  /// Whether the first line, which was just read, is an array of objects or without elements, and nothing follows it.
  ///
  /// - Throws: Also if more has to be read to know that.
  private func isOnlyList() throws(Diagnostic) -> Bool {
    guard case .list(let list) = reader.value.pointee, start.offset <= Self.markLength, !expectsLists, !keepsLines,
      list.allSatisfy({ if case .map = $0 { true } else { false } })
    else {
      isFirst = false
      return false
    }
    isHolding = true
    defer { if !cursor.isStarved { isHolding = false } }
    var count = 0
    while let byte = try cursor.peek(count) {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09, count < Self.blankLength else {
        isFirst = false
        return false
      }
      count += 1
    }
    return true
  }

  /// The number of bytes of a byte order mark.
  private static let markLength = 3
  /// The most white space after an array that is looked through for another value.
  private static let blankLength = 4096
  /// The longest value over several lines by which they are recognized.
  private static let longest = 16 * 1024 * 1024

  /// Whether JSON over several lines, or several values, begin with the first line.
  ///
  /// - Parameter error: The error in the line as a single value.
  private func isLong(_ line: [UInt8], _ error: JSONError) throws(Diagnostic) -> Bool {
    let kind = InputKind(firstLine: line, error)
    let isList: Bool
    switch kind {
    case .longJSON(let found): isList = found
    default:
      guard error.code == .trailingText else { return false }
      let texts = JSONTextReader(FileCursor(ByteStreamPieces(LineBytes(line)), name: "", at: FilePlace(), limit: .max))
      do throws(Diagnostic) {
        while try texts.next() != nil {}
        return true
      } catch {
        return false
      }
    }
    cursor.rewind()
    try cursor.skipMark()
    // The first value shows whether the lines belong together.
    var skip = Skip(endsAtZero: !isList || expectsLists)
    var count = 0
    while let byte = try cursor.peek(count), byte == 0x20 || byte == 0x09 { count += 1 }
    if isList, !expectsLists { count += 1 }
    let first = count
    var isWhole = false
    while count < Self.longest, let byte = try cursor.peek(count) {
      if skip.ends(with: byte) {
        if skip.endsAtZero { count += 1 }
        isWhole = true
        break
      }
      count += 1
    }
    let text = Array(cursor.next(count).bytes.dropFirst(first))
    var parser = JSONReader()
    let isValue = isWhole && (text.allSatisfy { $0 <= 0x20 } || (try? parser.read(text)) != nil)
    if !isValue { try passFirstLine() }
    return isValue
  }

  /// Passes the first line once more.
  private func passFirstLine() throws(Diagnostic) {
    cursor.rewind()
    latestLine = try cursor.nextLine(&start)
  }

  /// Hands the file over to the reader of JSON texts.
  private func beginTexts() throws(Diagnostic) -> Value? {
    cursor.rewind()
    isFirst = false
    latestLine = nil
    texts = JSONTextReader(cursor, spreads: !expectsLists)
    return try nextText()
  }

  private func nextText() throws(Diagnostic) -> Value? {
    guard let texts else { return nil }
    defer { isPastProblem = texts.isPastProblem }
    return try texts.next()
  }

  // MARK: Rows

  func rows(of fields: RowFields) -> LineRows? { texts == nil ? reader.readRows(fields) : nil }

  func readRows(_ rows: LineRows, atMost limit: Int) { cursor.read(into: rows, atMost: limit) }

  func passRows(_ count: Int, endingWith last: PaddedBytes) {
    cursor.passLines(count, endingWith: last)
    latestLine = last.withoutBreak
  }
}

/// The bytes of a line.
private final class LineBytes: ByteStream, @unchecked Sendable {  // used by one reader
  private var rest: [UInt8]

  init(_ line: [UInt8]) { rest = line }

  func read(atMost count: Int) -> [UInt8] {
    defer { rest = Array(rest.dropFirst(count)) }
    return Array(rest.prefix(count))
  }
}
