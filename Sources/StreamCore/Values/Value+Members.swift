extension Value {
  /// Returns the member with a name; nil if the value is not a map or has no such member.
  package func member(_ name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }

  /// The names of the members; empty if the value is not a map.
  package var memberNames: [String] { if case .map(let map) = self { map.keys.compactMap(\.text) } else { [] } }

  /// The string; nil if the value is not a string.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension ValueMap {
  /// Returns a map with a member set: replaced in place, or appended.
  package func setting(_ name: String, _ value: Value) -> ValueMap {
    guard let place = shape.index(of: name) else {
      return ValueMap(shape: Shape(keys + [.string(name)]), slots: slots + [value])
    }
    var map = self
    map.slots[place] = value
    return map
  }

  /// Returns a map without a member.
  package func removing(_ name: String) -> ValueMap {
    guard let place = shape.index(of: name) else { return self }
    var (keys, slots) = (keys, Array(slots))
    keys.remove(at: place)
    slots.remove(at: place)
    return ValueMap(shape: Shape(keys), slots: slots)
  }
}
