public import StreamCore

/// A value of a `stream`, with operators of its own: an item begins when the one before has ended.
public struct StreamItem: Hashable, Sendable {
  public var value: Value
  public var operators: [PlacedOperator]
  /// The author's own members, which begin with `x-`.
  public var extensions: ValueMap

  public init(_ value: Value, operators: [PlacedOperator] = [], extensions: ValueMap = ValueMap()) {
    self.value = value
    self.operators = operators
    self.extensions = extensions
  }

  init(reading json: Value) throws(Diagnostics) {
    var reader = MemberReader(json, what: "an item", keys: ["value", "operators"])
    try reader.throwUnlessObject()
    if !reader.has("value") { reader.missing("value", in: "an item") }
    value = reader.value("value") ?? .null
    operators = reader.elements("operators") { value throws(Diagnostics) in try PlacedOperator(value) } ?? []
    extensions = reader.extensions
    try reader.diagnostics.throwErrors()
  }

  var json: Value {
    var writer = MemberWriter()
    writer.add("value", value)
    writer.add("operators", operators.map(\.value))
    writer.add(extensions)
    return writer.value
  }
}
