extension CELType {
  /// Returns the type that contains the values of both. An int is not a double: for these two it is `dyn`.
  public func joined(with other: CELType) -> CELType {
    if self == other { return self }
    switch (self, other) {
    case (.undetermined, _): return other
    case (_, .undetermined): return self
    case (.list(let a), .list(let b)): return .list(a.joined(with: b))
    case (.optional(let a), .optional(let b)): return .optional(a.joined(with: b))
    case (.type, .type): return .type(.dyn)
    case (.map(let a, let b), .map(let c, let d)):
      return .map(a.joined(with: c), b.joined(with: d))
    case (.record(let a), .record(let b)) where a.map(\.name) == b.map(\.name):
      return .record(
        zip(a, b).map {
          RecordField($0.name, $0.type.joined(with: $1.type), isOptional: $0.isOptional || $1.isOptional)
        })
    case (.record, .record), (.record, .map), (.map, .record):
      return asMap.joined(with: other.asMap)
    case (.opaque(let a, let first), .opaque(let b, let second)) where a == b && first.count == second.count:
      return .opaque(a, zip(first, second).map { $0.joined(with: $1) })
    case (.nullable(let type), .null), (.null, .nullable(let type)): return .nullable(type)
    case (.nullable, _), (_, .nullable): return withoutNull.joined(with: other.withoutNull).orNull
    case (.choice, _), (_, .choice): return base.joined(with: other.base)
    // Null may represent a missing value of these types.
    case (.null, .optional), (.null, .timestamp), (.null, .duration), (.null, .opaque): return other
    case (.optional, .null), (.timestamp, .null), (.duration, .null), (.opaque, .null): return self
    default: return .dyn
    }
  }

  /// The map type of a record; other types unchanged.
  var asMap: CELType {
    guard case .record(let fields) = self else { return self }
    let value = fields.reduce(CELType.undetermined) { $0.joined(with: $1.type) }
    return .map(.string, value.settled)
  }

  /// Whether a value of this type may be a value of `other`; false only if it certainly is not.
  package func mayBe(_ other: CELType, numbers: Numbers) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn), (.undetermined, _), (_, .undetermined), (.parameter, _), (_, .parameter): return true
    case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return a.mayBe(b, numbers: numbers)
    case (.map(let a, let b), .map(let c, let d)):
      return a.mayBe(c, numbers: numbers) && b.mayBe(d, numbers: numbers)
    case (.record, .record), (.record, .map), (.map, .record): return asMap.mayBe(other.asMap, numbers: numbers)
    case (.type, .type): return true
    case (.opaque(let a, let first), .opaque(let b, let second)):
      return a == b && zip(first, second).allSatisfy { $0.mayBe($1, numbers: numbers) }
    case (.null, .nullable), (.nullable, .null): return true
    case (.nullable, _), (_, .nullable): return withoutNull.mayBe(other.withoutNull, numbers: numbers)
    case (.choice(let values), .choice(let others)): return values.contains { others.contains($0) }
    case (.choice, _), (_, .choice): return base.mayBe(other.base, numbers: numbers)
    case (.null, .optional), (.null, .timestamp), (.null, .duration), (.null, .opaque): return true
    default: return self == other || (numbers == .mixed && isNumber && other.isNumber)
    }
  }
}
