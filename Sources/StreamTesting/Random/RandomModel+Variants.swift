@_spi(Engine) internal import StreamCore
package import StreamKit

extension RandomModel {
  /// Returns a valid file that differs from this one by a few edits, like two versions of a file.
  package mutating func variant(of model: StreamModel) -> StreamModel {
    var current = model
    for _ in 0..<(1 + generator.below(4)) {
      for _ in 0..<8 {
        guard let next = Self.valid(edited(current.json)) else { continue }
        current = next
        break
      }
    }
    return current
  }

  /// The file after one edit, valid or not.
  private mutating func edited(_ json: Value) -> Value {
    guard case .map(let map) = json else { return json }
    switch generator.below(8) {
    case 0: return .map(map.setting("name", to: .string(text())))
    case 1: return .map(map.setting("description", to: generator.happens(oneIn: 2) ? .string(text()) : nil))
    case 2: return .map(map.setting(source(among: [])))
    case 3: return .map(map.setting("tests", to: .list([test()])))
    case 4 where map["stream"] != nil:
      return .map(map.setting("stream", to: .list(editedList(map["stream"]) { $0.item() })))
    default: return .map(map.setting("operators", to: .list(editedList(map["operators"]) { $0.placedOperator() })))
    }
  }

  /// Returns the array with one element added, removed, moved or replaced.
  private mutating func editedList(_ list: Value?, _ make: (inout RandomModel) -> Value) -> [Value] {
    guard case .list(var elements)? = list, !elements.isEmpty else { return [make(&self)] }
    // An id that the list has already is not given again.
    nameCount += 1_000
    let place = generator.below(elements.count)
    switch generator.below(4) {
    case 0: elements.insert(make(&self), at: place)
    case 1: elements.remove(at: place)
    case 2: elements.insert(elements.remove(at: place), at: generator.below(elements.count))
    default: elements[place] = make(&self)
    }
    return elements.elements
  }
}

extension ValueMap {
  /// The map with one member set, at its place or at the end, or without it.
  fileprivate func setting(_ key: String, to value: Value?) -> ValueMap {
    var pairs = pairs.map { ($0, $1) }
    if let place = shape.index(of: key) {
      if let value { pairs[place].1 = value } else { pairs.remove(at: place) }
    } else if let value {
      pairs.append((.string(key), value))
    }
    return ValueMap(pairs)
  }

  /// Returns the map with another source.
  fileprivate func setting(_ source: (Value, Value)) -> ValueMap {
    ValueMap(pairs.map { ($0, $1) }.filter { $0.0 != "stream" && $0.0 != "source" } + [source])
  }
}
