internal import CEL
public import StreamCore

/// The type of the values of an input or a file, as written in a stream file: the name of a CEL type, an object of
/// fields, or an array with the type of its elements.
///
/// ```swift
/// let name = InputDeclaration(type: .string, initialValue: "")
/// let point = InputDeclaration(type: ["x": .double, "y": .double])
/// let counts = InputDeclaration(type: "map(string, int)")
/// ```
///
/// Any name is accepted here; compiling the model reports an unknown one (`invalidType`).
public struct TypeDeclaration: StreamFilePart {
  public let json: Value

  public init(json: Value) { self.json = json }

  /// Any value. The default.
  public static let dyn: TypeDeclaration = "dyn"
  public static let bool: TypeDeclaration = "bool"
  /// A signed 64-bit integer.
  public static let int: TypeDeclaration = "int"
  /// An unsigned 64-bit integer.
  public static let uint: TypeDeclaration = "uint"
  public static let double: TypeDeclaration = "double"
  public static let string: TypeDeclaration = "string"
  public static let bytes: TypeDeclaration = "bytes"
  public static let timestamp: TypeDeclaration = "timestamp"
  public static let duration: TypeDeclaration = "duration"

  /// A list whose elements have one type.
  public static func list(of element: TypeDeclaration) -> TypeDeclaration {
    TypeDeclaration(json: .list([element.json]))
  }
}

extension TypeDeclaration: ExpressibleByStringLiteral {
  /// The name of a CEL type.
  public init(stringLiteral name: String) { json = .string(name) }
}

extension TypeDeclaration: ExpressibleByDictionaryLiteral {
  /// A map with these fields.
  public init(dictionaryLiteral fields: (String, TypeDeclaration)...) {
    json = .map(ValueMap(fields.map { (.string($0), $1.json) }))
  }
}

extension CELType {
  /// The type that a declaration writes: a CEL type name, an object of fields, or a list of the type of its elements.
  init(_ declaration: TypeDeclaration) throws(Diagnostic) { try self.init(declaration.json, levels: Self.levelLimit) }

  /// Maximum nesting of arrays and objects in a declared type, as in the name of a type.
  private static let levelLimit = 32

  private static let nullable = "no type allows null beside other values; write \"dyn\", and compare with null"

  /// Returns help for the name of a type in another language; nil for unknown names.
  private static func advice(for name: String) -> String? {
    let word = name.lowercased().filter { $0 != " " }
    if word.hasSuffix("?") || word.contains("null") || word.contains("optional") || word.contains("|") {
      return nullable
    }
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

  private init(_ declaration: Value, levels: Int) throws(Diagnostic) {
    guard levels >= 0 else {
      throw Diagnostic(
        .tooDeep, "a type is nested more than \(Self.levelLimit) levels deep", help: "declare the inner part as \"dyn\""
      )
    }
    switch declaration {
    case .string(let text):
      guard let type = CELType(parsing: text), !type.mentionsOptional else {
        let names = [
          "dyn", "null", "bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration", "list(T)",
          "map(K, V)",
        ]
        throw Diagnostic(
          .invalidType, "\"\(text)\" is not a type", notes: ["types are: \(names.joined(separator: ", "))"],
          help: Self.advice(for: text) ?? nearestName(to: text, among: names).map { "did you mean \"\($0)\"?" })
      }
      self = type
    case .map(let map):
      var fields: [RecordField] = []
      for case (.string(let name), let value) in map.pairs {
        guard !name.hasSuffix("?") else {
          throw Diagnostic(
            .invalidType, "the field \"\(name)\" of a type is marked as optional; every declared field is required",
            at: JSONPointer([name]), part: .key,
            help: "leave the field out of the type, and read it with value.?\(name.dropLast())")
        }
        do throws(Diagnostic) {
          fields.append(RecordField(name, try CELType(value, levels: levels - 1)))
        } catch {
          throw error.prefixed(by: JSONPointer([name]))
        }
      }
      self = .record(fields)
    case .list(let elements):
      guard let element = elements.first, elements.count == 1 else {
        throw Diagnostic(
          .wrongType,
          "a type is an array of \(elements.count) elements; expected an array of one element, the type of the elements",
          help: elements.contains { $0 == .null || $0.text == "null" }
            ? Self.nullable : "write [\"string\"], or [{\"id\": \"int\"}]")
      }
      do throws(Diagnostic) {
        self = .list(try CELType(element, levels: levels - 1))
      } catch {
        throw error.prefixed(by: JSONPointer(["0"]))
      }
    default:
      throw Diagnostic(
        .wrongType,
        "a type is \(declaration.describedType); expected the name of a type, an object of fields or an array of one type"
      )
    }
  }
}

extension CELType {
  /// Whether it is, or contains, a type of optional values, which JSON does not have.
  fileprivate var mentionsOptional: Bool {
    switch self {
    case .optional: true
    case .list(let element): element.mentionsOptional
    case .map(let key, let value): key.mentionsOptional || value.mentionsOptional
    default: false
    }
  }
}
