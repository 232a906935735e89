internal import CEL
public import StreamCore

/// The type of the values of an input or a file, as written in a stream file: the name of a CEL type or of one of the
/// file's `types`, an object of fields, an array with the type of its elements, or the values of an enumeration.
///
/// A question mark after a type allows null (`"double?"`); after a field's name it makes the field optional
/// (`{"x?": "int"}`). `{"enum": ["open", "closed"]}` allows only these values.
///
/// ```swift
/// let name = InputDeclaration(type: .string, initialValue: "")
/// let point = InputDeclaration(type: ["x": .double, "y": .double])
/// let counts = InputDeclaration(type: "map(string, int)")
/// ```
///
/// Any name is accepted here; compiling the model reports an unknown one (`invalidType`).
public struct TypeDeclaration: StreamFilePart {
  public let json: StreamCore.Value

  public init(json: StreamCore.Value) { self.json = json }

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
