import StreamCore
internal import StreamKit

// Reads single fields and checks their types.

extension PlaygroundReader {
  mutating func fail(
    _ code: DiagnosticCode, _ message: String, at pointer: JSONPointer, part: Diagnostic.Part = .value,
    help: String? = nil
  ) {
    diagnostics.append(Diagnostic(code, message, at: pointer, part: part, help: help))
  }

  mutating func warn(_ message: String, at pointer: JSONPointer, part: Diagnostic.Part = .value) {
    diagnostics.append(Diagnostic(.assumption, message, at: pointer, part: part, severity: .warning))
  }

  mutating func note(_ message: String, at pointer: JSONPointer) {
    diagnostics.append(Diagnostic(.assumption, message, at: pointer, severity: .note))
  }

  mutating func warnOfUnknown(_ map: ValueMap, at pointer: JSONPointer, known: Set<String>) {
    for case .string(let key) in map.keys where !known.contains(key) {
      warn("'\(key)' is not a key of the playground; it was omitted", at: pointer.appending(key), part: .key)
    }
  }

  mutating func object(_ value: Value, at pointer: JSONPointer, _ what: String) -> ValueMap? {
    if case .map(let map) = value { return map }
    fail(.wrongType, "\(what) is \(value.describedType); expected an object", at: pointer)
    return nil
  }

  /// A text that may be missing.
  mutating func text(_ map: ValueMap, _ key: String, at pointer: JSONPointer) -> String? {
    switch map[key] {
    case nil, .null: return nil
    case .string(let text): return text
    case .some(let other):
      fail(.wrongType, "'\(key)' is \(other.describedType); expected a string", at: pointer.appending(key))
      return nil
    }
  }

  mutating func flag(_ map: ValueMap, _ key: String, at pointer: JSONPointer) -> Bool {
    switch map[key] {
    case nil, .null: return false
    case .bool(let flag): return flag
    case .some(let other):
      fail(.wrongType, "'\(key)' is \(other.describedType); expected true or false", at: pointer.appending(key))
      return false
    }
  }

  /// Returns the model's id if it is a UUID; another id is omitted with a warning.
  mutating func uuid(_ id: String?, at pointer: JSONPointer) -> String? {
    guard let id else { return nil }
    let groups = id.split(separator: "-", omittingEmptySubsequences: false)
    let isUUID = groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(Self.isHex) }
    guard isUUID else {
      warn("'\(id)' is not a UUID; it was omitted", at: pointer.appending("id"))
      return nil
    }
    return id
  }

  private static func isHex(_ byte: UInt8) -> Bool { Unicode.Scalar(byte).properties.isASCIIHexDigit }

  mutating func expression(_ map: ValueMap, at pointer: JSONPointer) -> String? {
    guard map["expression"] != nil, map["expression"] != .null else {
      fail(.missingField, "'expression' is missing", at: pointer)
      return nil
    }
    return text(map, "expression", at: pointer)
  }

  /// Returns a time; a negative time becomes 0, as in Combine.
  mutating func seconds(_ map: ValueMap, _ key: String, at pointer: JSONPointer) -> Value? {
    let place = pointer.appending(key)
    switch map[key] {
    case .int(..<0), .double(..<0):
      warn("a negative delay was changed to 0", at: place)
      return .int(0)
    case .int(let seconds): return .int(seconds)
    case .double(let seconds) where seconds.isFinite: return .double(seconds)
    case nil:
      fail(.missingField, "'\(key)' is missing", at: pointer)
      return nil
    case .some(let other):
      fail(.wrongType, "'\(key)' is \(other.describedType); expected a number of seconds", at: place)
      return nil
    }
  }

  mutating func count(_ map: ValueMap, _ key: String, at pointer: JSONPointer) -> Int64? {
    let place = pointer.appending(key)
    guard let value = map[key] else {
      fail(.missingField, "'\(key)' is missing", at: pointer)
      return nil
    }
    guard let count = whole(value) else {
      fail(.wrongType, "'\(key)' is \(value.describedType); expected an integer", at: place)
      return nil
    }
    guard count >= 0 else {
      fail(.outOfRange, "'\(key)' is \(count); expected 0 or more", at: place)
      return nil
    }
    return count
  }

  /// Returns the initial value of scan: a number, or a string that contains an integer.
  mutating func initialValue(_ map: ValueMap, at pointer: JSONPointer) -> Value? {
    let place = pointer.appending("initialValue")
    switch map["initialValue"] {
    case nil, .null: return nil
    case .string(let text):
      guard let number = Int64(text) else {
        fail(.wrongType, "'initialValue' is the string '\(text)'; expected a number", at: place)
        return nil
      }
      note("'initialValue' is a string; its number is used", at: place)
      return .int(number)
    case .some(let value):
      if let number = whole(value) { return .int(number) }
      if case .double(let number) = value, number.isFinite { return value }
      fail(.wrongType, "'initialValue' is \(value.describedType); expected a number", at: place)
      return nil
    }
  }

  private func whole(_ value: Value) -> Int64? {
    switch value {
    case .int(let number): number
    case .uint(let number): Int64(exactly: number)
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
