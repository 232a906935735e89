@_spi(Engine) internal import StreamCore

/// The doubles without a fraction in JSON that passes through coders which write `1.0` as `1`.
///
/// An object that is encoded lists their places in the member `x-doubles`, as JSON pointers relative to the object.
/// Reading turns the numbers there into doubles again and removes the member, so that a model computes the same after
/// it was saved and loaded.
enum WholeDoubles {
  static let key = "x-doubles"

  /// Returns a part of a file with the places of its doubles: an object, or each object of an array.
  static func marked(_ part: Value) -> Value {
    guard case .list(let elements) = part else { return markedObject(part) }
    return .list(elements.map(markedObject))
  }

  /// Returns a part of a file with the doubles whose places it lists: an object, or each object of an array.
  static func restored(_ part: Value) throws(Diagnostics) -> Value {
    guard case .list(let elements) = part else { return try complete(unmarked(part)) }
    var result: [Value] = []
    for (index, element) in elements.enumerated() {
      do throws(Diagnostics) {
        result.append(try complete(unmarked(element)))
      } catch {
        throw error.prefixed(by: JSONPointer([String(index)]))
      }
    }
    return .list(result)
  }

  private static func complete(_ read: (value: Value, problems: Diagnostics)) throws(Diagnostics) -> Value {
    try read.problems.throwErrors()
    return read.value
  }

  private static func markedObject(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    var places: [Value] = []
    DeepStack.run(levelsOf: value) { collect(value, JSONPointer(), &places) }
    return places.isEmpty ? value : .map(ValueMap(map.pairs.map { ($0.0, $0.1) } + [(.string(key), .list(places))]))
  }

  /// Returns an object with the doubles whose places it lists itself, and what is wrong with the list.
  static func unmarked(_ value: Value) -> (Value, Diagnostics) {
    guard case .map(let map) = value, let list = map[key] else { return (value, Diagnostics()) }
    guard case .list(let places) = list else {
      return (value, Diagnostics([problem("expected an array of JSON pointers; found \(list.describedType)", [key])]))
    }
    var result = Value.map(ValueMap(map.pairs.filter { $0.0 != .string(key) }.map { ($0.0, $0.1) }))
    var problems = Diagnostics()
    DeepStack.run(levelsOf: value) {
      for (index, place) in places.enumerated() {
        if case .string(let text) = place, let pointer = try? JSONPointer(parsing: text),
          let changed = double(in: result, at: pointer.tokens[...])
        {
          result = changed
        } else {
          problems.append(problem("there is no number at \(JSONWriter.compact(place))", [key, String(index)]))
        }
      }
    }
    return (result, problems)
  }

  private static func problem(_ message: String, _ tokens: [String]) -> Diagnostic {
    Diagnostic(
      .wrongType, message, at: JSONPointer(tokens),
      help: "'\(key)' lists the numbers of this object that are doubles without a fraction; remove it if it is yours")
  }

  private static func collect(_ value: Value, _ pointer: JSONPointer, _ places: inout [Value]) {
    switch value {
    case .double(let number) where Int64(exactly: number) != nil || UInt64(exactly: number) != nil:
      places.append(.string(pointer.description))
    case .list(let elements):
      for (index, element) in elements.enumerated() { collect(element, pointer.appending(index), &places) }
    case .map(let map):
      for case (.string(let name), let member) in map.pairs { collect(member, pointer.appending(name), &places) }
    default: break
    }
  }

  /// Returns the value with a double at a place; nil if there is no number.
  private static func double(in value: Value, at tokens: ArraySlice<String>) -> Value? {
    guard let token = tokens.first else {
      switch value {
      case .int(let number): return .double(Double(number))
      case .uint(let number): return .double(Double(number))
      case .double: return value
      default: return nil
      }
    }
    switch value {
    case .list(var elements):
      guard let index = Int(token), elements.indices.contains(index),
        let element = double(in: elements[index], at: tokens.dropFirst())
      else { return nil }
      elements[index] = element
      return .list(elements)
    case .map(var map):
      guard let index = map.shape.index(of: token), let slot = double(in: map.slots[index], at: tokens.dropFirst())
      else { return nil }
      map.slots[index] = slot
      return .map(map)
    default: return nil
    }
  }
}
