internal import StreamCore

/// The distance between two elements, where a removal costs 1 and an addition costs 1.
extension StreamRole {
  /// Returns the cost of changing one element into the other: below 2 if that is cheaper than removing and adding.
  func distance(_ old: Value, _ new: Value) -> Double {
    if let first = identifier(of: old), let second = identifier(of: new), first != second {
      // Another name is another thing, unless all else is the same.
      return without(old) == without(new) ? 0.5 : 2.5
    }
    switch self {
    case .placedOperator:
      guard let kind = kind(of: old), kind == self.kind(of: new) else { return Self.replaced }
      return 0.1 + Self.share(old.member(kind) ?? .null, new.member(kind) ?? .null)
    case .item:
      let isSameValue = old.member("value") == new.member("value")
      let isSameWork = old.member("operators") != nil && old.member("operators") == new.member("operators")
      return isSameValue || isSameWork ? 0.5 : Self.replaced
    case .reference: return old.text == nil && new.text == nil ? 0.1 + Self.share(old, new) : Self.replaced
    default: return Self.isObject(old) && Self.isObject(new) ? 0.1 + Self.share(old, new) : Self.replaced
    }
  }

  /// The cost of replacing an element, which is easier to read than a removal and an addition.
  static let replaced = 1.75

  /// Returns the element without the members that identify it.
  private func without(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    return .map(map.removing(isTest ? "name" : "id"))
  }

  private var isTest: Bool { if case .test = self { true } else { false } }
  private static func isObject(_ value: Value) -> Bool { if case .map = value { true } else { false } }

  /// The share of members that differ, from 0 to 1.
  private static func share(_ old: Value, _ new: Value) -> Double {
    guard case .map(let before) = old, case .map(let after) = new else { return old == new ? 0 : 1 }
    let names = Set(before.keys).union(after.keys)
    guard !names.isEmpty else { return 0 }
    return Double(names.count { before[$0] != after[$0] }) / Double(names.count)
  }
}
