public import StreamCore

/// A stream as data: a source, operators, inputs, named streams and tests.
///
/// ```swift
/// let model = StreamModel(
///   inputs: ["query": InputDeclaration(type: .string)], source: .input("query"),
///   operators: [.filter("size(value) > 2"), .debounce(seconds: 0.3), .removeDuplicates()])
/// let pipeline = try model.compile()
/// ```
///
/// A model does not run; `compile` creates a `Pipeline` from it.
public struct StreamModel: StreamFilePart {
  /// The JSON Schema for editors: a URL or a path, kept as written. The program does not read it.
  public var schema: String? { didSet { check.isDone = false } }
  /// The version of the format: 1. Nil if the file omits it.
  public var format: Int? { didSet { check.isDone = false } }
  /// A UUID, or nil. None is generated.
  public var id: String? { didSet { check.isDone = false } }
  public var name: String? { didSet { check.isDone = false } }
  public var description: String? { didSet { check.isDone = false } }
  /// The operators, functions and hooks that the host must provide, by name. A host without one of them refuses the
  /// file.
  public var requires: [String] { didSet { check.isDone = false } }
  /// The parameters, by name: constants that the host may set when it compiles the model.
  package var parameters: Members<ParameterDeclaration> = [:] { didSet { check.isDone = false } }
  /// Named lists of operators, which `apply` is replaced by.
  package var definitions: Members<OperatorDefinitionPart> {
    get { nestedDefinitions?.content ?? [:] }
    set {
      nestedDefinitions = newValue.isEmpty ? nil : Nested(newValue)
      check.isDone = false
    }
  }
  private var nestedDefinitions: Nested<Members<OperatorDefinitionPart>>?
  /// Types that the declarations of the file can name, such as records that occur twice. A name begins with a capital
  /// letter.
  public var types: Members<TypeDeclaration> { didSet { check.isDone = false } }
  /// The seed of `random()`; nil if the host gives one, or no expression calls it.
  public var seed: Int? { didSet { check.isDone = false } }
  /// The inputs, which the host feeds, by name.
  public var inputs: Members<InputDeclaration> { didSet { check.isDone = false } }
  /// Named streams that this stream and the others can refer to.
  public var streams: Members<StreamModel> {
    get { nestedStreams.content }
    set {
      nestedStreams = Nested(newValue)
      check.isDone = false
    }
  }
  private var nestedStreams: Nested<Members<StreamModel>>
  /// The named outputs. If there are some, they stand instead of a source, operators and a partition.
  public var outputs: Members<Output> {
    get { nestedOutputs?.content ?? [:] }
    set {
      nestedOutputs = newValue.isEmpty ? nil : Nested(newValue)
      check.isDone = false
    }
  }
  private var nestedOutputs: Nested<Members<Output>>?
  /// The source of the values.
  public var source: Source { didSet { check.isDone = false } }
  /// Custom members beside the source in the object `source`, and among the source's fields.
  public var sourceExtensions: SourceExtensions { didSet { check.isDone = false } }
  /// The key by which the stream is divided; nil for a stream that is one whole.
  public var partition: Partition? { didSet { check.isDone = false } }
  /// The operators applied to the source's values, in order.
  public var operators: [PlacedOperator] { didSet { check.isDone = false } }
  /// Tests of the stream, run in virtual time.
  public var tests: [StreamTest] { didSet { check.isDone = false } }
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap { didSet { check.isDone = false } }
  /// Whether the model is unchanged since it was read, so that only compiling can find more errors.
  var check = ModelCheck()

  public init(
    format: Int? = nil, id: String? = nil, name: String? = nil, description: String? = nil,
    requires: [String] = [], inputs: Members<InputDeclaration> = [:],
    streams: Members<StreamModel> = [:], source: Source,
    operators: [PlacedOperator] = [], tests: [StreamTest] = [], extensions: ValueMap = ValueMap(),
    schema: String? = nil, sourceExtensions: SourceExtensions = SourceExtensions(), partition: Partition? = nil,
    types: Members<TypeDeclaration> = [:], seed: Int? = nil
  ) {
    self.types = types
    self.seed = seed
    self.partition = partition
    self.schema = schema
    self.format = format
    self.id = id
    self.name = name
    self.description = description
    self.requires = requires
    self.inputs = inputs
    nestedStreams = Nested(streams)
    self.source = source
    self.sourceExtensions = sourceExtensions
    self.operators = operators
    self.tests = tests
    self.extensions = extensions
  }

  /// Creates a model that publishes items in sequence.
  public init(
    name: String? = nil, inputs: Members<InputDeclaration> = [:], streams: Members<StreamModel> = [:],
    stream items: [StreamItem], operators: [PlacedOperator] = [], tests: [StreamTest] = []
  ) {
    self.init(
      name: name, inputs: inputs, streams: streams, source: .items(items), operators: operators, tests: tests)
  }

  package static let keys = [
    "$schema", "format", "id", "name", "description", "requires", "parameters", "types", "seed", "definitions",
    "inputs",
    "streams", "stream", "source", "partition", "operators", "outputs", "tests",
  ]

  public init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  /// The model as far as it can be read, and all that is wrong with it.
  package static func read(_ value: Value) -> (StreamModel, Diagnostics) { DeepStack.run { readMembers(of: value) } }

  private static func readMembers(of value: Value) -> (StreamModel, Diagnostics) {
    let (value, problems) = WholeDoubles.unmarked(value)
    var reader = MemberReader(
      value, what: "a stream", keys: keys,
      form: { value in
        guard case .list = value else { return nil }
        return "write {\"inputs\": {\"a\": {}}, \"source\": {\"input\": {\"name\": \"a\"}}, \"operators\": […]}"
      },
      advice: { name, _ in
        ["pipeline", "pipe", "steps", "transforms", "processors"].contains(name) ? "did you mean 'operators'?" : nil
      })
    var model = StreamModel(source: .items([]))
    guard reader.isObject else { return (model, reader.diagnostics) }
    reader.append(problems)
    model.schema = reader.string("$schema")
    model.format = reader.int("format")
    if let format = model.format, format != 1 {
      reader.append(
        Diagnostic(
          .unsupportedFormat, "the file has format \(format); this program reads format 1",
          at: JSONPointer(["format"]), help: "update streamrun, or write \"format\": 1"))
    }
    model.id = reader.string("id")
    if let id = model.id, !isUUID(id) {
      reader.append(
        Diagnostic(
          .invalidIdentifier, "'id' is \"\(id)\"; expected a UUID, such as 5C5C1E0B-6C0B-4D5D-9E1C-2B8E1C0B9A11",
          at: JSONPointer(["id"]), help: "omit it, or generate one with uuidgen"))
    }
    model.name = reader.string("name")
    model.description = reader.string("description")
    model.requires = reader.strings("requires")
    if reader.has("parameters") { model.parameters = ParameterDeclaration.readAll(&reader) }
    if reader.has("definitions") {
      model.definitions = reader.named("definitions", what: "a definition", OperatorDefinitionPart.read)
    }
    model.types = readTypes(&reader)
    model.seed = reader.int("seed")
    model.inputs = reader.named("inputs", what: "an input", InputDeclaration.read)
    model.streams = reader.named("streams", what: "a stream", read)
    for name in model.streams.names where model.inputs[name] != nil {
      reader.append(
        Diagnostic(
          .duplicateName, "'\(name)' is the name of an input and of a stream",
          at: JSONPointer(["streams", name]), part: .key, help: "rename one of them"))
    }
    if reader.has("outputs") {
      model.outputs = readOutputs(&reader)
    } else {
      model.source = Source.read(&reader)
    }
    if case .map(let object)? = reader.value("source") { model.sourceExtensions = SourceExtensions(object) }
    if let value = reader.value("partition") {
      let (partition, problems) = Partition.read(value)
      model.partition = partition
      reader.append(problems, under: "partition")
    }
    model.operators = reader.partialElements("operators", PlacedOperator.read) ?? []
    checkIDs(of: model.operators, &reader)
    model.tests = StreamTest.readAll(&reader)
    if reader.has(ConflictMark.key) {
      for problem in ConflictMark.problems(in: value) { reader.append(problem) }
    }
    model.extensions = reader.extensions
    model.check.isDone = reader.diagnostics.isEmpty
    return (model, model.advising(reader.diagnostics))
  }

  /// Returns the model as it would be read from a file, and the errors found in that: a model created or changed in
  /// Swift is checked as strictly as a file. A model that was read and not changed has already been checked.
  func checked() -> (model: StreamModel, problems: Diagnostics) {
    check.isDone ? (self, Diagnostics()) : Self.read(json)
  }

  /// Two operators of one list cannot have the same `id`: it names their state.
  private static func checkIDs(of operators: [PlacedOperator], _ reader: inout MemberReader) {
    var seen: Set<String> = []
    for (index, placed) in operators.enumerated() {
      guard let id = placed.id, !seen.insert(id).inserted else { continue }
      reader.append(
        Diagnostic(
          .duplicateName, "another operator already has the id \"\(id)\"",
          at: JSONPointer(["operators", String(index), "id"]), help: "give each operator a unique id"))
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  public var json: Value { DeepStack.run { makeValue() } }

  private func makeValue() -> Value {
    var writer = MemberWriter()
    writer.add("$schema", schema)
    writer.add("format", format.map { .int(Int64($0)) })
    writer.add("id", id)
    writer.add("name", name)
    writer.add("description", description)
    writer.add("requires", requires.map(Value.string))
    writer.add("parameters", parameters.mapValues(\.json))
    writer.add("definitions", definitions.mapValues(\.json))
    writer.add("types", types.mapValues(\.json))
    writer.add("seed", seed.map { .int(Int64($0)) })
    writer.add("inputs", inputs.mapValues(\.json))
    writer.add("streams", streams.mapValues(\.json))
    if outputs.isEmpty || source != .items([]) { source.write(&writer, sourceExtensions) }
    writer.add("partition", partition?.json)
    writer.add("operators", operators.map(\.json))
    writer.add("outputs", outputs.mapValues(\.json))
    writer.add("tests", tests.map(\.json))
    writer.add(extensions)
    return writer.value
  }
}

extension StreamModel {
  /// Custom members, whose names begin with `x-`, at the source of a stream.
  public struct SourceExtensions: Hashable, Sendable {
    /// Members beside the source: `{"source": {"x-note": 1, "just": {"value": 2}}}`.
    public var besideSource: ValueMap
    /// Members among its fields: `{"source": {"just": {"value": 2, "x-note": 1}}}`.
    public var amongFields: ValueMap

    public init(besideSource: ValueMap = ValueMap(), amongFields: ValueMap = ValueMap()) {
      self.besideSource = besideSource
      self.amongFields = amongFields
    }

    /// Creates the extensions from the object `source`.
    init(_ object: ValueMap) {
      besideSource = MemberReader(object).extensions
      amongFields = ValueMap()
      for (key, value) in object.pairs where key.text?.hasPrefix("x-") == false {
        if case .map(let fields) = value { amongFields = MemberReader(fields).extensions }
      }
    }
  }
}

/// Whether a model has been checked. Not part of the model's identity: all values are equal.
struct ModelCheck: Hashable, Sendable {
  var isDone = false
  /// The text that the model was read from; nil if it was not, or has changed since.
  var document: JSONDocument? {
    get { isDone ? text : nil }
    set { text = newValue }
  }
  private var text: JSONDocument?

  static func == (first: ModelCheck, second: ModelCheck) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
