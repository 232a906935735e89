@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles

/// Writes rows of fields (RFC 4180): lines end with CR LF; fields with separators, quotes or line breaks are quoted, and
/// so is an empty field that is the only one, since readers ignore blank lines.
///
/// The columns are those of the arguments or of the file that is continued, or else the members of the first 100 objects,
/// in the order in which they appear, as far as the rows have not left the buffer; values that are not objects have the
/// column `value`. A missing member is an empty field, and so is null. A member without a column is left out and counted.
/// A nested array or object is written as JSON. The columns for times get other names if an object has members of these
/// names.
final class CSVWriter: ValueWriter {
  private let stamping: TimeStamping?
  /// The byte between two fields.
  private let separator: UInt8
  /// The columns that the arguments give.
  private let given: Shape?
  var writesTimes: Bool { stamping != nil }
  /// The most bytes of a row.
  private var limit = Int.max
  /// The JSON of a field; kept so that its memory is used again.
  private var json: [UInt8] = []

  /// The columns, nil before the first value has come.
  private var columns: Columns?
  /// The columns before the value that was written last.
  private var former: Columns?
  /// Whether the record that was written last is the first.
  private var isFirst = false
  /// The rows whose columns may still grow; nil once they may not.
  private var growth: ColumnGrowth?
  /// The places of given columns that no value has had.
  private var unseen: Set<Int>
  /// The members without a column, and the number of values that had them.
  private var dropped: [String: Int] = [:]
  /// Whether the header that is continued is that of a file from another run, whose columns the first value must have.
  private var isForeign = false
  /// The header that was written, and the header of the file that is continued, without their line breaks.
  private var header: String?
  private var continued: String?

  private enum Columns {
    case value
    case record(Shape)

    var names: [String] {
      switch self {
      case .value: ["value"]
      case .record(let shape): shape.keys.map { CSVWriter.text($0) }
      }
    }
  }

  /// - Parameters:
  ///   - separator: Default a comma.
  ///   - columns: The names of the columns. Default nil: those of the values.
  init(_ stamping: TimeStamping?, separator: UInt8 = UInt8(ascii: ","), columns: [String]? = nil) {
    (self.stamping, self.separator) = (stamping, separator)
    given = columns.map { Shape(names: $0) }
    unseen = Set((columns ?? []).indices)
  }

  func bound(to bytes: Int) { limit = bytes }

  func takeBack() {
    columns = former
    growth?.takeBack()
    if isFirst { (columns, header, growth) = (nil, nil, nil) }
  }

  var state: WriterState {
    if var growth, let columns {
      growth.columns = columns.names
      return WriterState(growth: growth)
    }
    return WriterState(header: header ?? continued, isForeign: header == nil && isForeign ? true : nil)
  }

  func resume(_ state: WriterState) {
    (columns, header, continued, growth) = (nil, nil, state.header, state.growth)
    isForeign = state.isForeign == true
    if let growth { columns = .record(Shape(names: growth.columns)) }
  }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let (start, before) = (output.bytes.count, columns)
    former = before
    do throws(Diagnostic) {
      try writeRow(of: value, at: time, to: output)
    } catch {
      output.bytes.removeSubrange(start...)
      columns = before
      if isFirst { (header, growth) = (nil, nil) }
      throw error
    }
    growth?.note(columnCount: columns?.names.count ?? 0, end: output.bytes.count)
  }

  private func writeRow(of value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    if case .map(let map) = value {
      if map.isEmpty, stamping == nil, given == nil, columns == nil { throw Self.noColumns }
      if let name = map.shape.repeatedName { throw JSONWriter.repeated(name) }
    }
    isFirst = columns == nil
    if isFirst { try begin(value, to: output) }
    let fields = try fields(of: value)
    if let stamping {
      TimeStamping.appendSeconds(time, to: &output.bytes)
      if let calendar = stamping.calendarText(time) {
        output.bytes.append(separator)
        output.append(calendar)
      }
      if !fields.isEmpty { output.bytes.append(separator) }
    }
    let start = output.bytes.count
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(separator) }
      try append(field, to: &output.bytes)
      // Each field may hold the same long value.
      if output.bytes.count - start > limit { throw .tooLongValue(ByteCount(limit)) }
    }
    if stamping == nil { Self.quoteBlank(from: start, in: &output.bytes) }
    output.append("\r\n")
  }

  /// The names of the columns for times, which differ from those of the values.
  private func timeColumns(beside names: [String]) -> [String] {
    guard let stamping else { return [] }
    return (stamping.origin == nil ? ["at"] : ["at", "time"]).map { name in
      var name = name
      while names.contains(name) { name = "stream.\(name)" }
      return name
    }
  }

  private static let noColumns = Diagnostic(
    .wrongResult, "a value is an object without members; CSV has at least one column",
    help: "skip such values with --skip-errors, or use --format ndjson")

  /// Writes a row of a single empty field as an empty string in quotes.
  private static func quoteBlank(from start: Int, in bytes: inout [UInt8]) {
    if bytes.count == start { bytes.append(contentsOf: "\"\"".utf8) }
  }

  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool {
    guard stamping == nil, separator == UInt8(ascii: ","), let shape = rows.columns,
      case .record(let columns)? = columns, columns === shape, rows.isCanonical
    else { return false }
    (isFirst, former) = (false, self.columns)
    let start = output.bytes.count
    output.bytes.append(contentsOf: rows.line.bytes)
    Self.quoteBlank(from: start, in: &output.bytes)
    output.append("\r\n")
    growth?.note(columnCount: shape.count, end: output.bytes.count)
    return true
  }

  /// Appends a field without converting it to a string first, if it has no quotes to double.
  ///
  /// - Throws: `limitExceeded` if the field is longer than allowed; `invalidConversion` if two members of a nested
  ///   object have the same name.
  private func append(_ value: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    switch value {
    case .null: break
    case .bool, .int, .uint: JSONWriter.append(value, to: &bytes)
    case .double(let number) where number.isFinite: JSONWriter.append(value, to: &bytes)
    case .list, .map:
      json.removeAll(keepingCapacity: true)
      let extent = JSONWriter.append(value, to: &json, upTo: limit)
      guard extent.isWhole else { throw .tooLongValue(ByteCount(limit)) }
      if let name = extent.repeatedName { throw JSONWriter.repeated(name) }
      append(json, to: &bytes)
    default: append(Self.text(value).utf8, to: &bytes)
    }
  }

  private func fields(of value: Value) throws(Diagnostic) -> [Value] {
    switch (columns, value) {
    case (.record(let shape), .map(let map)):
      if map.shape === shape {
        unseen = []
        return Array(map.slots)
      }
      var fields: [Value] = []
      var found = 0
      for (place, key) in shape.keys.enumerated() {
        let field = map[key]
        if field != nil {
          found += 1
          if !unseen.isEmpty { unseen.remove(place) }
        }
        fields.append(field ?? .null)
      }
      return found == map.count ? fields : add(map, to: fields, shape)
    case (.record(let shape), _): throw mismatch("a value is \(value.withArticle)", .record(shape))
    case (.value, .map(let map)):
      throw mismatch("a value has the fields \(Self.list(map.keys.map { Self.text($0) }))", .value)
    case (nil, _), (.value, _): return [value]
    }
  }

  /// Adds columns for the members that have none, or counts these members.
  private func add(_ map: ValueMap, to fields: [Value], _ shape: Shape) -> [Value] {
    let known = Set(shape.keys.map { Self.text($0) })
    let others = map.keys.filter { !known.contains(Self.text($0)) }
    if growth?.mayGrow == true {
      columns = .record(Shape(names: shape.keys.map { Self.text($0) } + others.map { Self.text($0) }))
      return fields + others.map { map[$0] ?? .null }
    }
    if given == nil {
      for key in others where dropped.count < Self.longestList || dropped[Self.text(key)] != nil {
        dropped[Self.text(key), default: 0] += 1
      }
    }
    return fields
  }

  /// The most members without a column that are counted.
  private static let longestList = 100

  /// Writes the header of given columns if no value has come.
  func finish(_ end: StreamEnd, to output: OutputBuffer) {
    guard columns == nil, continued == nil, let given else { return }
    appendHeader(of: .record(given), to: output)
  }

  /// The warning about given columns that no value has had.
  private var emptyColumns: Diagnostic? {
    guard let given, columns != nil, !unseen.isEmpty else { return nil }
    let names = unseen.sorted().map { "'\(Self.text(given.keys[$0]))'" }
    let columns = names.count == 1 ? "column is" : "columns are"
    return Diagnostic(
      .valuesDropped, "no value has \(names.joined(separator: ", ")): the \(columns) empty", severity: .warning,
      help: "--columns has the names of members, such as --columns time,price")
  }

  var warning: Diagnostic? {
    guard !dropped.isEmpty else { return emptyColumns }
    let names = dropped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let list = names.prefix(5).map { "'\($0.key)' (\($0.value.counted("value")))" }.joined(separator: ", ")
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    return Diagnostic(
      .valuesDropped, "the rows have no column for \(list)\(rest): these members were left out", severity: .warning,
      help: "--columns gives the columns; without it they are the members of the first \(ColumnGrowth.limit) values")
  }

  private func mismatch(_ found: String, _ columns: Columns) -> Diagnostic {
    Diagnostic(
      .wrongResult, "\(found); the columns of the CSV are \(Self.list(columns.names))",
      help:
        "give all values the same fields with 'map', skip such values with --skip-errors, or use --format ndjson"
    )
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "(none)" : names.joined(separator: ", ") }

  /// The text of a field, or of a key.
  private static func text(_ value: Value) -> String {
    if case .null = value { return "" }
    return value.stringContent ?? JSONWriter.compact(value)
  }

  /// Decides on the columns by the first value, and writes the header unless the file that is continued has it.
  ///
  /// - Throws: A diagnostic if that file has other columns; nothing is written.
  private func begin(_ value: Value, to output: OutputBuffer) throws(Diagnostic) {
    let first: Columns
    switch value {
    case .map(let map): first = .record(given ?? map.shape)
    default: first = given.map { .record($0) } ?? .value
    }
    let start = output.bytes.count
    appendHeader(of: first, to: output)
    let header = String(decoding: output.bytes[start...].dropLast(2), as: UTF8.self)
    if let continued {
      output.bytes.removeSubrange(start...)
      columns = header == continued ? first : try columns(ofHeader: continued, for: first, header)
      self.header = continued
      return
    }
    (columns, self.header) = (first, header)
    if given == nil, case .record = first { growth = ColumnGrowth(headerStart: start, headerEnd: output.bytes.count) }
  }

  /// Returns the columns of a file that is continued, if the members of the first value are among them.
  private func columns(
    ofHeader continued: String, for first: Columns, _ header: String
  ) throws(Diagnostic) -> Columns {
    let names = Self.names(in: continued, separator)
    let timeCount = stamping == nil ? 0 : stamping?.origin == nil ? 1 : 2
    let rest = Array(names.dropFirst(timeCount))
    let isSame = timeColumns(beside: rest) == Array(names.prefix(timeCount)) && Set(rest).count == rest.count
    if isSame, given == nil, case .record = first, !isForeign || Set(first.names).isSubset(of: rest) {
      return .record(Shape(names: rest))
    }
    throw Diagnostic(
      .wrongResult, "the values have the columns \(header); the file that is continued has \(continued)",
      help: "write to another file, or give the values the fields of the file with 'map'")
  }

  /// The names in a header.
  private static func names(in header: String, _ separator: UInt8) -> [String] {
    var (names, name, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
    var isAfterQuote = false
    for byte in header.utf8 {
      if byte == UInt8(ascii: "\"") {
        // A quotation mark after another one is part of the name.
        if isAfterQuote, !isQuoted { name.append(byte) }
        isAfterQuote = isQuoted
        isQuoted.toggle()
        continue
      }
      isAfterQuote = false
      if byte == separator, !isQuoted {
        names.append(String(decoding: name, as: UTF8.self))
        name = []
      } else {
        name.append(byte)
      }
    }
    return names + [String(decoding: name, as: UTF8.self)]
  }

  func settle(in output: OutputBuffer) {
    guard let growth, let columns else { return }
    self.growth = nil
    let header = OutputBuffer(to: output.sink)
    appendHeader(of: columns, to: header)
    self.header = String(decoding: header.bytes.dropLast(2), as: UTF8.self)
    guard growth.hasGrown(to: columns.names.count) else { return }
    growth.complete(&output.bytes, header: header.bytes, columnCount: columns.names.count, separator)
  }

  var mayWait: Bool { growth?.mayGrow == true }

  private func appendHeader(of columns: Columns, to output: OutputBuffer) {
    let fields = timeColumns(beside: columns.names) + columns.names
    let start = output.bytes.count
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(separator) }
      append(field.utf8, to: &output.bytes, inQuotes: Self.isMisread(field, isOnly: fields.count == 1))
    }
    Self.quoteBlank(from: start, in: &output.bytes)
    output.append("\r\n")
  }

  /// Whether a reader would take a name without quotes for something else: its first character for a byte order mark, or
  /// a semicolon, a tab or a vertical bar in the only name for a separator.
  private static func isMisread(_ name: String, isOnly: Bool) -> Bool {
    name.unicodeScalars.first == "\u{FEFF}" || isOnly && name.utf8.contains { $0 == 0x3B || $0 == 0x09 || $0 == 0x7C }
  }

  /// Appends the text of a field, in quotes if necessary.
  private func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8], inQuotes: Bool = false) {
    let separator = separator
    let needsQuotes = inQuotes || field.contains { $0 == 0x22 || $0 == separator || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else {
      bytes.append(contentsOf: field)
      return
    }
    bytes.append(0x22)
    for byte in field {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
