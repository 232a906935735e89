extension CELType {
  /// Parses a type such as `list(string)` or `map(string, double)`; nil if the string is not a type.
  public init?(parsing text: String) { self.init(parsing: text, named: [:]) }

  /// Parses a type that may contain declared types, by their names.
  package init?(parsing text: String, named types: [String: CELType]) {
    var parser = TypeParser(text: Array(text.utf8), named: types)
    guard let type = parser.type(depth: 0), parser.isAtEnd else { return nil }
    self = type
  }

  /// The names of types without parameters, sorted.
  package static let plainNames: [String] = TypeParser.plain.keys.sorted()
}

private struct TypeParser {
  let text: [UInt8]
  /// The declared types.
  let named: [String: CELType]
  var position = 0

  private static let maximumDepth = 32
  static let plain: [String: CELType] = [
    "dyn": .dyn, "any": .dyn, "google.protobuf.Any": .dyn, "null": .null, "null_type": .null, "bool": .bool,
    "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes, "timestamp": .timestamp,
    "duration": .duration, "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
    "type": .type(.dyn), "list": .list(.dyn), "map": .map(.dyn, .dyn), "net.IP": NetworkAddress.type,
    "net.CIDR": NetworkRange.type,
  ]

  init(text: [UInt8], named: [String: CELType]) {
    self.text = text
    self.named = named
    skipBlanks()
  }

  var isAtEnd: Bool { position == text.count }

  mutating func skipBlanks() {
    while position < text.count, text[position] == 0x20 { position += 1 }
  }

  mutating func take(_ character: Character) -> Bool {
    guard position < text.count, text[position] == character.asciiValue else { return false }
    position += 1
    skipBlanks()
    return true
  }

  mutating func name() -> String {
    let start = position
    while position < text.count, text[position].isNamePart || text[position] == UInt8(ascii: ".") { position += 1 }
    let result = String(decoding: text[start..<position], as: UTF8.self)
    skipBlanks()
    return result
  }

  mutating func type(depth: Int) -> CELType? {
    guard let type = plainType(depth: depth) else { return nil }
    return take("?") ? type.orNull : type
  }

  private mutating func plainType(depth: Int) -> CELType? {
    guard depth < Self.maximumDepth else { return nil }
    if take("{") { return record(depth: depth) }
    let name = name()
    guard take("(") else { return Self.plain[name] ?? named[name] }
    var arguments: [CELType] = []
    repeat {
      guard let argument = type(depth: depth + 1) else { return nil }
      arguments.append(argument)
    } while take(",")
    guard take(")") else { return nil }
    switch (name, arguments.count) {
    case ("list", 1): return .list(arguments[0])
    case ("map", 2): return .map(arguments[0], arguments[1])
    case ("optional", 1), ("optional_type", 1): return .optional(arguments[0])
    case ("type", 1): return .type(arguments[0])
    default: return nil
    }
  }

  private mutating func record(depth: Int) -> CELType? {
    var fields: [RecordField] = []
    while !take("}") {
      let name = name()
      guard !name.isEmpty else { return nil }
      let isOptional = take("?")
      guard take(":"), let type = type(depth: depth + 1) else { return nil }
      fields.append(RecordField(name, type, isOptional: isOptional))
      if !take(",") {
        guard take("}") else { return nil }
        break
      }
    }
    return .record(fields)
  }
}
