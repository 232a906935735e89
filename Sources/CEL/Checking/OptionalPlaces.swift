import StreamCore

/// The places of a value where optionals may be.
struct OptionalPlaces: OptionSet {
  let rawValue: UInt8

  /// The value itself.
  static let itself = OptionalPlaces(rawValue: 1)
  /// The value's elements and members, at any depth; those of its value if it is an optional.
  static let inside = OptionalPlaces(rawValue: 2)
  static let all: OptionalPlaces = [itself, inside]
}

// Data flow: values of streams have no optionals, so only functions create them. The types alone do not tell: the type of
// `value.?x.orValue(0)` is unknown if that of `value` is.
extension Checker {
  /// Whether a part of the expression may have an optional.
  var mayHaveOptionals: Bool {
    calls { $0.returnsOptional } || environment.variables.contains { $0.type.mentionsOptional }
  }

  /// Returns a node whose result is that of `node` without optionals.
  func unwrapping(_ node: PlanNode, _ id: Syntax.ID) -> PlanNode {
    let places = optionals(in: id)
    if places.isEmpty { return node }
    // The members of a record are unwrapped one by one, so that the others are not visited.
    if let record = node as? RecordNode, case .map(_, let values) = syntax.nodes[id],
      values.count == record.values.count
    {
      return RecordNode(record.shape, zip(record.values, values).map { unwrapping($0, $1) }, record.range)
    }
    return OptionalResultNode(node, isDeep: places.contains(.inside))
  }

  /// Returns where a node outside of loops may have optionals.
  private func optionals(in id: Syntax.ID) -> OptionalPlaces {
    var locals: [Int: OptionalPlaces] = [:]
    return optionals(in: id, &locals)
  }

  /// - Parameter locals: The places of the variables of the loops around, by slot.
  private func optionals(in id: Syntax.ID, _ locals: inout [Int: OptionalPlaces]) -> OptionalPlaces {
    if !types[id].mayHaveOptionals { return [] }
    if case .variable(let slot) = meanings[id] {
      return slot < environment.variables.count
        ? (environment.variables[slot].type.mentionsOptional ? .all : []) : locals[slot] ?? .all
    }
    switch syntax.nodes[id] {
    case .literal, .name, .message: return []
    case .select(let operand, _, _): return element(of: optionals(in: operand, &locals))
    case .list(let elements): return isAny(elements, &locals) ? .inside : []
    case .map(_, let values): return isAny(values, &locals) ? .inside : []
    case .comprehension(let loop): return optionals(in: loop, id, &locals)
    case .call(_, let target, let arguments):
      return optionals(ofCall: id, (target.map { [$0] } ?? []) + arguments, &locals)
    }
  }

  private func isAny(_ ids: [Syntax.ID], _ locals: inout [Int: OptionalPlaces]) -> Bool {
    for id in ids where !optionals(in: id, &locals).isEmpty { return true }
    return false
  }

  /// Returns the places in a field or an element; that of an optional is an optional.
  private func element(of places: OptionalPlaces) -> OptionalPlaces {
    places.contains(.inside) ? .all : places
  }

  private func optionals(
    ofCall id: Syntax.ID, _ arguments: [Syntax.ID], _ locals: inout [Int: OptionalPlaces]
  ) -> OptionalPlaces {
    let function: Function
    switch meanings[id] {
    case .qualifiedFunction(let called):
      // The target is the beginning of the function's name.
      function = called
    case .function(let called): function = called
    default: return .all
    }
    var given: [OptionalPlaces] = []
    for argument in arguments { given.append(optionals(in: argument, &locals)) }
    let isAny = given.contains { !$0.isEmpty }
    switch function.form {
    case .conditional: return given.dropFirst().reduce([]) { $0.union($1) }
    case .index: return given.first.map(element) ?? []
    case .optionalIndex, .optionalSelect:
      return given.first.map { $0.contains(.inside) ? .all : .itself } ?? .itself
    case .optionalElement: return given.first?.contains(.inside) == true ? .all : []
    case .optionalValue, .optionalDefault:
      let content: OptionalPlaces = given.first?.contains(.inside) == true ? .all : []
      return given.dropFirst().reduce(content) { $0.union($1) }
    case .optionalChoice: return given.reduce(.itself) { $0.union($1) }
    default:
      if function.returnsOptional { return isAny || function.returnsOptionalsInside ? .all : .itself }
      return isAny ? .all : []
    }
  }

  private func optionals(
    in loop: Syntax.Comprehension, _ id: Syntax.ID, _ locals: inout [Int: OptionalPlaces]
  ) -> OptionalPlaces {
    guard case .loop(let variable, let second, let accumulator) = meanings[id] else { return .all }
    let elements = element(of: optionals(in: loop.range, &locals))
    let initial = optionals(in: loop.initial, &locals)
    locals[variable] = elements
    if let second { locals[second] = elements }
    locals[accumulator] = initial
    // A step that adds places may add others in the next round.
    let step = optionals(in: loop.step, &locals)
    locals[accumulator] = initial.isSuperset(of: step) ? initial : .all
    return optionals(in: loop.result, &locals)
  }
}

extension Function {
  /// Whether the result of an overload is a list or a map with optionals, or an optional of an optional.
  fileprivate var returnsOptionalsInside: Bool {
    signatures(.mixed).contains { signature in
      if case .optional(let content) = signature.result { return content.mentionsOptional }
      return signature.result.mentionsOptional
    }
  }
}

extension CELType {
  /// Whether it is, or contains, a type of optionals, which JSON does not have.
  package var mentionsOptional: Bool {
    switch self {
    case .optional: true
    case .list(let element), .nullable(let element): element.mentionsOptional
    case .map(let key, let value): key.mentionsOptional || value.mentionsOptional
    case .record(let fields): fields.contains { $0.type.mentionsOptional }
    default: false
    }
  }

  /// Whether a value of the type may be an optional, or have one in it.
  fileprivate var mayHaveOptionals: Bool {
    switch self {
    case .optional, .dyn, .undetermined, .parameter: true
    case .list(let element), .nullable(let element): element.mayHaveOptionals
    case .map(_, let value): value.mayHaveOptionals
    // A record may have more members than its type.
    case .record: true
    default: false
    }
  }

  /// The type of its values after optionals have become their values, or null.
  var withoutOptionals: CELType {
    switch self {
    case .optional(let type): type.withoutOptionals.orNull
    case .list(let element): .list(element.withoutOptionals)
    case .map(let key, let value): .map(key, value.withoutOptionals)
    case .record(let fields): .record(fields.map { $0.with($0.type.withoutOptionals) })
    case .nullable(let type): type.withoutOptionals.orNull
    default: self
    }
  }
}
