internal import CEL
@_spi(Engine) internal import StreamCore

extension FileFormat {
  /// Rows of fields between commas (RFC 4180); the first row contains the names, and every field is a string.
  ///
  /// If the first row has no commas but semicolons, tabs or vertical bars, and the second one has them, they are the
  /// separators.
  public static let csv = FileFormat(
    "csv", extensions: ["csv"], "rows of fields between commas, with the names in the first row",
    valueType: .map(.string, .string)
  ) {
    TableValueReader($0, separator: UInt8(ascii: ","), $1.table)
  }

  /// Rows of fields between tabs, else as in `csv`.
  public static let tsv = FileFormat(
    "tsv", extensions: ["tsv", "tab"], "rows of fields between tabs, with the names in the first row",
    valueType: .map(.string, .string)
  ) {
    TableValueReader($0, separator: UInt8(ascii: "\t"), $1.table)
  }
}

/// Reads the rows of a table (RFC 4180) as objects. The first row contains the names; a field is a string, or has its
/// column's declared type.
///
/// Lines end with LF, CR LF or CR. Empty lines are skipped.
final class TableValueReader: FormatReader, @unchecked Sendable {  // used from one place at a time
  @exclusivity(unchecked) private var cursor: FileCursor
  /// The byte between two fields, and that of the format.
  @exclusivity(unchecked) private var separator: UInt8
  private let usual: UInt8
  /// The byte around a field with separators or line breaks; zero for none.
  private let quote: UInt8
  private let dialect: TableDialect
  private var shape: Shape?
  private var names: [String]?
  /// Converts strings to numbers.
  @exclusivity(unchecked) private var fields = FieldConversion(.dyn)

  /// Start of the latest value.
  @exclusivity(unchecked) private var start: FilePlace
  /// The format for reading lines into rows; nil if they are not.
  @exclusivity(unchecked) private var format: TableFormat?
  @exclusivity(unchecked) private(set) var isPastProblem = false
  /// The latest row, whose quoted fields may contain line breaks.
  @exclusivity(unchecked) private(set) var latestLine: PaddedBytes?

  var place: FilePlace {
    var place = cursor.place
    place.columns = names
    place.separator = separator == usual || names == nil ? nil : separator
    return place
  }
  var location: Diagnostic.Location { cursor.location(of: start) }
  var isStarved: Bool { cursor.isStarved }

  /// - Parameter usual: The separator of the format.
  init(_ cursor: FileCursor, separator usual: UInt8, _ dialect: TableDialect) {
    self.cursor = cursor
    self.usual = usual
    self.dialect = dialect
    separator = dialect.separator ?? cursor.place.separator ?? usual
    quote = dialect.quote ?? 0
    start = cursor.place
    // NB: not in the cursor's place, which is copied row by row.
    names = cursor.place.columns
    (self.cursor.place.columns, self.cursor.place.separator) = (nil, nil)
    self.cursor.endsLinesAtReturn = true
    shape = names.map { Shape(names: $0) }
    prepareFields()
  }

  /// Gets ready to convert the fields of rows.
  private func prepareFields() {
    guard let shape else { return }
    let mark = dialect.decimal ?? .point
    fields.prepare(for: shape, decimal: mark, allowsBoth: dialect.decimal == nil && separator != UInt8(ascii: ","))
  }

  /// Declares the type of the rows.
  func declare(_ type: CELType) {
    fields = FieldConversion(type, infers: type == .dyn && dialect.types == .inferred)
    prepareFields()
  }

  func rewind() { cursor.rewind() }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    latestLine = nil
    cursor.begin()
    if shape == nil {
      shape = try readHeader()
      prepareFields()
      cursor.begin()
    }
    guard let shape else { return nil }
    if let row = try readPlainRow(shape) { return .map(row) }
    guard let row = try readRowOrPass() else { return nil }
    latestLine = cursor.taken
    guard row.count == shape.count else {
      isPastProblem = true
      throw cursor.problem(
        .invalidInput,
        "the row has \(row.count.counted("field")); the first row has \(shape.count.counted("name"))", at: start)
    }
    return .map(ValueMap(shape: shape) { FieldConversion.value(of: row[$0], as: fields.kinds[$0]) })
  }

  /// Maximum length in bytes of a row for the fast path.
  private static let longest = 64 * 1024

  /// Returns the next row if it is an ASCII line without quotation marks and with the right number of fields; nil if it
  /// needs the full parser.
  private func readPlainRow(_ shape: Shape) throws(Diagnostic) -> ValueMap? {
    guard try cursor.peek() != nil, let length = try cursor.lineLength(atMost: Self.longest),
      let row = plainRow(cursor.next(length), shape)
    else { return nil }
    start = cursor.place
    latestLine = cursor.next(length)
    cursor.passLine(length)
    return row
  }

  private func plainRow(_ line: PaddedBytes, _ shape: Shape) -> ValueMap? {
    format?.lineCount += 1
    var rest = line.bytes
    if rest.last == UInt8(ascii: "\r") { rest = UnsafeBufferPointer(rebasing: rest.dropLast()) }
    guard !rest.isEmpty else { return nil }
    let (separator, quote) = (separator, quote)
    // NB: No early exit, so that the loop can be vectorized.
    var commaCount = 0
    var odd: UInt8 = 0
    for byte in rest {
      commaCount &+= byte == separator ? 1 : 0
      odd |= byte & 0x80 | (byte == quote ? 1 : 0) | (byte == UInt8(ascii: "\r") ? 1 : 0)
    }
    guard odd == 0, commaCount == shape.count - 1 else { return nil }
    let kinds = fields.kinds
    return ValueMap(shape: shape) { place in
      let end = rest.firstIndex(of: separator) ?? rest.count
      defer { rest = UnsafeBufferPointer(rebasing: rest.dropFirst(end + 1)) }
      return FieldConversion.value(of: UnsafeBufferPointer(rebasing: rest[..<end]), as: kinds[place])
    }
  }

  // MARK: Rows

  func rows(of fields: RowFields) -> LineRows? {
    let number = (format?.layoutNumber ?? 0) + 1
    guard let shape, quote == UInt8(ascii: "\""),
      let format = TableFormat(
        number, shape, self.fields.kinds, fields, separator: separator, longest: Self.longest)
    else {
      return nil
    }
    self.format = format
    return LineRows(fields, format)
  }

  func readRows(_ rows: LineRows, atMost limit: Int) { cursor.read(into: rows, atMost: limit) }

  func passRows(_ count: Int, endingWith last: PaddedBytes) {
    cursor.passLines(count, endingWith: last)
    latestLine = last.withoutBreak
  }

  private func readHeader() throws(Diagnostic) -> Shape? {
    try cursor.requireText()
    try cursor.skipMark()
    while try passBreak() {}
    if let named = try separatorLine() {
      separator = dialect.separator ?? named
    } else if dialect.separator == nil, let other = try otherSeparator() {
      separator = other
    }
    var places: [FilePlace] = []
    guard let row = try readNames({ places.append($0) }) else { return nil }
    var seen: Set<String> = []
    for (name, place) in zip(row, places) where !seen.insert(name).inserted {
      latestLine = cursor.taken
      throw cursor.problem(
        .duplicateKey, "the name '\(name)' appears twice in the first row", help: "give each column its own name",
        at: place)
    }
    names = row
    return Shape(names: row)
  }

  /// Returns the fields of the first row, whose line is kept for an error.
  private func readNames(_ note: (FilePlace) -> Void) throws(Diagnostic) -> [String]? {
    do throws(Diagnostic) {
      return try readRow(note)
    } catch {
      if error.location == nil || cursor.isStarved { throw error }
      do throws(Diagnostic) {
        try passLine()
        latestLine = cursor.taken
      } catch {
        if cursor.isStarved { throw error }
      }
      throw error
    }
  }

  /// The separators of tables, the most common first.
  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  /// Passes a first line such as `sep=;`, which programs for spreadsheets write, and returns its separator.
  private func separatorLine() throws(Diagnostic) -> UInt8? {
    for (place, byte) in "sep=".utf8.enumerated() {
      guard try cursor.peek(place) == byte else { return nil }
    }
    guard let named = try cursor.peek(4), !Self.isBreak(named), let end = try cursor.peek(5), Self.isBreak(end) else {
      return nil
    }
    _ = cursor.take(5)
    while try passBreak() {}
    return named
  }

  /// Returns the separator of a table whose first row does not have the usual one: the byte that this row and the next
  /// one have. Nil if there is no such byte.
  ///
  /// - Throws: An error if several bytes are equally likely.
  private func otherSeparator() throws(Diagnostic) -> UInt8? {
    let first = try separators(ofRowAt: 0)
    if first.counts[usual] != nil { return nil }
    var next = first.end
    while let byte = try cursor.peek(next), Self.isBreak(byte), next - first.end < Self.longest { next += 1 }
    let second = try separators(ofRowAt: next)
    var found: (byte: UInt8, count: Int)?
    for byte in Self.separators {
      guard let count = first.counts[byte], second.counts[byte] != nil else { continue }
      if let found, found.count == count {
        throw cursor.problem(
          .invalidInput,
          "fields may be separated by \(Self.name(of: found.byte)) or by \(Self.name(of: byte)) here",
          help: "--csv-delimiter '\(Self.text(of: found.byte))', or \"delimiter\" of a file, decides")
      }
      if count > found?.count ?? 0 { found = (byte, count) }
    }
    return found?.byte
  }

  /// Returns the number of each separator in a row that begins ahead of the cursor, and the end of the row, which may
  /// have line breaks in quoted fields. A very long row is read in part.
  private func separators(ofRowAt start: Int) throws(Diagnostic) -> (counts: [UInt8: Int], end: Int) {
    var counts: [UInt8: Int] = [:]
    var (end, isQuoted, isFieldStart) = (start, false, true)
    while end - start < Self.longest, let byte = try cursor.peek(end), isQuoted || !Self.isBreak(byte) {
      if byte == quote, isQuoted, try cursor.peek(end + 1) == quote {
        end += 1
      } else if byte == quote, isQuoted || isFieldStart {
        isQuoted.toggle()
      }
      isFieldStart = !isQuoted && Self.separators.contains(byte)
      if isFieldStart { counts[byte, default: 0] += 1 }
      end += 1
    }
    return (counts, end)
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  private static func text(of separator: UInt8) -> String {
    separator == UInt8(ascii: "\t") ? "tab" : String(decoding: [separator], as: UTF8.self)
  }

  private static func name(of separator: UInt8) -> String {
    switch separator {
    case UInt8(ascii: ","): "commas"
    case UInt8(ascii: ";"): "semicolons"
    case UInt8(ascii: "\t"): "tabs"
    case UInt8(ascii: "|"): "vertical bars"
    default: "'\(text(of: separator))'"
    }
  }

  /// Returns the fields of the next row; nil at the end of the file. Skips an invalid line.
  private func readRowOrPass() throws(Diagnostic) -> [String]? {
    do throws(Diagnostic) {
      return try readRow()
    } catch {
      // An error without a location concerns the whole file.
      if error.location == nil || cursor.isStarved { throw error }
      do throws(Diagnostic) {
        try passLine()
        isPastProblem = true
        latestLine = cursor.taken
      } catch {
        if cursor.isStarved { throw error }
      }
      throw error
    }
  }

  private func passLine() throws(Diagnostic) {
    var count = 0
    while let byte = try cursor.peek(count), !Self.isBreak(byte) { count += 1 }
    _ = cursor.take(count)
    _ = try passBreak()
  }

  /// The fields of the next row; nil at the end of the file.
  ///
  /// - Parameter note: Receives the place of each field. Default: nothing.
  private func readRow(_ note: (FilePlace) -> Void = { _ in }) throws(Diagnostic) -> [String]? {
    while try passBreak() {}
    cursor.begin()
    start = cursor.place
    guard try cursor.peek() != nil else { return nil }
    var fields: [String] = []
    while true {
      note(cursor.place)
      let isQuoted = try quote != 0 ? cursor.peek() == quote : false
      fields.append(try isQuoted ? readQuoted() : readPlain())
      switch try cursor.peek() {
      case separator: _ = cursor.take(1)
      default:
        _ = try passBreak()
        return fields
      }
    }
  }

  /// Skips a line break. Returns false if there is none.
  private func passBreak() throws(Diagnostic) -> Bool {
    switch try cursor.peek() {
    case UInt8(ascii: "\n"): _ = cursor.take(1)
    case UInt8(ascii: "\r"): _ = cursor.take(try cursor.peek(1) == UInt8(ascii: "\n") ? 2 : 1)
    default: return false
    }
    return true
  }

  private func readPlain() throws(Diagnostic) -> String {
    let start = cursor.place
    var count = 0
    while let byte = try cursor.peek(count), byte != separator, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      if byte == quote, quote != 0 {
        _ = cursor.take(count)
        throw cursor.problem(
          .syntax, "a field without quotes contains a quotation mark",
          help: "put the whole field in quotes, and double the quotation marks inside it; --csv-quote none, or "
            + "\"quote\": \"none\" of a file, reads them as they are")
      }
      count += 1
    }
    return try text(cursor.take(count), from: start)
  }

  private func readQuoted() throws(Diagnostic) -> String {
    let start = cursor.place
    var count = 1
    var quotes = 0
    while true {
      guard let byte = try cursor.peek(count) else {
        throw cursor.problem(
          .unexpectedEnd, "the file ends inside a quoted field", help: "close it with '\"'", at: start)
      }
      count += 1
      guard byte == quote else { continue }
      guard try cursor.peek(count) == quote else { break }
      quotes += 1
      count += 1
    }
    let inner = cursor.take(count).dropFirst().dropLast()
    let next = try cursor.peek()
    guard next == nil || next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") else {
      throw cursor.problem(
        .syntax, "the field continues after its closing quotation mark",
        help: next.map(Self.separators.contains) == true
          ? "fields are separated by \(Self.name(of: separator)); --csv-delimiter, or \"delimiter\" of a file, sets "
            + "another separator" : "double the quotation marks inside a field")
    }
    guard quotes > 0 else { return try text(Array(inner), from: start) }
    var bytes: [UInt8] = []
    var isSecond = false
    for byte in inner {
      isSecond = byte == quote && !isSecond
      if !isSecond { bytes.append(byte) }
    }
    return try text(bytes, from: start)
  }

  private func text(_ bytes: [UInt8], from start: FilePlace) throws(Diagnostic) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw cursor.problem(.invalidUTF8, "the field is not valid UTF-8", help: "save the file as UTF-8", at: start)
    }
    return text
  }
}
