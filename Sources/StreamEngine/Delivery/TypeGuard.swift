package import CEL
@_spi(Engine) package import StreamCore

/// A quick check of an input's values, which finds that most values need no conversion.
package enum TypeGuard: Sendable {
  case scalar(Scalar)
  /// A record with at least these fields, which are not records themselves.
  case record([(name: String, look: Scalar)])
  case none

  package enum Scalar: Sendable {
    case anything, int, double, bool, string
    case intOrNull, doubleOrNull, boolOrNull, stringOrNull
  }

  /// Maximum number of fields: each input of a type has a check of its own.
  private static let fieldLimit = 256

  package init(_ type: CELType) {
    self = .none
    if case .record(let fields) = type {
      if fields.count > Self.fieldLimit || fields.contains(where: \.isOptional) { return }
      let looks = fields.compactMap { field in Scalar(field.type).map { (name: field.name, look: $0) } }
      if looks.count == fields.count { self = .record(looks) }
    } else if let scalar = Scalar(type) {
      self = .scalar(scalar)
    }
  }

  @inline(__always)
  func takes(_ value: Value) -> Bool {
    switch self {
    case .scalar(let look): return look.takes(value)
    case .record(let fields): if case .map(let map) = value { return Self.takes(map, fields) }
    case .none: break
    }
    return false
  }

  private static func takes(_ map: ValueMap, _ fields: [(name: String, look: Scalar)]) -> Bool {
    for place in fields.indices {
      // Most records have their fields in the order of the declaration.
      var found = place
      if place >= map.count || !map.shape.has(fields[place].name, at: place) {
        guard let index = map.shape.index(of: fields[place].name) else { return false }
        found = index
      }
      guard fields[place].look.takes(map.slots[found]) else { return false }
    }
    return true
  }
}

extension TypeGuard.Scalar {
  fileprivate init?(_ type: CELType) {
    switch type {
    case .dyn: self = .anything
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .string: self = .string
    case .nullable(.int): self = .intOrNull
    case .nullable(.double): self = .doubleOrNull
    case .nullable(.bool): self = .boolOrNull
    case .nullable(.string): self = .stringOrNull
    default: return nil
    }
  }

  @inline(__always)
  fileprivate func takes(_ value: Value) -> Bool {
    switch (self, value) {
    case (.anything, _), (.int, .int), (.double, .double), (.bool, .bool), (.string, .string): true
    case (.intOrNull, .int), (.doubleOrNull, .double), (.boolOrNull, .bool), (.stringOrNull, .string): true
    case (.intOrNull, .null), (.doubleOrNull, .null), (.boolOrNull, .null), (.stringOrNull, .null): true
    default: false
    }
  }
}

/// A type guard for the values of one file or stream, with the field indices of the latest record shape cached.
package struct CachedTypeGuard {
  private let look: TypeGuard
  private var shape: Shape?
  private var places: [(place: Int, look: TypeGuard.Scalar)] = []

  package init(_ type: CELType) { look = TypeGuard(type) }

  /// Whether a conversion would certainly leave a value unchanged.
  package mutating func takes(_ value: Value) -> Bool {
    guard case .record(let fields) = look, case .map(let map) = value else { return look.takes(value) }
    if map.shape !== shape {
      shape = map.shape
      places = fields.map { (map.shape.index(of: $0.name) ?? -1, $0.look) }
    }
    return places.allSatisfy { $0.place >= 0 && $0.look.takes(map.slots[$0.place]) }
  }
}
