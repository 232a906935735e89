package import CEL
@_spi(Engine) package import StreamCore

/// Converts JSON values to an input's declared type.
///
/// An integer becomes a double or a uint; a string a timestamp (RFC 3339) or a duration (`1.5s`,
/// `1h30m`). Every other value
/// must already have the declared type.
package struct InputConversion: Sendable {
  package let type: CELType

  package init(_ type: CELType) { self.type = type }

  /// The reason why a value does not have the declared type, and the member at fault.
  package struct Problem: Error {
    /// The keys and indices from the value to the member.
    package internal(set) var tokens: [String] = []
    package let message: String
    /// The declared type of the member; nil if the message describes it.
    package private(set) var type: CELType?
    /// The field that a record lacks; nil for other problems.
    package private(set) var missing: String?
  }

  /// Returns the value converted to the declared type.
  package func convert(_ value: Value) throws(Problem) -> Value { try Self.convert(value, to: type) }

  private static func convert(
    _ value: Value, to type: CELType, orNull: Bool = false
  ) throws(Problem) -> Value {
    switch (type, value) {
    case (.dyn, _), (.undetermined, _): return value
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .uint(let number)): return .double(Double(number))
    case (.uint, .int(let number)) where number >= 0: return .uint(UInt64(number))
    case (.timestamp, .string(let text)):
      guard let instant = Timestamp(rfc3339: text) else {
        let isLeapSecond = Timestamp.isLeapSecond(text)
        throw Problem(
          message: isLeapSecond
            ? "the string is a leap second, which is not supported"
            : "the string is not a timestamp such as 2024-02-29T12:30:00Z")
      }
      return .timestamp(instant)
    case (.duration, .string(let text)):
      guard let duration = try? Duration(secondsText: text) ?? Duration(goText: text) else {
        throw Problem(message: "the string is not a duration such as 1.5s or 1h30m")
      }
      return .duration(duration.inNanoseconds)
    case (.list(let element), .list(let elements)): return .list(try convert(elements.elements, to: element))
    case (.map(_, let element), .map(let map)):
      return .map(try convert(map, to: element))
    case (.record(let fields), .map(let map)): return .map(try convert(map, to: fields))
    case (.nullable, .null): return value
    case (.nullable(let type), _): return try convert(value, to: type, orNull: true)
    case (.choice(let values), _):
      if values.contains(value) { return value }
      throw Problem(message: Self.reason(value, among: values))
    default:
      if type.accepts(value) { return value }
      let declared = orNull ? CELType.nullable(type) : type
      throw Problem(
        message: "found \(Self.described(value)), but the declared type is \(declared)", type: declared)
    }
  }

  /// Why a value is none of an enumeration.
  private static func reason(_ value: Value, among values: [Value]) -> String {
    let near = value.text.flatMap { nearestName(to: $0, among: values.compactMap(\.text)) }
    let shown =
      switch value {
      case .string, .int: JSONWriter.beginning(of: value, bytes: 60)
      default: described(value)
      }
    let names = values.prefix(12).map(JSONWriter.compact) + (values.count > 12 ? ["…"] : [])
    return "\(shown) is not one of \(names.listed)" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
  }

  /// The JSON type of a value; a number that is not an integer is shown, since `1.0` is easily taken for one.
  private static func described(_ value: Value) -> String {
    if case .double(let number) = value {
      "the double \(JSONWriter.compact(.double(number)))"
    } else {
      value.describedType
    }
  }

  private static func convert(_ elements: [Value], to type: CELType) throws(Problem) -> [Value] {
    var result = elements
    for (index, element) in elements.enumerated() {
      result[index] = try within(String(index)) { () throws(Problem) in
        try convert(element, to: type)
      }
    }
    return result
  }

  private static func convert(_ map: ValueMap, to type: CELType) throws(Problem) -> ValueMap {
    var result = map
    for (index, (key, value)) in map.pairs.enumerated() {
      result.slots[index] = try within(name(of: key)) { () throws(Problem) in try convert(value, to: type) }
    }
    return result
  }

  /// A record has the declared fields, and may have more.
  private static func convert(_ map: ValueMap, to fields: [RecordField]) throws(Problem) -> ValueMap {
    var result = map
    for field in fields {
      guard let index = map.shape.index(of: field.name) else {
        if field.isOptional { continue }
        throw Problem(message: "the field '\(field.name)' is missing (\(field.type))", missing: field.name)
      }
      result.slots[index] = try within(field.name) { () throws(Problem) in
        try convert(map.slots[index], to: field.type)
      }
    }
    return result
  }

  private static func within(_ token: String, _ body: () throws(Problem) -> Value) throws(Problem) -> Value {
    do throws(Problem) {
      return try body()
    } catch {
      throw Problem(tokens: [token] + error.tokens, message: error.message, type: error.type, missing: error.missing)
    }
  }

  private static func name(of key: Value) -> String { if case .string(let name) = key { name } else { "" } }
}
