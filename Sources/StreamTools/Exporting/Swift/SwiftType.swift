internal import CEL

/// A type of exported Swift, as far as it is known.
indirect enum SwiftType: Hashable, Sendable {
  case bool, int, double, string
  case list(SwiftType)
  case record(SwiftRecord)
  /// Any value: the enum `JSON`, which the export includes.
  case json
  /// The type of streams that publish nothing.
  case never

  /// The Swift spelling of the type.
  var text: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .double: "Double"
    case .string: "String"
    case .list(let element): "[\(element.text)]"
    case .record(let record): record.name
    case .json: "JSON"
    case .never: "Never"
    }
  }

  var isNumber: Bool { self == .int || self == .double }
  var isList: Bool { if case .list = self { true } else { false } }
}

/// A struct of exported Swift.
struct SwiftRecord: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    let name: String
    let type: SwiftType
  }

  let name: String
  let fields: [Field]

  func type(of field: String) -> SwiftType? { fields.first { $0.name == field }?.type }
}

/// The structs of an export: one for every set of fields, with a name that nothing else has.
struct SwiftRecords {
  private(set) var all: [SwiftRecord] = []

  /// The struct of these fields, named by the hint if it is new.
  mutating func record(_ fields: [SwiftRecord.Field], hint: String) -> SwiftRecord {
    let sorted = fields.sorted { $0.name < $1.name }
    if let known = all.first(where: { $0.fields.sorted { $0.name < $1.name } == sorted }) { return known }
    let base = SwiftName.type(hint)
    var name = base
    var number = 2
    while all.contains(where: { $0.name == name }) || SwiftName.takenTypes.contains(name) {
      name = base + String(number)
      number += 1
    }
    let record = SwiftRecord(name: name, fields: fields)
    all.append(record)
    return record
  }

  /// Returns the Swift type for a declared type; `JSON` if it has no Swift form.
  mutating func type(of type: CELType, hint: String) -> SwiftType {
    switch type {
    case .bool: return .bool
    case .int: return .int
    case .double: return .double
    case .string: return .string
    case .list(let element):
      let singular = hint.hasSuffix("s") && hint.count > 1 ? String(hint.dropLast()) : hint + "Element"
      return .list(self.type(of: element, hint: singular))
    case .record(let fields) where fields.allSatisfy({ SwiftName.isPlain($0.name) }) && !fields.isEmpty:
      var members: [SwiftRecord.Field] = []
      for field in fields {
        members.append(SwiftRecord.Field(name: field.name, type: self.type(of: field.type, hint: field.name)))
      }
      return .record(record(members, hint: hint))
    default: return .json
    }
  }
}

/// Names as Swift writes them.
enum SwiftName {
  /// Names of types in the exported code, or that would hide types it uses.
  static let takenTypes: Set<String> = [
    "JSON", "StreamError", "Clock", "Scheduler", "Publisher", "Publishers", "Result", "Array", "String", "Int",
    "Double",
    "Bool", "Never", "Error", "Just", "Fail", "Empty", "Deferred", "Any", "Type", "Self", "Character", "Set",
    "Optional",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows",
    "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while", "Any", "Self", "Type", "Protocol",
  ]

  /// Whether a name is one of Swift without a change.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCII, !keywords.contains(name) else { return false }
    return (first == "_" || first.properties.isAlphabetic)
      && name.unicodeScalars.allSatisfy { $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || $0.isDigit)) }
  }

  /// A variable's or a property's name: `session.data` is `sessionData`.
  static func variable(_ name: String) -> String {
    let words = words(of: name)
    guard let first = words.first else { return "value" }
    let joined =
      ([first.prefix(1).lowercased() + first.dropFirst()] + words.dropFirst().map(capitalised)).joined()
    let named = joined.first?.isNumber == true ? "_" + joined : joined
    return keywords.contains(named) ? "`\(named)`" : named
  }

  /// A type's name: `Scan Stream` is `ScanStream`.
  static func type(_ name: String) -> String {
    let joined = words(of: name).map(capitalised).joined()
    guard let first = joined.first else { return "Stream" }
    return first.isNumber ? "Stream" + joined : joined
  }

  private static func words(of name: String) -> [String] {
    let bare = name.filter { $0 != "'" && $0 != "’" }
    return bare.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
  }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
