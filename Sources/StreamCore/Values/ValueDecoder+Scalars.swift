extension PartDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let result) = value else { throw mismatch("a Boolean") }
    return result
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let result) = value else { throw mismatch("a string") }
    return result
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .double(let number): return number
    case .int(let number):
      guard let result = Double(exactly: number) else { throw inexact(String(number)) }
      return result
    case .uint(let number):
      guard let result = Double(exactly: number) else { throw inexact(String(number)) }
      return result
    default: throw mismatch("a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    let result: T?
    switch value {
    case .int(let number): result = T(exactly: number)
    case .uint(let number): result = T(exactly: number)
    default: throw mismatch("an integer")
    }
    guard let result else {
      throw Diagnostic(.outOfRange, "\(JSONWriter.compact(value)) is outside \(T.min)…\(T.max)", at: pointer)
    }
    return result
  }

  // MARK: Errors

  /// Returns the error for a value of an unexpected type.
  func mismatch(_ expected: String) -> Diagnostic {
    Diagnostic(.wrongType, "expected \(expected), found \(value.withArticle)", at: pointer)
  }

  private func inexact(_ number: String) -> Diagnostic {
    Diagnostic(
      .outOfRange, "\(number) cannot be represented exactly as a double", at: pointer, help: "write it with a fraction")
  }

  /// Returns the diagnostic for an error of the type's own coding, with a pointer relative to this value.
  func diagnostic<T>(_ error: DecodingError, _ type: T.Type) -> Diagnostic {
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(let key, let found):
      return Diagnostic(
        .missingField, "the field '\(key.stringValue)' is missing",
        at: JSONPointer(found.codingPath.dropFirst(origin)).appending(key.stringValue))
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
    @unknown default: return Diagnostic(.wrongType, "the value does not have the expected form")
    }
    let pointer = JSONPointer(context.codingPath.dropFirst(origin))
    if let result = unknownName(type) { return result }
    return Diagnostic(.wrongType, context.debugDescription, at: pointer)
  }

  /// Returns the diagnostic for a name that is not one of an enumeration's; nil for other errors.
  private func unknownName<T>(_ type: T.Type) -> Diagnostic? {
    guard case .string(let name) = value, let names = (type as? any CaseIterable.Type)?.rawNames else { return nil }
    let meant = nearestName(to: name, among: names)
    return Diagnostic(
      .outOfRange, "'\(name)' is not one of \(names.listed)",
      help: meant.map { "did you mean '\($0)'?" })
  }
}

extension CaseIterable {
  /// The raw values of an enumeration if they are strings; nil for other types.
  fileprivate static var rawNames: [String]? {
    let names = allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    return names.isEmpty ? nil : names
  }
}

extension Value {
  /// The value's type in JSON's terms, with an article: `a string`, `an object`.
  public var withArticle: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .int, .uint: "an integer"
    case .double: "a number"
    case .list: "an array"
    case .map: "an object"
    case .bytes: "bytes"
    case .opaque(let value): "a \(value.typeName)"
    default: "a \(typeName)"
    }
  }
}
