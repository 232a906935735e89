public import StreamCore

/// A value of a `stream`, with its own operators. An item begins when the previous one has ended.
///
/// ```swift
/// let model = StreamModel(stream: [1, 2, 3].map { StreamItem($0, operators: [.delay(seconds: 1)]) })
/// ```
public struct StreamItem: StreamFilePart {
  public var value: Value
  public var operators: [PlacedOperator]
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap

  public init(_ value: Value, operators: [PlacedOperator] = [], extensions: ValueMap = ValueMap()) {
    self.value = value
    self.operators = operators
    self.extensions = extensions
  }

  package static let keys = ["value", "operators"]

  /// Creates an item of an integer, such as a variable.
  public init(_ number: Int, operators: [PlacedOperator] = []) { self.init(.int(Int64(number)), operators: operators) }

  /// Creates an item of the app's own type, encoded as `Value(encoding:)` does.
  public init(encoding content: some Encodable, operators: [PlacedOperator] = []) throws {
    self.init(try Value(encoding: content), operators: operators)
  }

  public init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  /// The item as far as it can be read, and all that is wrong with it.
  static func read(_ json: Value) -> (StreamItem, Diagnostics) {
    var reader = MemberReader(
      json, what: "an item", keys: keys, form: { "write {\"value\": \(JSONWriter.beginning(of: $0, bytes: 60))}" })
    var item = StreamItem(.null)
    guard reader.isObject else { return (item, reader.diagnostics) }
    if !reader.has("value") { reader.missing("value", in: "an item") }
    item.value = reader.value("value") ?? .null
    item.operators = reader.partialElements("operators", PlacedOperator.read) ?? []
    item.extensions = reader.extensions
    return (item, reader.diagnostics)
  }

  public var json: Value {
    var writer = MemberWriter()
    writer.add("value", value)
    writer.add("operators", operators.map(\.json))
    writer.add(extensions)
    return writer.value
  }
}

/// A literal is an item without operators: `StreamModel(stream: ["ready", "steady", "go"])`.
extension StreamItem: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral text: String) { self.init(.string(text)) }
  public init(integerLiteral number: Int64) { self.init(.int(number)) }
  public init(floatLiteral number: Double) { self.init(.double(number)) }
  public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }
}
