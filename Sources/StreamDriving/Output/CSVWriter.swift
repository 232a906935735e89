@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles

/// Writes rows of fields (RFC 4180): lines end with CR LF; fields with commas, quotes or line breaks are quoted, and so
/// is an empty field that is the only one, since readers ignore blank lines.
///
/// The first value determines the columns: the keys of an object, or `value`. Null is an empty field; a nested array or
/// object is written as JSON. The columns for times get other names if the object has members of these names.
final class CSVWriter: ValueWriter {
  private let stamping: TimeStamping?
  var writesTimes: Bool { stamping != nil }
  /// The most bytes of a row.
  private var limit = Int.max
  /// The JSON of a field; kept so that its memory is used again.
  private var json: [UInt8] = []

  /// The keys of the first record, nil before it has come.
  private var columns: Columns?
  /// Whether the record that was written last is the first.
  private var isFirst = false
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

  init(_ stamping: TimeStamping?) { self.stamping = stamping }

  func bound(to bytes: Int) { limit = bytes }

  func takeBack() { if isFirst { (columns, header) = (nil, nil) } }

  var state: WriterState { WriterState(header: header ?? continued) }

  func resume(_ state: WriterState) {
    (columns, header, continued) = (nil, nil, state.header)
  }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let (start, before) = (output.bytes.count, columns)
    do throws(Diagnostic) {
      try writeRow(of: value, at: time, to: output)
    } catch {
      output.bytes.removeSubrange(start...)
      columns = before
      throw error
    }
  }

  private func writeRow(of value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let fields = try fields(of: value)
    if fields.isEmpty, stamping == nil { throw Self.noColumns }
    if case .map(let map) = value, let name = map.shape.repeatedName { throw JSONWriter.repeated(name) }
    isFirst = columns == nil
    if isFirst {
      let columns: Columns = if case .map(let map) = value { .record(map.shape) } else { .value }
      self.columns = columns
      try begin(timeColumns(beside: columns.names) + columns.names, to: output)
    }
    if let stamping {
      TimeStamping.appendSeconds(time, to: &output.bytes)
      if let calendar = stamping.calendarText(time) { output.append("," + calendar) }
      if !fields.isEmpty { output.bytes.append(UInt8(ascii: ",")) }
    }
    let start = output.bytes.count
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
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
    guard stamping == nil, let shape = rows.columns, rows.isCanonical else { return false }
    switch columns {
    case nil:
      isFirst = true
      // A header that the file does not have is an error, which the other method reports.
      guard (try? begin(shape.keys.map { Self.text($0) }, to: output)) != nil else { return false }
      columns = .record(shape)
    case .record(let columns)? where columns === shape: isFirst = false
    default: return false
    }
    let start = output.bytes.count
    output.bytes.append(contentsOf: rows.line.bytes)
    Self.quoteBlank(from: start, in: &output.bytes)
    output.append("\r\n")
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
      Self.append(json, to: &bytes)
    default: Self.append(Self.text(value).utf8, to: &bytes)
    }
  }

  private func fields(of value: Value) throws(Diagnostic) -> [Value] {
    switch (columns, value) {
    case (nil, .map(let map)): return Array(map.slots)
    case (.record(let shape), .map(let map)):
      if map.shape === shape { return Array(map.slots) }
      let fields = shape.keys.compactMap { map[$0] }
      guard fields.count == shape.count, map.count == shape.count else {
        throw mismatch("a value has the fields \(Self.list(map.keys.map { Self.text($0) }))", Columns.record(shape))
      }
      return fields
    case (.record(let shape), _): throw mismatch("a value is \(value.withArticle)", .record(shape))
    case (.value, .map(let map)):
      throw mismatch("a value has the fields \(Self.list(map.keys.map { Self.text($0) }))", .value)
    case (nil, _), (.value, _): return [value]
    }
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

  /// Writes the header, unless the file that is continued has it.
  ///
  /// - Throws: A diagnostic if that file has another header; nothing is written.
  private func begin(_ fields: [String], to output: OutputBuffer) throws(Diagnostic) {
    let start = output.bytes.count
    appendHeader(fields, to: output)
    let header = String(decoding: output.bytes[start...].dropLast(2), as: UTF8.self)
    if let continued {
      output.bytes.removeSubrange(start...)
      guard header == continued else {
        throw Diagnostic(
          .wrongResult, "the values have the columns \(header); the file that is continued has \(continued)",
          help: "write to another file, or give the values the fields of the file with 'map'")
      }
    }
    self.header = header
  }

  private func appendHeader(_ fields: [String], to output: OutputBuffer) {
    let start = output.bytes.count
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
      Self.append(field.utf8, to: &output.bytes, inQuotes: Self.isMisread(field, isOnly: fields.count == 1))
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
  private static func append(_ field: some Collection<UInt8>, to bytes: inout [UInt8], inQuotes: Bool = false) {
    let needsQuotes = inQuotes || field.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
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
