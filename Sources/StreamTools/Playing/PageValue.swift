package import StreamCore

/// A value as the page reads it: JSON from which JavaScript loses nothing.
///
/// JavaScript has one type of numbers, so that the double 2 is written as `{"$double": 2}` and an int beyond 2^53 as
/// `{"$int": "…"}`; what JSON lacks has the tagged form of snapshots.
package struct PageValue {
  package let value: Value

  private static let exact: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991

  package init(_ value: Value) {
    switch value {
    case .null, .bool, .string: self.value = value
    case .int(let number):
      self.value = Self.exact.contains(number) ? value : ["$int": .string(String(number))]
    case .double(let number):
      self.value =
        number.isFinite ? number == number.rounded() ? ["$double": value] : value : Self.tagged(value)
    case .list(let items): self.value = .list(items.map { PageValue($0).value })
    case .map(let map):
      let isPlain = map.keys.allSatisfy { key in
        guard case .string(let name) = key else { return false }
        return map.count > 1 || !name.hasPrefix("$")
      }
      self.value = isPlain ? .map(ValueMap(map.pairs.map { ($0.0, PageValue($0.1).value) })) : Self.tagged(value)
    default: self.value = Self.tagged(value)
    }
  }

  private static func tagged(_ value: Value) -> Value {
    (try? value.taggedForJSON) ?? .string(JSONWriter.beginning(of: value, bytes: 1_000))
  }

  /// Reads what the page sends.
  package static func read(_ value: Value) throws(Diagnostic) -> Value {
    switch value {
    case .map(let map):
      if map.count == 1, let (key, inner) = map.pairs.first(where: { _ in true }), case .string(let name) = key {
        if name == "$double", let number = inner.number { return .double(number) }
        if name == "$int", let text = inner.text, let number = Int64(text) { return .int(number) }
        if name.hasPrefix("$") { return try Value(taggedForJSON: value) }
      }
      var members: [(Value, Value)] = []
      for (key, inner) in map.pairs { members.append((key, try read(inner))) }
      return .map(ValueMap(members))
    case .list(let items):
      var read: [Value] = []
      for item in items { read.append(try Self.read(item)) }
      return .list(ValueList(read))
    default: return value
    }
  }
}

extension Value {
  /// A number as a double.
  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
