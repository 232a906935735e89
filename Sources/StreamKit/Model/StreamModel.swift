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
  /// What the host feeds, by name.
  public var inputs: [Named<InputDeclaration>]
  /// Streams that this one, and each other, refer to by name.
  public var streams: [Named<StreamModel>]
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
    inputs: [Named<InputDeclaration>] = [], streams: [Named<StreamModel>] = [], source: Source,
    operators: [PlacedOperator] = [], tests: [StreamTest] = [], extensions: ValueMap = ValueMap()
  ) {
    self.format = format
    self.id = id
    self.name = name
    self.description = description
    self.inputs = inputs
    self.streams = streams
    self.source = source
    self.operators = operators
    self.tests = tests
    self.extensions = extensions
  }

  static let keys = [
    "$schema", "format", "id", "name", "description", "inputs", "streams", "stream", "source", "operators", "tests",
  ]

  /// The model that a JSON value describes.
  ///
  /// - Throws: all that is wrong with it, with pointers relative to the value.
  public init(_ value: Value) throws(Diagnostics) {
    var reader = MemberReader(value, what: "a stream", keys: Self.keys)
    try reader.throwUnlessObject()
    _ = reader.string("$schema")
    format = reader.int("format")
    if let format, format != 1 {
      reader.append(
        Diagnostic(
          .unsupportedFormat, "the file has format \(format); this program reads format 1",
          at: JSONPointer(["format"]), help: "update streamrun, or write \"format\": 1"))
    }
    id = reader.string("id")
    if let id, !Self.isUUID(id) {
      reader.append(
        Diagnostic(
          .invalidIdentifier, "'id' is \"\(id)\"; expected a UUID, such as 5C5C1E0B-6C0B-4D5D-9E1C-2B8E1C0B9A11",
          at: JSONPointer(["id"])))
    }
    name = reader.string("name")
    description = reader.string("description")
    inputs = reader.named("inputs", what: "an input") { value throws(Diagnostics) in try InputDeclaration(value) }
    streams = reader.named("streams", what: "a stream") { value throws(Diagnostics) in try StreamModel(value) }
    for stream in streams where inputs.contains(where: { $0.name == stream.name }) {
      reader.append(
        Diagnostic(
          .duplicateName, "'\(stream.name)' is the name of an input and of a stream",
          at: JSONPointer(["streams", stream.name]), part: .key, help: "rename one of them"))
    }
    source = Source.read(&reader)
    operators =
      reader.elements("operators") { value throws(Diagnostics) in try PlacedOperator(value) } ?? []
    Self.checkIDs(of: operators, &reader)
    tests = reader.elements("tests") { value throws(Diagnostics) in try StreamTest(value) } ?? []
    extensions = reader.extensions
    try reader.diagnostics.throwErrors()
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
  public var value: Value {
    var writer = MemberWriter()
    writer.add("format", format.map { .int(Int64($0)) })
    writer.add("id", id)
    writer.add("name", name)
    writer.add("description", description)
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

extension MemberReader {
  /// Ends reading at once where there is no object to read.
  func throwUnlessObject() throws(Diagnostics) {
    if diagnostics.all.first?.code == .wrongType, diagnostics.all.first?.pointer.tokens.isEmpty == true {
      throw diagnostics
    }
  }
}
