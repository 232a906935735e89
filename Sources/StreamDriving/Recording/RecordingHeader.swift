@_spi(Engine) package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The first line of a recording: the stream, and how it was run.
package struct RecordingHeader: Equatable, Sendable {
  /// The version of the format.
  static let version: Int64 = 1

  /// Help for a file that is not a recording.
  static let help = "'streamrun FILE --record RUN.ndjson' writes a recording"

  /// The version of the program.
  var program = ProgramVersion.text
  package var stream: RecordedStream
  package var options = Options()
  /// The names of the inputs.
  var inputs: [String] = []
  /// The initial values that the command line gave, as JSON text by the input's name.
  package var parameters: [(name: String, text: String)] = []
  /// The calendar time at the start of the stream.
  package var origin = Timestamp(seconds: 0)
  /// The calendar time at which the run began.
  var started = Timestamp(seconds: 0)
  /// The files of data that the stream names. Their contents are not in the recording.
  var data: [RecordedData] = []

  /// The options of the run that have an effect on the output.
  package struct Options: Equatable, Sendable {
    package var format = ValueFormat.ndjson
    package var timestamps = false
    package var skipErrors = false
    package var limit: Int?
    package var seconds: Double?
    package var speed: Double?
    package var longestValue: Int?
    /// The expression for event time.
    package var eventTime: String?
    /// Whether the times of the values are those of the data.
    package var hasEventTime = false
    /// Whether time passed only when no input could proceed.
    package var isVirtual = false
  }

  init(_ stream: RecordedStream) { self.stream = stream }

  package static func == (lhs: RecordingHeader, rhs: RecordingHeader) -> Bool { lhs.json == rhs.json }

  // MARK: JSON

  var json: Value {
    var members: [(Value, Value)] = [
      ("recording", .int(Self.version)), ("streamrun", .string(program)), ("stream", stream.json),
      ("options", options.json), ("inputs", .list(inputs.map(Value.string))),
    ]
    if !parameters.isEmpty {
      members.append(("parameters", .map(ValueMap(parameters.map { (.string($0.name), .string($0.text)) }))))
    }
    members.append(("origin", .string(origin.rfc3339)))
    members.append(("started", .string(started.rfc3339)))
    if !data.isEmpty { members.append(("data", .list(data.map(\.json)))) }
    return .map(ValueMap(members))
  }

  /// Reads the first line.
  ///
  /// - Throws: A diagnostic without a location.
  init(json: Value) throws(Diagnostic) {
    guard case .map(let map) = json, let version = map["recording"] else {
      throw Diagnostic(
        .invalidInput, "the first line is not the header of a recording",
        help: Self.help)
    }
    guard version == .int(Self.version) else {
      throw Diagnostic(
        .unsupportedFormat, "the recording has the format \(JSONWriter.compact(version)); expected \(Self.version)",
        help: "replay it with the version of streamrun that wrote it"
          + (map["streamrun"]?.text.map { ": \($0)" } ?? ""))
    }
    guard let stream = map["stream"].flatMap(RecordedStream.init), let origin = Self.time(map["origin"]) else {
      throw Diagnostic(.invalidInput, "the header of the recording lacks 'stream' or 'origin'")
    }
    self.init(stream)
    self.origin = origin
    program = map["streamrun"]?.text ?? program
    started = Self.time(map["started"]) ?? origin
    if let value = map["options"] { options = Options(json: value) }
    if case .list(let names)? = map["inputs"] { inputs = names.compactMap(\.text) }
    if case .map(let values)? = map["parameters"] {
      parameters = values.pairs.compactMap { key, value in key.text.flatMap { name in value.text.map { (name, $0) } } }
    }
    if case .list(let files)? = map["data"] { data = files.compactMap(RecordedData.init) }
  }

  private static func time(_ value: Value?) -> Timestamp? { value?.text.flatMap { Timestamp(rfc3339: $0) } }
}

extension RecordingHeader.Options {
  var json: Value {
    var members: [(Value, Value)] = []
    if format != .ndjson { members.append(("format", .string(format.rawValue))) }
    if timestamps { members.append(("timestamps", true)) }
    if isVirtual { members.append(("virtual", true)) }
    if hasEventTime { members.append(("eventTime", eventTime.map(Value.string) ?? true)) }
    if skipErrors { members.append(("skipErrors", true)) }
    if let limit { members.append(("limit", .int(Int64(limit)))) }
    if let seconds { members.append(("for", .double(seconds))) }
    if let speed { members.append(("speed", .double(speed))) }
    if let longestValue { members.append(("maxValue", .int(Int64(longestValue)))) }
    return .map(ValueMap(members))
  }

  init(json: Value) {
    format = json.member("format")?.text.flatMap { ValueFormat(rawValue: $0) } ?? .ndjson
    timestamps = json.member("timestamps") == true
    isVirtual = json.member("virtual") == true
    hasEventTime = json.member("eventTime") != nil
    eventTime = json.member("eventTime")?.text
    skipErrors = json.member("skipErrors") == true
    limit = json.member("limit")?.count
    seconds = json.member("for")?.number
    speed = json.member("speed")?.number
    longestValue = json.member("maxValue")?.count
  }
}

extension Value {
  /// A number that is neither negative nor greater than an `Int`.
  fileprivate var count: Int? { if case .int(let number) = self, number >= 0 { Int(number) } else { nil } }

  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

/// A stream file and the stream files that it refers to, as a recording keeps them.
package struct RecordedStream: Equatable, Sendable {
  /// The file as the user named it.
  package var file: String
  /// The path to which the paths in it are relative.
  package var identity: String
  /// The hash of its content.
  var id: String
  package var text: String
  /// The texts of the files that it refers to, by path.
  package var files: [(path: String, text: String)] = []
  /// The places of these files, by the paths in `files` that lead to them over links or `..`.
  var links: [String: String] = [:]
  /// The files of data that this version names, if it is not the first one of a recording.
  var data: [RecordedData] = []
  /// The seed of random numbers that the command line gave.
  package var seed: Int?
  /// The values of parameters that the command line or a publication gave, and that differ from the defaults.
  var parameters: [String: Value] = [:]

  /// The arguments with which it was compiled.
  var arguments: CompileArguments { CompileArguments(recorded: parameters, seed: seed) }

  package static func == (lhs: RecordedStream, rhs: RecordedStream) -> Bool { lhs.json == rhs.json }

  init(_ prepared: PreparedStream) {
    let document = prepared.stream.document
    file = document.file
    identity = prepared.stream.identity
    id = (try? document.contentID()) ?? ""
    seed = prepared.compileOptions.seed
    parameters = prepared.stream.model.values(differingIn: prepared.compileOptions.arguments)
    text = String(decoding: document.source.bytes, as: UTF8.self)
    var texts: [String: String] = [:]
    for stream in prepared.loader.streams where stream.identity != identity {
      texts[stream.identity] = String(decoding: stream.document.source.bytes, as: UTF8.self)
    }
    // NB: The path that a file writes may lead to another file over a link, which need not be there at the replay.
    for path in prepared.loader.namedPaths where texts[path] == nil {
      if let real = try? Path.real(path), let text = texts[real] { (texts[path], links[path]) = (text, real) }
    }
    files = texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var json: Value {
    var members: [(Value, Value)] = [
      ("file", .string(file)), ("path", .string(identity)), ("id", .string(id)), ("text", .string(text)),
    ]
    if !files.isEmpty {
      members.append(("files", .map(ValueMap(files.map { (.string($0.path), .string($0.text)) }))))
    }
    if !links.isEmpty { members.append(("links", .map(ValueMap(sorting: links.mapValues(Value.string))))) }
    if !data.isEmpty { members.append(("data", .list(data.map(\.json)))) }
    if let seed { members.append(("seed", .int(Int64(seed)))) }
    if !parameters.isEmpty { members.append(("parameters", .map(ValueMap(sorting: parameters)))) }
    return .map(ValueMap(members))
  }

  init?(json: Value) {
    guard let file = json.member("file")?.text, let identity = json.member("path")?.text,
      let text = json.member("text")?.text
    else { return nil }
    self.file = file
    self.identity = identity
    self.text = text
    id = json.member("id")?.text ?? ""
    if case .int(let number)? = json.member("seed") { seed = Int(number) }
    if case .map(let values)? = json.member("parameters") { parameters = values.byName }
    if case .map(let texts)? = json.member("files") {
      files = texts.pairs.compactMap { key, value in key.text.flatMap { path in value.text.map { (path, $0) } } }
    }
    if case .map(let places)? = json.member("links") { links = places.byName.compactMapValues(\.text) }
    if case .list(let files)? = json.member("data") { data = files.compactMap(RecordedData.init) }
  }
}

extension RecordedStream {
  /// The files of the stream, as a loader finds them.
  ///
  /// - Parameters:
  ///   - data: The files of values in the recording.
  ///   - folder: The directory of the recording, without links; nil if the stream is only compiled.
  func recordedFiles(_ data: [RecordedData] = [], in folder: String? = nil) -> RecordedFiles {
    let digests = (data + self.data).compactMap { data in data.digest.map { (data.path, $0) } }
    return RecordedFiles(
      texts: Dictionary(files.map { ($0.path, Array($0.text.utf8)) }) { first, _ in first }, links: links,
      digests: Dictionary(digests) { $1 }, of: identity, in: folder)
  }

  /// The text of the main file.
  var main: NamedTexts { NamedTexts([file: Array(text.utf8)]) }

  /// Compiles the stream from its texts alone.
  ///
  /// - Parameter files: The data files that the stream names.
  /// - Throws: The errors in the texts.
  func version(_ files: any ValueFiles) throws(Diagnostics) -> StreamVersion {
    let loader = FileLoader(recorded: recordedFiles(), texts: main)
    let stream = try loader.load(file, belongingAt: identity)
    var options = arguments.options(for: stream.model, loader)
    options.files = files
    // It was run with a clock from outside if it needs one.
    options.valuesHaveTimes = true
    return try StreamVersion(stream, options)
  }

  /// Whether both have the same texts, in whatever places.
  ///
  /// NB: The hash of the content does not distinguish 1 and 1.0, which may give other values.
  func isSame(as other: RecordedStream) -> Bool {
    text == other.text && seed == other.seed && parameters == other.parameters
      && files.map(\.text).sorted() == other.files.map(\.text).sorted()
  }
}

extension RecordedStream {
  /// Returns the values of parameters for a test of a stream file.
  ///
  /// - Parameters:
  ///   - compile: Arguments that replace the recorded values.
  ///   - document: The stream file, which may lack some of the parameters.
  package func parameters(
    setting compile: CompileRequest, declaredBy document: JSONDocument
  ) throws(Diagnostics) -> ValueMap {
    let model = try document.locating { value throws(Diagnostics) in try StreamModel(json: value) }
    let given = arguments.parameters.merging(try compile.arguments().parameters) { $1 }
    return ValueMap(sorting: model.values(differingIn: given))
  }
}

extension RecordedStream: Codable {
  package init(from decoder: any Decoder) throws {
    guard let stream = RecordedStream(json: try Value(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "it is not the text of a stream"))
    }
    self = stream
  }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A file of data that a stream names.
struct RecordedData: Equatable, Sendable {
  var path: String
  /// Its size; nil if it could not be read, or is a pipe.
  var bytes: Int?
  /// The SHA-256 digest of its contents; nil if it could not be read, or is a pipe.
  var digest: String?

  /// Reads the file.
  init(reading path: String) {
    self.path = path
    // A pipe would wait for a writer, and lose what it has read.
    guard (try? FileStatus(path))?.kind == .regular, let file = try? FileDescriptor.open(path) else { return }
    defer { file.close() }
    if let content = try? file.digest() { (bytes, digest) = (content.bytes, content.text) }
  }

  var json: Value {
    var members: [(Value, Value)] = [("file", .string(path))]
    if let bytes { members.append(("bytes", .int(Int64(bytes)))) }
    if let digest { members.append(("sha256", .string(digest))) }
    return .map(ValueMap(members))
  }

  init?(json: Value) {
    guard let path = json.member("file")?.text else { return nil }
    self.path = path
    bytes = json.member("bytes")?.count
    digest = json.member("sha256")?.text
  }
}
