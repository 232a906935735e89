package import CEL
@_spi(Engine) package import StreamCore
internal import StreamEngine

/// The records of a file in a format, converted to a declared type: one by one, or as rows of the fields that a stream
/// reads.
///
/// Every place that reads files of data uses this type: the source `file`, and the inputs of all commands.
///
/// - Memory: A piece of the file, and its longest value.
package final class RecordSource {
  /// The next item of a file.
  package enum Step {
    case record(Value)
    /// More of the file has to be read first.
    case incomplete
    case end
  }

  /// A record that cannot be used.
  package enum Problem: Error {
    /// The file is damaged, or cannot be read.
    case unreadable(Diagnostic)
    /// The record does not have the declared type.
    case mismatch(InputConversion.Problem, Value)
  }

  package let format: FileFormat
  private let reader: any ValueReader
  /// The same reader, unless a host has made it.
  package let formatReader: (any FormatReader)?
  /// The type that rows must have.
  @exclusivity(unchecked) private var rowType = CELType.dyn
  /// Converts values to the declared type; nil for any type.
  @exclusivity(unchecked) private var conversion: RecordConversion?
  /// Converts strings to numbers first, if the reader does not.
  @exclusivity(unchecked) private var fields: FieldConversion?
  /// Whether reading can continue after the latest problem.
  @exclusivity(unchecked) package private(set) var isPastProblem = false
  /// Whether a record has been read. The first one is never read as a row, since it shows whether the format is right.
  @exclusivity(unchecked) private var hasBegun = false
  /// The fields requested as rows, and the rows that hold them.
  @exclusivity(unchecked) private var rowNames: [String]?
  @exclusivity(unchecked) private var rows: LineRows?
  /// Number of rows read last that have been taken.
  @exclusivity(unchecked) package private(set) var rowsTaken = 0

  /// Creates a source of the records in the pieces of a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in diagnostics.
  ///   - type: The declared type of the records. Default any.
  ///   - place: The position of the pieces in the file. Default its start.
  ///   - limit: The maximum length of a record, in bytes.
  package convenience init(
    _ pieces: any PieceStream, named name: String, _ format: FileFormat, _ type: CELType = .dyn,
    at place: FilePlace = FilePlace(), limit: Int = JSONLimits().bytes
  ) {
    self.init(format.reader(of: pieces, named: name, at: place, limit: limit), format, type)
  }

  package init(_ reader: any ValueReader, _ format: FileFormat, _ type: CELType) {
    self.format = format
    self.reader = reader
    formatReader = reader as? any FormatReader
    declare(type)
  }

  /// Declares the type of the records that follow.
  package func declare(_ declared: CELType) {
    let type = typed(declared)
    conversion = type == .dyn ? nil : RecordConversion(type)
    declareRows(type)
    if let formatReader {
      formatReader.declare(type)
    } else if format.valueType != .dyn {
      fields = FieldConversion(type)
    }
  }

  /// Declares the type of the rows that follow, where it is not that of all records.
  package func declareRows(_ type: CELType) {
    rowType = typed(type)
    rowNames = nil
  }

  /// The type of the rows of a table whose columns have types although the input has none.
  private func typed(_ type: CELType) -> CELType {
    type == .dyn && format.isTable ? format.options.table.types.rowType : type
  }

  /// Returns the next record.
  package func next() throws(Problem) -> Step {
    isPastProblem = false
    let read: Value?
    do throws(Diagnostic) {
      read = try reader.next()
    } catch {
      if let formatReader {
        if formatReader.isStarved {
          formatReader.rewind()
          return .incomplete
        }
        isPastProblem = formatReader.isPastProblem
      }
      throw .unreadable(error)
    }
    guard var value = read else { return .end }
    hasBegun = true
    if fields != nil { value = fields?.convert(value) ?? value }
    if conversion == nil || conversion?.isConverted(value) == true { return .record(value) }
    return .record(try convert(value))
  }

  private func convert(_ value: Value) throws(Problem) -> Value {
    do throws(InputConversion.Problem) {
      return try conversion?.convert(value) ?? value
    } catch {
      isPastProblem = true
      throw .mismatch(error, value)
    }
  }

  /// The position after the record returned last.
  package var place: FilePlace { reader.place }
  /// The start of the record returned last.
  package var location: Diagnostic.Location { reader.location }
  /// The line of the record returned or taken last, without its line break. Valid until more of the file is read; nil if
  /// the record is not a line.
  package var latestLine: PaddedBytes? { formatReader?.latestLine?.withoutCarriageReturn }
  /// The kind of the file, if the latest problem shows that it has another format.
  package var kind: InputKind? { formatReader?.kind }

  /// The longest text of a field that is shown, in Unicode scalars.
  private static let width = 60

  /// Returns the message for a record that does not have the declared type: with the column and the text of a table,
  /// else nil.
  package func message(of problem: InputConversion.Problem, in record: Value) -> String? {
    guard let (name, text) = field(of: problem, in: record) else { return nil }
    let scalars = text.unicodeScalars
    let shown = String(String.UnicodeScalarView(scalars.prefix(Self.width)))
    let end = scalars.count > Self.width ? "…" : ""
    let message = numberMessage(text, as: problem.type) ?? problem.message
    return "column '\(name)': \(message); the field contains \(JSONWriter.compact(.string(shown)))\(end)"
  }

  /// Returns the message for a field with a number that its declared type does not have; nil for other fields.
  private func numberMessage(_ text: String, as type: CELType?) -> String? {
    guard let type, let form = DecimalText.form(of: text.utf8[...]) else { return nil }
    switch (type.withoutNull, form) {
    case (.int, .integer): return "the integer does not fit the declared type int, which has 64 bits"
    case (.uint, .integer):
      return text.utf8.first == UInt8(ascii: "-")
        ? "the integer is negative, but the declared type is \(type)"
        : "the integer does not fit the declared type uint, which has 64 bits"
    case (.int, .decimal), (.uint, .decimal):
      return "found a number that is not an integer, but the declared type is \(type)"
    case (.double, _):
      if FieldConversion.number(text) == nil { return "the number is too large for a double" }
      return format.options.table.decimal == .comma
        ? "the number has a decimal point, but the decimal mark of the table is a comma" : nil
    default: return "found a number, but the declared type is \(type)"
    }
  }

  /// Returns the column of a table and the text of its field that a problem is about; nil for others.
  private func field(of problem: InputConversion.Problem, in record: Value) -> (name: String, text: String)? {
    guard let name = problem.tokens.first, format.isTable, case .map(let row) = record,
      case .string(let text)? = row[.string(name)]
    else { return nil }
    return (name, text)
  }

  /// Returns the help for a record of a table with another decimal mark, or with columns that the arguments declare; nil
  /// for others.
  package func help(of problem: InputConversion.Problem, in record: Value) -> String? {
    if problem.type?.withoutNull == .double, let (_, text) = field(of: problem, in: record) {
      let isComma = format.options.table.decimal == .comma
      if !isComma, text.utf8.contains(UInt8(ascii: ",")), DecimalMark.commaNumber(text, hasGroups: true) != nil {
        return "--csv-decimal ',', or \"decimal\": \",\" of a file, reads numbers with a decimal comma"
      }
      if isComma, FieldConversion.number(text) != nil {
        return "--csv-decimal '.', or \"decimal\": \".\" of a file, reads numbers with a decimal point"
      }
    }
    guard format.isTable, case .declared = format.options.table.types else { return nil }
    if problem.tokens.isEmpty, let name = problem.missing, case .map(let row) = record {
      let names = row.keys.compactMap { if case .string(let name) = $0 { name } else { nil } }
      let shown = names.prefix(20).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
      let meant = nearestName(to: name, among: names).map { "did you mean '\($0)'? " } ?? ""
      return "\(meant)the columns are \(shown)"
    }
    if let (name, text) = field(of: problem, in: record), text.isEmpty, let type = problem.type, type != .string {
      return "write \(name):\(type.withoutNull)? in --csv-types where fields may be empty, or skip such rows with "
        + "--skip-errors"
    }
    return "change the type of the column in --csv-types, or skip such rows with --skip-errors"
  }

  // MARK: Rows

  /// Returns the storage for rows of these fields; nil if records cannot be read as rows.
  package func rows(of names: [String]) -> LineRows? {
    guard hasBegun, let formatReader else { return nil }
    if names == rowNames { return rows }
    rowNames = names
    rowsTaken = 0
    rows = RowFields(names, of: rowType).flatMap(formatReader.rows)
    return rows
  }

  /// Reads available lines into rows, and returns their number. Lines that are not taken are read again.
  package func readRows(_ rows: LineRows, atMost limit: Int = .max) -> Int {
    rowsTaken = 0
    formatReader?.readRows(rows, atMost: limit)
    return rows.count
  }

  /// Takes the rows up to an index, and returns their number.
  @discardableResult
  package func take(_ rows: LineRows, through row: Int) -> Int {
    guard row >= rowsTaken else { return 0 }
    let count = row + 1 - rowsTaken
    formatReader?.passRows(count, endingWith: rows.line(of: row))
    rowsTaken += count
    return count
  }

  /// Returns the rows that have not been taken to the reader, which reads them as values.
  package func forgetRows() {
    rowsTaken = 0
    rows?.forget()
  }
}
