import StreamCore
import StreamEditing
import StreamKit
import StreamTesting

/// Edits put together at random, and what they mean for the file's value, written down another way.
struct EditOracle {
  var random: RandomModel

  /// An exact edit of a place of the value, which need not leave the file right.
  mutating func edit(of value: Value) -> StreamEdit {
    let places = Self.places(in: value, at: JSONPointer()).filter { !$0.tokens.isEmpty }
    let lists = places.filter { if case .list? = value[$0] { true } else { false } }
    let place = random.generator.pick(places)
    let fragment = JSONFragment(random.generator.happens(oneIn: 3) ? ["x-new": random.value()] : random.value())
    switch random.generator.below(10) {
    case 0: return .set(place, fragment)
    case 1: return .remove(place)
    case 2: return .set(JSONPointer(["x-\(random.generator.below(20))"]), fragment)
    case 3:
      let outer = random.generator.pick(
        places.filter { if case .map? = value[$0] { true } else { false } } + [JSONPointer()])
      return .set(outer.appending("x-\(random.generator.below(5))"), fragment)
    case 4 where !lists.isEmpty:
      let list = random.generator.pick(lists)
      return .insert(list.appending(random.generator.below(Self.count(value[list]) + 1)), fragment)
    case 5 where !lists.isEmpty:
      let list = random.generator.pick(lists)
      let count = Self.count(value[list])
      guard count > 0 else { return .remove(list) }
      return .move(
        from: list.appending(random.generator.below(count)), to: list.appending(random.generator.below(count)))
    case 6: return .move(from: place, to: JSONPointer(["x-\(random.generator.below(20))"]))
    case 7: return .rename(random.text())
    case 8: return .addOperator(JSONFragment(["drop": ["count": .int(Int64(random.generator.below(3)))]]))
    default: return .set(JSONPointer(["operators", "-"]), JSONFragment(["prefix": ["count": 3]]))
    }
  }

  private static func count(_ list: Value?) -> Int { if case .list(let items)? = list { items.count } else { 0 } }

  private static func places(in value: Value, at pointer: JSONPointer) -> [JSONPointer] {
    var places = [pointer]
    switch value {
    case .list(let items):
      for (index, item) in items.enumerated() { places += Self.places(in: item, at: pointer.appending(index)) }
    case .map(let map):
      for case (.string(let name), let member) in map.pairs {
        places += Self.places(in: member, at: pointer.appending(name))
      }
    default: break
    }
    return places
  }

  /// The value after the edit; nil if the edit is invalid. Objects compare without regard to order.
  static func value(after edit: StreamEdit, of value: Value) -> Value? {
    switch edit {
    case .set(let pointer, let fragment):
      changed(value, pointer.tokens[...]) { _ in .some(fragment.value) }
    case .insert(let pointer, let fragment): inserted(fragment.value, at: pointer.tokens[...], of: value)
    case .remove(let pointer): changed(value, pointer.tokens[...]) { $0 == nil ? .none : .some(nil) }
    case .move(let source, let target):
      value[source].flatMap { moved in
        source == target
          ? value
          : self.value(after: .remove(source), of: value).flatMap { inserted(moved, at: target.tokens[...], of: $0) }
      }
    case .rename(let name): self.value(after: .set(JSONPointer(["name"]), JSONFragment(.string(name))), of: value)
    case .addOperator(let fragment, nil):
      value[JSONPointer(["operators"])] == nil
        ? self.value(after: .set(JSONPointer(["operators"]), JSONFragment(.list([fragment.value]))), of: value)
        : self.value(after: .set(JSONPointer(["operators", "-"]), fragment), of: value)
    default: nil
    }
  }

  private static func inserted(_ new: Value, at path: ArraySlice<String>, of value: Value) -> Value? {
    guard let last = path.last else { return nil }
    let outer = JSONPointer(Array(path.dropLast()))
    guard case .list(var items)? = value[outer] else {
      return value[outer.appending(last)] == nil ? changed(value, path) { _ in .some(new) } : nil
    }
    guard let index = last == "-" ? items.count : Int(last), 0...items.count ~= index else { return nil }
    items.insert(new, at: index)
    if outer.tokens.isEmpty { return .list(items) }
    return changed(value, outer.tokens[...]) { _ in .some(.list(items)) }
  }

  /// The value with what is at the path changed; `change` gives none where that is wrong, and nil to remove it.
  private static func changed(
    _ value: Value, _ path: ArraySlice<String>, _ change: (Value?) -> Value??
  ) -> Value? {
    guard let token = path.first else { return change(value).flatMap(\.self) }
    let isLast = path.count == 1
    switch value {
    case .list(var items):
      let index = token == "-" ? items.count : Int(token) ?? -1
      guard 0...items.count ~= index, index < items.count || isLast else { return nil }
      let old = index < items.count ? items[index] : nil
      guard let new = isLast ? change(old) : within(old, path, change) else { return nil }
      if index < items.count { items.remove(at: index) }
      if let new { items.insert(new, at: index) }
      return .list(items)
    case .map(let map):
      let old = map[token]
      guard isLast || old != nil else { return nil }
      guard let new = isLast ? change(old) : within(old, path, change) else { return nil }
      let rest = map.pairs.map { ($0, $1) }.filter { $0.0 != .string(token) }
      return .map(ValueMap(rest + (new.map { [(.string(token), $0)] } ?? [])))
    default: return nil
    }
  }

  /// The member with what is at the rest of the path changed; none where that is wrong.
  private static func within(
    _ member: Value?, _ path: ArraySlice<String>, _ change: (Value?) -> Value??
  ) -> Value?? {
    guard let member, let new = changed(member, path.dropFirst(), change) else { return .none }
    return .some(new)
  }
}
