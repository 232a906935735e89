internal import CEL
public import StreamCore
internal import StreamRuntime

extension Source {
  /// Publishes the values of a file, one by one, as they are asked for.
  ///
  /// Only where the host allows reading. The file is opened when a subscription asks for its first value, and is read no
  /// further than values are asked for. A snapshot keeps the place.
  ///
  /// - Memory: a chunk of the file, up to 512 values that have been read, and the longest value.
  /// - Failure: the file cannot be read, or something in it is wrong: the message begins with file, line and column.
  public struct File: SourceDefinition {
    /// The path, relative to the stream file.
    public var path: String
    /// What the file is written in: `ndjson`, one JSON value a line; `json`, one list; `csv`, rows of texts under the
    /// names of the first row.
    public var format: FileFormat
    /// What the values must be, as the `type` of an input. Texts of a `csv` become numbers and booleans where that is
    /// declared.
    public var type: Value?
  }
}

extension Source.File {
  public func validate() throws(Diagnostic) { _ = try CELType.declared(type, field: "type") }

  public func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    guard let files = context.files else {
      throw Diagnostics([
        Diagnostic(
          .cannotRead, "the file \"\(path)\" cannot be read here: this host gives no access to files",
          at: JSONPointer(["path"]))
      ])
    }
    let declared: CELType
    do throws(Diagnostic) {
      declared = try CELType.declared(type, field: "type")
    } catch {
      throw Diagnostics([error])
    }
    let file = NamedFile(
      files: files, path: path, format: format, base: context.file, type: declared,
      pointer: context.place.appending("path"))
    let machine = FileMachine(file)
    let isTexts = format == .csv && declared == .dyn
    return context.machine(machine, name: "file", type: isTexts ? .map(.string, .string) : declared)
  }
}

/// A file that a source names.
private final class NamedFile: Sendable {
  let files: any ValueFiles
  let path: String
  let format: FileFormat
  let base: String?
  let type: CELType
  let pointer: JSONPointer

  init(
    files: any ValueFiles, path: String, format: FileFormat, base: String?, type: CELType, pointer: JSONPointer
  ) {
    self.files = files
    self.path = path
    self.format = format
    self.base = base
    self.type = type
    self.pointer = pointer
  }

  func open(at place: FilePlace) throws(Diagnostic) -> OpenFile {
    OpenFile(try files.open(path, format: format, relativeTo: base, at: place), format, type)
  }
}

/// A file that is being read.
private final class OpenFile: @unchecked Sendable {  // used from one place at a time, as its machine is
  private let reader: any ValueReader
  /// What makes values of the declared type; nil where anything will do.
  private let conversion: InputConversion?
  /// What makes numbers of texts before that, where the reader does not.
  private var fields: FieldConversion?
  /// What tells that a value needs no conversion.
  private var look: RepeatedLook
  /// Values that have been read ahead, and how many of them are gone.
  private var values: [Value] = []
  private var gone = 0
  /// The place behind each of them, without what is the same for all.
  private var places: [(offset: Int, line: Int, column: Int)] = []
  /// What is wrong behind them.
  private var problem: Diagnostic?
  private let rows: OpenRows?

  /// The most bytes that are read ahead, and the most values.
  private static let limit = (bytes: 16 * 1024, values: 512)

  init(_ reader: any ValueReader, _ format: FileFormat, _ type: CELType) {
    self.reader = reader
    conversion = type == .dyn ? nil : InputConversion(type)
    if let table = reader as? TableValueReader {
      table.declare(type)
    } else if format == .csv {
      fields = FieldConversion(type)
    }
    look = RepeatedLook(type)
    rows = (reader as? any RowReader).map { OpenRows($0, type) }
  }

  /// The next value, of the declared type, and the place behind it; nil at the end.
  func next() throws(Diagnostic) -> (value: Value, place: FilePlace)? {
    if gone < values.count {
      let value = values[gone]
      var place = reader.place
      skip(1, &place)
      return (value, place)
    }
    if let problem { throw problem }
    rows?.forget()
    return try read().map { ($0, reader.place) }
  }

  /// The values that come next and are at hand.
  var upcoming: ArraySlice<Value> {
    if gone == values.count { readAhead() }
    return values[gone...]
  }

  /// The same as rows, where there is any that can be read so.
  func upcomingRows(of fields: () -> [String]?) -> LineRows? {
    guard let rows, gone == values.count, problem == nil, let fields = fields() else { return nil }
    return rows.next(of: fields)
  }

  /// Goes behind so many of them, or of the rows; moves the place there.
  func skip(_ count: Int, _ place: inout FilePlace) {
    if gone == values.count {
      rows?.pass(count, &place)
    } else {
      gone += count
      (place.offset, place.line, place.column) = places[gone - 1]
    }
  }

  private func readAhead() {
    values.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    gone = 0
    rows?.forget()
    let limit = rows?.missLimit ?? .max
    var read = 0
    do throws(Diagnostic) {
      while problem == nil, read < Self.limit.bytes, values.count < min(Self.limit.values, limit), reader.isNextRead {
        let start = places.last?.offset ?? reader.place.offset
        guard let value = try self.read() else { break }
        let place = reader.place
        values.append(value)
        places.append((place.offset, place.line, place.column))
        read += place.offset - start
      }
    } catch {
      problem = error
    }
  }

  private func read() throws(Diagnostic) -> Value? {
    guard let read = try reader.next() else { return nil }
    let value = fields?.convert(read) ?? read
    guard !look.takes(value), let conversion else { return value }
    do throws(InputConversion.Problem) {
      return try conversion.convert(value)
    } catch {
      let member = error.tokens.isEmpty ? "" : " (at \(JSONPointer(error.tokens)))"
      throw Diagnostic(.inputTypeMismatch, error.message + member, location: reader.location)
    }
  }
}

/// The lines of an open file that are read into rows.
private final class OpenRows {
  private let reader: any RowReader
  private let type: CELType
  /// The fields that were asked for, and what holds rows of them.
  private var fields: [String]?
  private var rows: LineRows?
  /// How many rows have been passed.
  private var passed = 0
  /// How many lines may be read as values before one is looked at as a row again; nil where rows are of no use.
  private(set) var missLimit: Int?

  private static let longestMiss = 512

  init(_ reader: any RowReader, _ type: CELType) {
    self.reader = reader
    self.type = type
  }

  /// The rows of these fields that come next.
  func next(of fields: [String]) -> LineRows? {
    if fields != self.fields { look(at: fields) }
    guard let rows else { return nil }
    rows.current = passed
    if passed < rows.count { return rows }
    passed = 0
    reader.readRows(rows)
    if rows.count > 0 {
      missLimit = 1
      return rows
    }
    // Where lines cannot be read so, it is tried less and less often.
    missLimit = min(2 * (missLimit ?? 1), Self.longestMiss)
    return nil
  }

  private func look(at fields: [String]) {
    self.fields = fields
    rows = RowFields(fields, of: type).flatMap(reader.rows)
    (passed, missLimit) = (0, rows == nil ? nil : 1)
  }

  /// Goes behind so many of them, and moves the place there. They stay as they are until others are asked for.
  func pass(_ count: Int, _ place: inout FilePlace) {
    guard let rows else { return }
    passed += count
    reader.passRows(count, endingWith: rows.line(of: passed - 1), &place)
  }

  /// Those that are left come again as values.
  func forget() {
    passed = 0
    rows?.forget()
  }
}

private struct FileMachine: PullSource {
  let file: NamedFile
  /// Opened anew after a snapshot, at the place that is kept.
  private var open: OpenFile?
  var state = PullState(FilePlace())

  init(_ file: NamedFile) { self.file = file }

  func isDone(_ place: FilePlace) -> Bool { false }

  mutating func next(_ place: inout FilePlace, _ answers: Answers) throws(StreamFailure) -> Value? {
    do throws(Diagnostic) {
      let open = if let open { open } else { try file.open(at: place) }
      self.open = open
      guard let next = try open.next() else {
        self.open = nil
        return nil
      }
      place = next.place
      return next.value
    } catch {
      let place = error.location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
      throw StreamFailure(error.code, place + error.message, pointer: file.pointer)
    }
  }

  var upcoming: UpcomingValues? {
    guard isRunningOn, let values = open?.upcoming, !values.isEmpty else { return nil }
    return .elements(values)
  }

  func upcomingRows(of fields: () -> [String]?) -> LineRows? {
    guard isRunningOn, let open else { return nil }
    return open.upcomingRows(of: fields)
  }

  mutating func skip(_ count: Int, _ answers: Answers) {
    guard let open else { return }
    open.skip(count, &state.place)
    answers.resume()
  }
}

extension Source.File {
  public static let spec = OperatorSpec(
    "file", "Publishes the values of a file, one by one, as they are asked for.",
    memory: .constant("a chunk of the file, up to 512 values that have been read, and the longest value"),
    fields: [
      .required("path", .string, "The path, relative to the stream file."),
      .required(
        "format", .choice(FileFormat.allCases.map(\.rawValue)),
        "`ndjson`: one JSON value a line; `json`: one list; `csv`: rows of texts under the names of the first row."),
      .optional(
        "type", .type,
        "What the values must be: a type's name, an object of fields, or a list of one type. Texts of a `csv` become numbers and booleans where that is declared."
      ),
    ],
    examples: [
      .publishes(
        "one value a line", #"{"file": {"path": "letters.ndjson", "format": "ndjson"}}"#, out: "(ab|)"),
      .publishes("one list", #"{"file": {"path": "letters.json", "format": "json"}}"#, out: "(ab|)"),
      .publishes(
        "rows of texts", #"{"file": {"path": "counts.csv", "format": "csv"}}"#, out: "(ab|)",
        values: ["a": ["name": "x", "count": "1"], "b": ["name": "y, z", "count": "2"]]),
      .publishes(
        "rows of declared types",
        #"{"file": {"path": "counts.csv", "format": "csv", "type": {"name": "string", "count": "int"}}}"#,
        out: "(ab|)", values: ["a": ["name": "x", "count": 1], "b": ["name": "y, z", "count": 2]]),
      .publishes(
        "a mistake in the second line", #"{"file": {"path": "broken.ndjson", "format": "ndjson"}}"#, out: "(a#)"),
      .publishes(
        "a file that is not there", #"{"file": {"path": "missing.json", "format": "json"}}"#, out: "#"),
      .rejects("no format", #"{"file": {"path": "letters.json"}}"#, .missingField, at: "/file"),
      .rejects(
        "a format that there is not", #"{"file": {"path": "letters.xml", "format": "xml"}}"#, .outOfRange,
        at: "/file/format"),
    ])
}
