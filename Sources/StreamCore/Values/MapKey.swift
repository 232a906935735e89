/// A value as a key of a map, a group or a set: equal numbers are the same key whatever their types, also within lists
/// and maps.
///
/// This is CEL's `==`, apart from NaN, which is the same key as NaN. The key keeps its value as it was given.
@_spi(Engine) public struct MapKey: Hashable, Sendable {
  public let value: Value

  public init(_ value: Value) { self.value = value }

  public static func == (lhs: MapKey, rhs: MapKey) -> Bool { lhs.value.isSameKey(as: rhs.value) }

  public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

@_spi(Engine) extension MapKey: Codable {
  public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Value {
  /// Whether both values are the same key; see `MapKey`.
  public func isSameKey(as other: Value) -> Bool {
    switch (self, other) {
    case (.list, .list), (.map, .map), (.opaque, .opaque):
      PartwiseComparison.areEqual(self, other, by: KeyEquality.rule)
    default: KeyEquality.areLeavesEqual(self, other)
    }
  }

  /// Whether both are numbers of different types that are equal, without rounding.
  package func equalsOtherNumber(_ other: Value) -> Bool {
    switch (self, other) {
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): Int64(exactly: b) == a
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Int64(exactly: b) == a
    case (.uint(let a), .double(let b)), (.double(let b), .uint(let a)): UInt64(exactly: b) == a
    default: false
    }
  }
}

/// The equality of keys.
private final class KeyEquality: PartEquality, Sendable {
  static let rule = KeyEquality()

  let isReflexive = true

  func areEqual(_ first: Value, _ second: Value) -> Bool { Self.areLeavesEqual(first, second) }

  static func areLeavesEqual(_ first: Value, _ second: Value) -> Bool {
    first == second || first.equalsOtherNumber(second)
  }
}
