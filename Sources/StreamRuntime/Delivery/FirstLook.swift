package import CEL
package import StreamCore

/// What a first look at an input's values finds to be right: it tells that most values need no conversion.
package enum FirstLook: Sendable {
  case anything, int, double, bool, string
  /// A record with these fields at least, none of them a record again.
  case record([(name: String, look: FirstLook)])
  case none

  package init(_ type: CELType) {
    switch type {
    case .record(let fields):
      let looks = fields.map { (name: $0.name, look: FirstLook(scalar: $0.type)) }
      self = looks.allSatisfy { $0.look.isSome } ? .record(looks) : .none
    default: self.init(scalar: type)
    }
  }

  private init(scalar type: CELType) {
    switch type {
    case .dyn: self = .anything
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .string: self = .string
    default: self = .none
    }
  }

  private var isSome: Bool { if case .none = self { false } else { true } }

  @inline(__always)
  package func takes(_ value: Value) -> Bool {
    switch self {
    case .anything: return true
    case .int: if case .int = value { return true }
    case .double: if case .double = value { return true }
    case .bool: if case .bool = value { return true }
    case .string: if case .string = value { return true }
    case .record(let fields): if case .map(let map) = value { return Self.takes(map, fields) }
    case .none: break
    }
    return false
  }

  private static func takes(_ map: ValueMap, _ fields: [(name: String, look: FirstLook)]) -> Bool {
    for (place, field) in fields.enumerated() {
      // Most records have their fields in the order of the declaration.
      var found = place
      if place >= map.count || !map.shape.has(field.name, at: place) {
        guard let index = map.shape.index(of: field.name) else { return false }
        found = index
      }
      guard takes(map.slots[found], field.look) else { return false }
    }
    return true
  }

  private static func takes(_ value: Value, _ look: FirstLook) -> Bool {
    switch (look, value) {
    case (.anything, _), (.int, .int), (.double, .double), (.bool, .bool), (.string, .string): true
    default: false
    }
  }
}
