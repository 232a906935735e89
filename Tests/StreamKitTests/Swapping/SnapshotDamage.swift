import StreamCore
import StreamTesting

/// Changes a snapshot's JSON, with its structure in mind: what it makes can mostly be decoded.
struct SnapshotDamage {
  private var generator: SeededGenerator
  /// The changes, in readable form.
  private(set) var changes: [String] = []
  /// Snapshots of the same run at other moments: parts of them fit best.
  private let others: [Value]

  init(_ generator: SeededGenerator, others: [Value]) {
    self.generator = generator
    self.others = others
  }

  /// The snapshot with one change, or up to three.
  mutating func damaged(_ snapshot: Value) -> Value {
    var value = snapshot
    for _ in 0...(generator.happens(oneIn: 2) ? 0 : generator.below(3)) {
      let place = generator.pick(Self.places(in: value))
      guard let old = value[place] else { continue }
      let new = changed(old, at: place, in: value)
      changes.append("\(place): \(Self.short(old)) -> \(new.map(Self.short) ?? "gone")")
      value = Self.replacing(place.tokens[...], in: value, by: new)
    }
    return value
  }

  private static func short(_ value: Value) -> String { String(JSONWriter.compact(value).prefix(60)) }

  /// A replacement for a value; nil to remove it.
  private mutating func changed(_ value: Value, at place: JSONPointer, in whole: Value) -> Value? {
    switch generator.below(18) {
    case 0: return .null
    case 1: return nil
    case 2: return whole[generator.pick(Self.places(in: whole))] ?? .null
    // A value with the same name elsewhere: another reference, the state of another operator.
    case 3:
      let alike = Self.places(in: whole).filter { $0.tokens.last == place.tokens.last }
      return whole[generator.pick(alike)] ?? .null
    // The value at this place in another snapshot.
    case 4, 5, 6: return others.isEmpty ? .null : generator.pick(others)[place] ?? .null
    default: break
    }
    switch value {
    case .int(let number):
      return .int(
        generator.pick([
          0, 1, -1, 2, 7, number &+ 1, number &- 1, number &+ 1, number &- 1, 1 << 20, 3_999_999, 1 << 40, 1 << 62,
          .max,
          .max - 1, .min,
        ]))
    case .double: return generator.pick([0, .double(-1e308), 1, ["$double": "NaN"], ["$double": "Infinity"]])
    case .bool(let flag): return .bool(!flag)
    case .string:
      return .string(generator.pick(["", "share", "map", "flatMap", "finished", "9999-12-31T23:59:59Z", "-1", "0"]))
    case .list(let elements): return changed(elements.elements)
    case .map(let map): return changed(map)
    default: return generator.pick([0, 1, 7, .list([]), .map(ValueMap()), "text", .bool(true)])
    }
  }

  private mutating func changed(_ elements: [Value]) -> Value {
    var elements = elements
    guard !elements.isEmpty else { return [generator.pick([0, 1, 7, -1, .null, "text"])] }
    let place = generator.below(elements.count)
    switch generator.below(6) {
    case 0: elements.remove(at: place)
    case 1: elements.insert(elements[place], at: place)
    case 2: elements += elements
    case 3: elements.swapAt(place, generator.below(elements.count))
    case 4: elements.removeSubrange(place...)
    default: elements = []
    }
    return .list(elements)
  }

  private mutating func changed(_ map: ValueMap) -> Value {
    var pairs = map.pairs.map { ($0, $1) }
    guard !pairs.isEmpty else { return ["text": 1] }
    let (place, other) = (generator.below(pairs.count), generator.below(pairs.count))
    switch generator.below(3) {
    case 0: pairs.remove(at: place)
    case 1: (pairs[place].1, pairs[other].1) = (pairs[other].1, pairs[place].1)
    default: pairs[place].0 = generator.pick(["finished", "$uint", "$map", "value"])
    }
    return .map(ValueMap(pairs))
  }

  // MARK: Places

  /// Every place in a value but the whole.
  private static func places(in value: Value) -> [JSONPointer] {
    var places: [JSONPointer] = []
    add(value, [], &places)
    return places.isEmpty ? [JSONPointer()] : places
  }

  private static func add(_ value: Value, _ tokens: [String], _ places: inout [JSONPointer]) {
    if !tokens.isEmpty { places.append(JSONPointer(tokens)) }
    switch value {
    case .list(let elements):
      for (index, element) in elements.enumerated() { add(element, tokens + [String(index)], &places) }
    case .map(let map):
      for (key, member) in map.pairs { if case .string(let name) = key { add(member, tokens + [name], &places) } }
    default: break
    }
  }

  private static func replacing(_ tokens: ArraySlice<String>, in value: Value, by new: Value?) -> Value? {
    guard let first = tokens.first else { return new }
    switch value {
    case .list(var elements):
      guard let index = Int(first), elements.indices.contains(index) else { return value }
      if let element = replacing(tokens.dropFirst(), in: elements[index], by: new) {
        elements[index] = element
      } else {
        elements.remove(at: index)
      }
      return .list(elements)
    case .map(let map):
      return .map(
        ValueMap(
          map.pairs.compactMap { key, member in
            guard key == .string(first) else { return (key, member) }
            return replacing(tokens.dropFirst(), in: member, by: new).map { (key, $0) }
          }))
    default: return value
    }
  }

  private static func replacing(_ tokens: ArraySlice<String>, in value: Value, by new: Value?) -> Value {
    (replacing(tokens, in: value, by: new) as Value?) ?? .null
  }
}
