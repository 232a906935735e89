public import StreamCore

/// A stream as data: a source, operators over the whole, and what belongs to them.
///
/// Knows nothing of running; `compile` makes a `Pipeline` of it.
public struct StreamModel: Hashable, Sendable {
  /// The version of the format: 1. Absent in files written by hand.
  public var format: Int?
  /// A UUID; none is invented.
  public var id: String?
  public var name: String?
  public var description: String?
  /// What the host must have: names of operators, functions and hooks. A host that lacks one refuses the file.
  public var requires: [String]
  /// What the host feeds, by name.
  public var inputs: [Named<InputDeclaration>]
  /// Streams that this one, and each other, refer to by name.
  public var streams: [Named<StreamModel>] {
    get { nestedStreams.content }
    set { nestedStreams = Nested(newValue) }
  }
  private var nestedStreams: Nested<[Named<StreamModel>]>
  /// Where the values come from.
  public var source: Source
  /// What is done with the whole.
  public var operators: [PlacedOperator]
  /// What the stream must do, in virtual time.
  public var tests: [StreamTest]
  /// The author's own members, which begin with `x-`.
  public var extensions: ValueMap

  public init(
    format: Int? = nil, id: String? = nil, name: String? = nil, description: String? = nil,
    requires: [String] = [], inputs: [Named<InputDeclaration>] = [], streams: [Named<StreamModel>] = [], source: Source,
    operators: [PlacedOperator] = [], tests: [StreamTest] = [], extensions: ValueMap = ValueMap()
  ) {
    self.format = format
    self.id = id
    self.name = name
    self.description = description
    self.requires = requires
    self.inputs = inputs
    nestedStreams = Nested(streams)
    self.source = source
    self.operators = operators
    self.tests = tests
    self.extensions = extensions
  }

  static let keys = [
    "$schema", "format", "id", "name", "description", "requires", "inputs", "streams", "stream", "source", "operators",
    "tests",
  ]

  /// The model that a JSON value describes.
  ///
  /// - Throws: all that is wrong with it, with pointers relative to the value.
  public init(_ value: Value) throws(Diagnostics) {
    let (model, problems) = Self.read(value)
    try problems.throwErrors()
    self = model
  }

  /// The model as far as it can be read, and all that is wrong with it.
  static func read(_ value: Value) -> (StreamModel, Diagnostics) { DeepStack.run { readMembers(of: value) } }

  private static func readMembers(of value: Value) -> (StreamModel, Diagnostics) {
    var reader = MemberReader(value, what: "a stream", keys: keys)
    var model = StreamModel(source: .items([]))
    guard reader.isObject else { return (model, reader.diagnostics) }
    _ = reader.string("$schema")
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
          at: JSONPointer(["id"]), help: "leave it out, or make one with uuidgen"))
    }
    model.name = reader.string("name")
    model.description = reader.string("description")
    model.requires = reader.strings("requires")
    model.inputs = reader.named("inputs", what: "an input", InputDeclaration.read)
    model.streams = reader.named("streams", what: "a stream", read)
    let inputNames = Set(model.inputs.map(\.name))
    for stream in model.streams where inputNames.contains(stream.name) {
      reader.append(
        Diagnostic(
          .duplicateName, "'\(stream.name)' is the name of an input and of a stream",
          at: JSONPointer(["streams", stream.name]), part: .key, help: "rename one of them"))
    }
    model.source = Source.read(&reader)
    model.operators = reader.partialElements("operators", PlacedOperator.read) ?? []
    checkIDs(of: model.operators, &reader)
    model.tests = reader.elements("tests") { value throws(Diagnostics) in try StreamTest(value) } ?? []
    model.extensions = reader.extensions
    return (model, reader.diagnostics)
  }

  /// Two operators of one list cannot have the same `id`: it names their state.
  private static func checkIDs(of operators: [PlacedOperator], _ reader: inout MemberReader) {
    var seen: Set<String> = []
    for (index, placed) in operators.enumerated() {
      guard let id = placed.id, !seen.insert(id).inserted else { continue }
      reader.append(
        Diagnostic(
          .duplicateName, "another operator has the id \"\(id)\" already",
          at: JSONPointer(["operators", String(index), "id"]), help: "give each operator an id of its own"))
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  /// The model as JSON, in the key order of the format.
  public var value: Value { DeepStack.run { makeValue() } }

  private func makeValue() -> Value {
    var writer = MemberWriter()
    writer.add("format", format.map { .int(Int64($0)) })
    writer.add("id", id)
    writer.add("name", name)
    writer.add("description", description)
    writer.add("requires", requires.map(Value.string))
    writer.add("inputs", inputs.map { ($0.name, $0.element.value) })
    writer.add("streams", streams.map { ($0.name, $0.element.value) })
    source.write(&writer)
    writer.add("operators", operators.map(\.value))
    writer.add("tests", tests.map(\.value))
    writer.add(extensions)
    return writer.value
  }
}

extension StreamModel: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(Value.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
