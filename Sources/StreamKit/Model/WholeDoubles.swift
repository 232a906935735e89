internal import StreamCore

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
  static func restored(_ part: Value) -> Value {
    guard case .list(let elements) = part else { return unmarked(part) }
    return .list(elements.map(unmarked))
  }

  private static func markedObject(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    var places: [Value] = []
    DeepStack.run(levelsOf: value) { collect(value, JSONPointer(), &places) }
    return places.isEmpty ? value : .map(ValueMap(map.pairs.map { ($0.0, $0.1) } + [(.string(key), .list(places))]))
  }

  /// Returns an object with the doubles whose places it lists itself.
  static func unmarked(_ value: Value) -> Value {
    guard case .map(let map) = value, case .list(let places)? = map[key] else { return value }
    var result = Value.map(ValueMap(map.pairs.filter { $0.0 != .string(key) }.map { ($0.0, $0.1) }))
    DeepStack.run(levelsOf: value) {
      for case .string(let text) in places {
        if let pointer = try? JSONPointer(parsing: text) { result = double(in: result, at: pointer.tokens[...]) }
      }
    }
    return result
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

  private static func double(in value: Value, at tokens: ArraySlice<String>) -> Value {
    guard let token = tokens.first else {
      switch value {
      case .int(let number): return .double(Double(number))
      case .uint(let number): return .double(Double(number))
      default: return value
      }
    }
    switch value {
    case .list(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return value }
      elements[index] = double(in: elements[index], at: tokens.dropFirst())
      return .list(elements)
    case .map(var map):
      guard let index = map.shape.index(of: token) else { return value }
      map.slots[index] = double(in: map.slots[index], at: tokens.dropFirst())
      return .map(map)
    default: return value
    }
  }
}
