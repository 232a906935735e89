package import CEL
internal import StreamCore

extension CELType {
  /// The type that a declaration writes: the name of a CEL type or of a declared type, an object of fields, a list of the
  /// type of its elements, or the values of an enumeration.
  init(_ declaration: TypeDeclaration, in types: TypeTable = .unknown) throws(Diagnostic) {
    // It has been checked once.
    if case .string(let name) = declaration.json, let type = types[name] {
      self = type
      return
    }
    self = try TypeReader(types: types).type(declaration.json, levels: TypeReader.levelLimit)
    guard fits(parts: TypeReader.partLimit, levels: .max) else {
      throw Diagnostic(
        .outOfRange, "the type has more than \(TypeReader.partLimit) parts with those of the types that it names",
        help: "declare one of the inner parts as \"dyn\"")
    }
  }

  /// The type that a field declares; `dyn` without one.
  package static func declared(
    _ type: TypeDeclaration?, field: String, in types: TypeTable = .unknown
  ) throws(Diagnostic) -> CELType {
    guard let type else { return .dyn }
    do throws(Diagnostic) {
      return try CELType(type, in: types)
    } catch {
      throw error.prefixed(by: JSONPointer([field]))
    }
  }
}

/// Reads the JSON of a declared type.
struct TypeReader {
  let types: TypeTable

  /// Maximum nesting of arrays and objects in a declared type, as in the name of a type.
  static let levelLimit = 32
  /// Maximum number of parts of a type, with those of the types that it names. Named types multiply.
  static let partLimit = 10_000
  /// Maximum number of values of an enumeration.
  private static let choiceLimit = 1_000

  func type(_ declaration: Value, levels: Int) throws(Diagnostic) -> CELType {
    guard levels >= 0 else {
      throw Diagnostic(
        .tooDeep, "a type is nested more than \(Self.levelLimit) levels deep", help: "declare the inner part as \"dyn\""
      )
    }
    switch declaration {
    case .string(let text): return try named(text)
    case .map(let map):
      if map.count == 1, case .list(let values)? = map["enum"] { return try choice(values.elements) }
      return try record(map, levels: levels)
    case .list(let elements):
      guard let element = elements.first, elements.count == 1 else {
        throw Diagnostic(
          .wrongType,
          "a type is an array of \(elements.count) elements; expected an array of one element, the type of the elements",
          help: Self.unionHelp(elements.elements) ?? "write [\"string\"], or [{\"id\": \"int\"}]")
      }
      return .list(try part(element, "0", levels: levels))
    default:
      throw Diagnostic(
        .wrongType,
        "a type is \(declaration.describedType); expected the name of a type, an object of fields or an array of one type"
      )
    }
  }

  private func part(_ declaration: Value, _ token: String, levels: Int) throws(Diagnostic) -> CELType {
    do throws(Diagnostic) {
      return try type(declaration, levels: levels - 1)
    } catch {
      throw error.prefixed(by: JSONPointer([token]))
    }
  }

  private func record(_ map: ValueMap, levels: Int) throws(Diagnostic) -> CELType {
    var fields: [RecordField] = []
    var names: Set<String> = []
    for case (.string(let name), let value) in map.pairs {
      let isMarked = name.hasSuffix("?") && name.utf8.count > 1
      let plain = isMarked ? String(name.dropLast()) : name
      let inner = value.text.flatMap(Self.optionalContent)
      let type: CELType
      if let inner {
        type = try part(.string(inner), name, levels: levels)
      } else {
        type = try part(value, name, levels: levels)
      }
      guard names.insert(plain).inserted else {
        throw Diagnostic(
          .duplicateName, "the field \"\(plain)\" of a type is declared twice", at: JSONPointer([name]), part: .key,
          help: "keep \"\(plain)\" or \"\(plain)?\"")
      }
      fields.append(RecordField(plain, type, isOptional: isMarked || inner != nil))
    }
    return .record(fields)
  }

  /// Returns the type between the parentheses of `optional(…)`; nil for other types.
  private static func optionalContent(_ text: String) -> String? {
    let plain = text.filter { $0 != " " }
    for name in ["optional(", "optional_type("] where plain.hasPrefix(name) && plain.hasSuffix(")") {
      let inner = String(plain.dropFirst(name.count).dropLast())
      return inner.hasPrefix("optional") ? nil : inner
    }
    return nil
  }

  private func choice(_ values: [Value]) throws(Diagnostic) -> CELType {
    let place = JSONPointer(["enum"])
    var choices: [Value] = []
    var hasNull = false
    guard (1...Self.choiceLimit).contains(values.count) else {
      throw Diagnostic(
        .outOfRange, "'enum' has \(values.count) values; expected 1 to \(Self.choiceLimit)", at: place,
        help: "write {\"enum\": [\"open\", \"closed\"]}")
    }
    for (index, value) in values.enumerated() {
      let place = place.appending(index)
      switch value {
      case .null: hasNull = true
      case .string, .int:
        guard choices.first.map({ CELType.of($0) == CELType.of(value) }) ?? true else {
          throw Diagnostic(
            .wrongType, "'enum' has a string and an integer; its values are all strings or all integers", at: place)
        }
        guard !choices.contains(value) else {
          throw Diagnostic(
            .duplicateName, "'enum' has the value \(JSONWriter.compact(value)) twice", at: place, help: "remove one")
        }
        choices.append(value)
      default:
        throw Diagnostic(
          .wrongType, "a value of 'enum' is \(value.describedType); expected a string or an integer", at: place)
      }
    }
    if choices.isEmpty { return .null }
    return hasNull ? .nullable(.choice(choices)) : .choice(choices)
  }

  // MARK: Names

  private func named(_ text: String) throws(Diagnostic) -> CELType {
    if let type = CELType(parsing: text, named: types.types(in: text)) {
      guard !type.mentionsOptional else {
        throw Diagnostic(
          .invalidType,
          "\"\(text)\" is the type of a field that may be missing, and stands only as the type of a field",
          help: "write {\"x?\": \"int\"} for a field that may be missing, or \"int?\" for a value that may be null")
      }
      return type
    }
    let names =
      [
        "dyn", "null", "bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration", "list(T)",
        "map(K, V)",
      ] + types.namesInMessages
    throw Diagnostic(
      .invalidType, "\"\(text)\" is not a type", notes: ["types are: \(names.listed)"],
      help: Self.advice(for: text) ?? nearestName(to: text, among: names).map { "did you mean \"\($0)\"?" })
  }

  /// Returns help for an array of several types or values, as other languages write a union.
  private static func unionHelp(_ elements: [Value]) -> String? {
    let others = elements.filter { $0 != .null && $0.text != "null" }
    if others.count < elements.count, others.count == 1, let name = others[0].text {
      return "write \"\(name)?\" for a value that may be null"
    }
    return others.count == elements.count
      && elements.allSatisfy { $0.text.map { CELType(parsing: $0) == nil } ?? false }
      ? "write {\"enum\": \(JSONWriter.compact(.list(elements)))} for one of these values" : nil
  }

  private static let union = "write \"int?\" for a value that may be null, or \"dyn\" for values of several types"

  /// Returns help for the name of a type in another language; nil for unknown names.
  private static func advice(for name: String) -> String? {
    let word = name.lowercased().filter { $0 != " " }
    if word.hasSuffix("?"), let known = words[String(word.dropLast())] { return "did you mean \"\(known)?\"?" }
    if word.contains("null") || word.contains("optional") || word.contains("|") { return union }
    if word.hasSuffix("[]") { return "did you mean \"list(\(word.dropLast(2)))\"?" }
    if word.contains("<") {
      return "did you mean \"\(word.map { $0 == "<" ? "(" : $0 == ">" ? ")" : $0 }.map(String.init).joined())\"?"
    }
    return words[word].map { "did you mean \"\($0)\"?" }
  }

  private static let words: [String: String] = {
    let groups = [
      ("int", "integer long int64 int32 bigint short i64 i32 serial"),
      ("uint", "unsigned uint64 uint32 ulong u64 u32"), ("double", "number float float64 float32 real decimal numeric"),
      ("string", "str text varchar char uuid url"), ("bool", "boolean bit logical"),
      ("timestamp", "date datetime time instant timestamptz date-time"), ("duration", "interval timedelta period"),
      ("list(dyn)", "array list tuple set seq vector"),
      ("map(string, dyn)", "object map dict dictionary record struct hash row"), ("bytes", "blob binary data bytea"),
      ("dyn", "any json value variant unknown mixed anything jsonb"), ("null", "none nil void undefined"),
    ]
    return Dictionary(
      uniqueKeysWithValues: groups.flatMap { type, names in
        names.split(separator: " ").map { (String($0), type) }
      })
  }()
}
