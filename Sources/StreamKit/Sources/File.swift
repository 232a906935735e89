internal import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes the values of a file one by one, as they are requested.
  ///
  /// The host must allow reading files. The file is opened when a subscription requests its first value, and is read
  /// only as far as values are requested. A snapshot saves the position.
  ///
  /// - Memory: a chunk of the file, and the longest value.
  /// - Failure: if the file cannot be read or contains an error; the message starts with the file, line and column.
  public struct File: SourceDefinition {
    /// Path relative to the stream file.
    public var path: String
    /// Format of the file: `ndjson` is one JSON value per line; `json` is a JSON array of values; `csv` is rows of
    /// fields between commas, with the names in the first row; `tsv` is rows of fields between tabs, with the names in
    /// the first row; `text` is lines of text, each a string. By default that of the path's extension.
    public var format: FileFormat?
    /// Type of the values, as for an input: a type's name, an object of fields, or an array of one type. Strings of a
    /// `csv`, `tsv` or `text` file are converted to the declared numbers and Booleans.
    public var type: TypeDeclaration?
    /// Place of the values in each JSON text, as a JSON Pointer such as `/results`: the elements of the array there, or
    /// the value there. By default the values are the texts.
    public var items: String?
    /// Character between the fields of a `csv` or `tsv` file, or `tab`. By default that of the format, or else the
    /// semicolon, tab or vertical bar that the first two rows show.
    public var delimiter: String?
    /// Character around fields of a `csv` or `tsv` file that contain delimiters or line breaks, or `none`. Default `"`.
    public var quote: String?
    /// Character before the decimals of numbers in a `csv` or `tsv` file: `.` or `,`. By default a point or, if commas
    /// do not separate the fields, either.
    public var decimal: String?

    public init(
      path: String, format: FileFormat? = nil, type: TypeDeclaration? = nil, items: String? = nil,
      delimiter: String? = nil, quote: String? = nil, decimal: String? = nil
    ) {
      self.path = path
      self.format = format
      self.type = type
      (self.items, self.delimiter, self.quote, self.decimal) = (items, delimiter, quote, decimal)
    }
  }
}

extension Source.File {
  public func validate() throws(Diagnostic) {
    try FilePath.check(path, field: "path")
    _ = try knownFormat
    _ = try CELType.declared(type, field: "type")
  }

  /// The format, or else that of the path's extension.
  private var knownFormat: FileFormat {
    get throws(Diagnostic) {
      if let format = format ?? FileFormat(ofFile: path) {
        var options = try options(for: format)
        options.keepsLines = true
        return format.with(options)
      }
      guard !path.isEmpty else { throw Diagnostic(.outOfRange, "'path' is empty", at: JSONPointer(["path"])) }
      let names = FileFormat.allCases.map { "\"\($0.rawValue)\"" }
      throw Diagnostic(
        .missingField, "the path \(JSONWriter.compact(.string(path))) does not say the file's format",
        help: "add \"format\": \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }
  }

  /// The settings of the reader.
  private func options(for format: FileFormat) throws(Diagnostic) -> FormatOptions {
    var options = FormatOptions()
    // The default of a field is not given.
    let quote = quote == "\"" ? nil : quote
    let given = [("items", items), ("delimiter", delimiter), ("quote", quote), ("decimal", decimal)]
    for (name, text) in given where text != nil {
      let isForTables = name != "items"
      guard isForTables == format.isTable, format.isTable || format != .text else {
        throw Diagnostic(
          .conflictingFields, "'\(name)' is for \(isForTables ? "tables" : "JSON"); the format is '\(format.rawValue)'",
          at: JSONPointer([name]), help: "remove '\(name)'")
      }
    }
    options.items = try items.map { text throws(Diagnostic) in
      try FormatOptions.pointer(text, named: "'items'", at: JSONPointer(["items"]))
    }
    options.table = try TableDialect(delimiter: delimiter, quote: quote, decimal: decimal) { "'\($0)'" }
    return options
  }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    guard let files = context.files else {
      throw Diagnostics(
        .cannotRead, "the file \"\(path)\" cannot be read: this host gives no access to files",
        at: JSONPointer(["path"]))
    }
    let declared: CELType
    let format: FileFormat
    do throws(Diagnostic) {
      format = try knownFormat
      declared = try CELType.declared(type, field: "type", in: context.scope.types)
      do throws(Diagnostic) {
        try files.check(path, relativeTo: context.file)
      } catch {
        throw error.prefixed(by: JSONPointer(["path"]))
      }
    } catch {
      throw Diagnostics([error])
    }
    let file = NamedFile(
      files: files, path: path, format: format, base: context.file, type: declared,
      pointer: context.place.appending("path"))
    let machine = FileMachine(file)
    return context.machine(machine, name: "file", type: declared == .dyn ? format.valueType : declared)
  }
}

extension StreamFailure {
  /// The start of the message of a failure with a position in the data.
  package static func prefix(of location: Diagnostic.Location) -> String {
    "\(location.file):\(location.line):\(location.column): "
  }
}

/// A file named by a source.
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

  func open(at position: FilePosition) throws(Diagnostic) -> OpenFile {
    guard let files = files as? any RecognizedFiles else {
      return OpenFile(try files.open(path, format: format, relativeTo: base, at: position.place), format, type)
    }
    let (reader, content) = try files.open(
      path, format: format, relativeTo: base, at: position.place, behind: position.known)
    return OpenFile(reader, format, type, content)
  }
}

/// A position in a file, and what precedes it.
struct FilePosition: Codable, Sendable {
  var place = FilePlace()
  /// A description of the content before the position, from a snapshot.
  fileprivate var known: Value?
  /// The content of the open file, which describes what precedes any position.
  fileprivate var content: (any ReadContent)?

  private enum Key: CodingKey { case content }

  init() {}

  init(from decoder: any Decoder) throws {
    place = try FilePlace(from: decoder)
    known = try decoder.container(keyedBy: Key.self).decodeIfPresent(Value.self, forKey: .content)
  }

  func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    guard place.offset > 0 else { return }
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(content?.description(before: place.offset) ?? known, forKey: .content)
  }

  /// Advances to a place in an open file.
  fileprivate mutating func move(in file: OpenFile) {
    place = file.place
    (known, content) = (nil, file.content)
  }
}

private struct FileMachine: PullSource, BatchSource {
  let file: NamedFile
  /// Reopened at the saved position after a snapshot has been restored.
  private var open: OpenFile?
  var state = PullState(FilePosition())

  init(_ file: NamedFile) { self.file = file }

  /// The steps charged for opening the file, successfully or not: about 0.1 ms.
  private static let openingSteps = 1_000

  func isDone(_ position: FilePosition) -> Bool { false }

  func problem(with saved: PullState<FilePosition>) -> String? {
    guard saved.place.known != nil else { return nil }
    do throws(Diagnostic) {
      _ = try file.open(at: saved.place)
      return nil
    } catch {
      // Other errors belong to the stream.
      return error.code == .snapshotMismatch ? "is in a file that has changed: \(error.message)" : nil
    }
  }

  mutating func next(_ position: inout FilePosition, _ effects: Effects) throws(StreamFailure) -> Value? {
    do throws(Diagnostic) {
      if open == nil { effects.charge(steps: Self.openingSteps) }
      let open = if let open { open } else { try file.open(at: position) }
      self.open = open
      guard let next = try open.next() else {
        self.open = nil
        state.place.content = nil
        return nil
      }
      position.move(in: open)
      return next
    } catch {
      if let open, open.isPastProblem { position.move(in: open) }
      let prefix = error.location.map(StreamFailure.prefix(of:)) ?? ""
      throw StreamFailure(
        error.code, prefix + error.message, pointer: file.pointer, location: error.location, help: error.help)
    }
  }

  var isPastFailure: Bool { open?.isPastProblem == true }

  func upcoming(_ fields: () -> [String]?) -> UpcomingValues? {
    guard isRunningOn, let open else { return nil }
    return open.upcomingRows(of: fields).map(UpcomingValues.rows)
  }

  mutating func advance(by count: Int, _ effects: Effects) {
    guard let open else { return }
    open.skip(count, &state.place.place)
    effects.resume()
  }
}

extension Source.File {
  public static let spec = OperatorSpec(
    "file", "Publishes the values of a file one by one, as they are requested.",
    memory: .constant("a chunk of the file, and the longest value"),
    fields: [
      .required("path", .string, "Path relative to the stream file."),
      .optional(
        "format", .choice(FileFormat.allCases.map(\.rawValue)),
        "Format of the file: \(FileFormat.summaries). By default that of the path's extension."),
      .optional(
        "type", .type,
        "Type of the values, as for an input: a type's name, an object of fields, or an array of one type. "
          + "Strings of a `csv`, `tsv` or `text` file are converted to the declared numbers and Booleans."
      ),
      .optional(
        "items", .string,
        "Place of the values in each JSON text, as a JSON Pointer such as `/results`: the elements of the array there, or "
          + "the value there. By default the values are the texts."),
      .optional(
        "delimiter", .string,
        "Character between the fields of a `csv` or `tsv` file, or `tab`. By default that of the format, or else the "
          + "semicolon, tab or vertical bar that the first two rows show."),
      .optional(
        "quote", .string,
        "Character around fields of a `csv` or `tsv` file that contain delimiters or line breaks, or `none`.",
        default: .of("\"")),
      .optional(
        "decimal", .string,
        "Character before the decimals of numbers in a `csv` or `tsv` file: `.` or `,`. By default a point or, if commas "
          + "do not separate the fields, either."),
    ],
    examples: [
      .publishes(
        "one value per line", #"{"file": {"path": "letters.ndjson", "format": "ndjson"}}"#, out: "(ab|)"),
      .publishes("one array", #"{"file": {"path": "letters.json", "format": "json"}}"#, out: "(ab|)"),
      .publishes(
        "rows of strings", #"{"file": {"path": "counts.csv"}}"#, out: "(ab|)",
        values: ["a": ["name": "x", "count": "1"], "b": ["name": "y, z", "count": "2"]]),
      .publishes(
        "rows with declared types",
        #"{"file": {"path": "counts.csv", "format": "csv", "type": {"name": "string", "count": "int"}}}"#,
        out: "(ab|)", values: ["a": ["name": "x", "count": 1], "b": ["name": "y, z", "count": 2]]),
      .publishes(
        "lines of text", #"{"file": {"path": "lines.txt", "format": "text"}}"#, out: "(ab|)",
        values: ["a": "one, two", "b": ""]),
      .publishes(
        "an error in the second line", #"{"file": {"path": "broken.ndjson", "format": "ndjson"}}"#, out: "(a#)"),
      .publishes(
        "a missing file", #"{"file": {"path": "missing.json", "format": "json"}}"#, out: "#"),
      .rejects("an unknown extension", #"{"file": {"path": "letters.dat"}}"#, .missingField, at: "/file"),
      .rejects(
        "a zero character in the path", #"{"file": {"path": "letters\u0000.json", "format": "json"}}"#, .outOfRange,
        at: "/file/path"),
      .rejects(
        "an unknown format", #"{"file": {"path": "letters.xml", "format": "xml"}}"#, .outOfRange,
        at: "/file/format"),
    ])
}
