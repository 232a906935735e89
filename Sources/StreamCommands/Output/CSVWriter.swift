internal import StreamCore
internal import StreamRuntime

/// Rows of fields as RFC 4180 has them: lines end with CR LF, fields with commas, quotes or line breaks are quoted.
///
/// The first value says what the columns are: the keys of an object, or `value`. Null is an empty field; a list or an
/// object within a field is written as JSON.
final class CSVWriter: ValueWriter {
  private let stamping: TimeStamping?
  var writesTimes: Bool { stamping != nil }
  /// The longest text of a field.
  private var fieldLimit = Int.max

  /// The keys of the first record, nil before it has come.
  private var columns: Columns?
  /// Whether the record that was written last is the first.
  private var isFirst = false

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

  func bound(to bytes: Int) { fieldLimit = bytes }

  func takeBack() { if isFirst { columns = nil } }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let fields = try fields(of: value)
    try checkNames(in: value, fields)
    isFirst = columns == nil
    if isFirst {
      let columns: Columns = if case .map(let map) = value { .record(map.shape) } else { .value }
      self.columns = columns
      let times = stamping.map { $0.origin == nil ? ["at"] : ["at", "time"] }
      appendHeader((times ?? []) + columns.names, to: output)
    }
    if let stamping {
      TimeStamping.appendSeconds(time, to: &output.bytes)
      if let calendar = stamping.calendarText(time) { output.append("," + calendar) }
      if !fields.isEmpty { output.bytes.append(UInt8(ascii: ",")) }
    }
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
      append(field, to: &output.bytes)
    }
    output.append("\r\n")
  }

  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool {
    guard stamping == nil, let shape = rows.columns, rows.isCanonical else { return false }
    switch columns {
    case nil:
      isFirst = true
      columns = .record(shape)
      appendHeader(shape.keys.map { Self.text($0) }, to: output)
    case .record(let columns)? where columns === shape: isFirst = false
    default: return false
    }
    output.bytes.append(contentsOf: rows.line.bytes)
    output.append("\r\n")
    return true
  }

  /// Writes a field without making a text of it first, where it has no quotes to double.
  private func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: break
    case .bool, .int, .uint: JSONWriter.append(value, to: &bytes)
    case .double(let number) where number.isFinite: JSONWriter.append(value, to: &bytes)
    default: Self.append(Self.text(value, atMost: fieldLimit), to: &bytes)
    }
  }

  /// Columns have different names, and so have the members of an object in a field.
  private func checkNames(in value: Value, _ fields: [Value]) throws(Diagnostic) {
    if case .map(let map) = value, let name = map.shape.repeatedName { throw JSONWriter.repeated(name) }
    for field in fields {
      switch field {
      case .list, .map: _ = try JSONWriter.text(of: field)
      default: break
      }
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
    case (.record(let shape), _): throw mismatch("a value is \(value.typeName)", .record(shape))
    case (.value, .map(let map)):
      throw mismatch("a value has the fields \(Self.list(map.keys.map { Self.text($0) }))", .value)
    case (nil, _), (.value, _): return [value]
    }
  }

  private func mismatch(_ found: String, _ columns: Columns) -> Diagnostic {
    Diagnostic(
      .wrongResult, "\(found); the columns of the CSV are \(Self.list(columns.names))",
      help:
        "give all values the same fields with 'map', leave such values out with --skip-errors, or use --format ndjson"
    )
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "(none)" : names.joined(separator: ", ") }

  /// The text of a field; where it is longer than so many bytes, a little more than these of it.
  private static func text(_ value: Value, atMost limit: Int = .max) -> String {
    switch value {
    case .null: return ""
    case .string(let text): return text
    case .timestamp, .duration, .bytes:
      return String(JSONWriter.compact(value).dropFirst().dropLast())
    default: return JSONWriter.beginning(of: value, bytes: limit)
    }
  }

  private func appendHeader(_ fields: [String], to output: OutputBuffer) {
    for (index, field) in fields.enumerated() {
      if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
      Self.append(field, to: &output.bytes)
    }
    output.append("\r\n")
  }

  private static func append(_ field: String, to bytes: inout [UInt8]) {
    let needsQuotes = field.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else {
      bytes.append(contentsOf: field.utf8)
      return
    }
    bytes.append(0x22)
    for byte in field.utf8 {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
