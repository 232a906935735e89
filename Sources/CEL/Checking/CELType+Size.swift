extension CELType {
  /// Maximum number of parts, and of levels, of a type that an expression creates. A map of maps of the value has twice
  /// the parts of that, and operators apply such expressions one after another.
  private static let created = (parts: 1_000, levels: 32)
  /// Number of parts of a type that stays as it is within one that is too large.
  private static let smallParts = 10

  /// Whether the type has at most these numbers of parts and levels.
  package func fits(parts: Int, levels: Int) -> Bool {
    var left = parts
    return fits(&left, levels)
  }

  private func fits(_ parts: inout Int, _ levels: Int) -> Bool {
    parts -= 1
    guard parts >= 0, levels > 0 else { return false }
    switch self {
    case .list(let type), .optional(let type), .nullable(let type), .type(let type):
      return type.fits(&parts, levels - 1)
    case .map(let key, let value): return key.fits(&parts, levels - 1) && value.fits(&parts, levels - 1)
    case .record(let fields):
      for field in fields where !field.type.fits(&parts, levels - 1) { return false }
      return true
    case .opaque(_, let parameters):
      for parameter in parameters where !parameter.fits(&parts, levels - 1) { return false }
      return true
    case .choice(let values):
      parts -= values.count
      return parts >= 0
    default: return true
    }
  }

  /// The type, with `dyn` for its inner types if it is too large.
  var limited: CELType { limited(parts: Self.created.parts, levels: Self.created.levels) }

  /// The type, with `dyn` for its inner types if it has more than these numbers of parts and levels.
  package func limited(parts: Int, levels: Int) -> CELType {
    guard !fits(parts: parts, levels: levels) else { return self }
    switch self {
    case .list: return .list(.dyn)
    case .map(let key, _): return .map(key, .dyn)
    case .optional: return .optional(.dyn)
    case .record(let fields) where fields.count <= parts:
      return .record(fields.map { $0.type.fits(parts: Self.smallParts, levels: 2) ? $0 : $0.with(.dyn) })
    case .record: return .map(.string, .dyn)
    default: return .dyn
    }
  }

  /// A description that leaves out the parts beyond a number: `{a: int, b: int, … 98 more}`.
  package func description(parts: Int) -> String {
    if fits(parts: parts, levels: .max) { return description }
    var left = parts
    return describe(&left)
  }

  private func describe(_ parts: inout Int) -> String {
    parts -= 1
    guard parts > 0 else { return "…" }
    switch self {
    case .list(let element): return "list(\(element.describe(&parts)))"
    case .map(let key, let value): return "map(\(key.describe(&parts)), \(value.describe(&parts)))"
    case .optional(let type): return "optional_type(\(type.describe(&parts)))"
    case .nullable(let type): return "\(type.describe(&parts))?"
    case .record(let fields):
      var texts: [String] = []
      for field in fields {
        guard parts > 1 else { break }
        texts.append("\(field.name)\(field.isOptional ? "?" : ""): \(field.type.describe(&parts))")
      }
      if texts.count < fields.count { texts.append("… \(fields.count - texts.count) more") }
      return "{\(texts.joined(separator: ", "))}"
    case .choice(let values):
      parts -= values.count
      return parts > 0 ? description : "{enum: … \(values.count) values}"
    default: return fits(parts: max(parts, 1), levels: .max) ? description : "…"
    }
  }

  /// The type with `dyn` instead of undetermined types and type parameters.
  package var settled: CELType { isSettled ? self : settling }

  private var isSettled: Bool {
    switch self {
    case .undetermined, .parameter: false
    case .type(let type), .list(let type), .optional(let type), .nullable(let type): type.isSettled
    case .map(let key, let value): key.isSettled && value.isSettled
    case .record(let fields): fields.allSatisfy(\.type.isSettled)
    case .opaque(_, let parameters): parameters.allSatisfy(\.isSettled)
    default: true
    }
  }

  private var settling: CELType {
    switch self {
    case .undetermined, .parameter: .dyn
    case .type(let type): .type(type.settled)
    case .list(let element): .list(element.settled)
    case .map(let key, let value): .map(key.settled, value.settled)
    case .record(let fields): .record(fields.map { $0.with($0.type.settled) })
    case .optional(let type): .optional(type.settled)
    case .nullable(let type): .nullable(type.settled)
    case .opaque(let name, let parameters): .opaque(name, parameters.map(\.settled))
    default: self
    }
  }
}
