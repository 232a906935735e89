import StreamCore

/// A member of a variable that a test has shown to be present or not null.
struct NullTest: Hashable, Sendable {
  /// The slot of the variable.
  let slot: Int
  /// The names from the variable to the member.
  let names: [String]
  let fact: NullFact
}

// Flow typing: within `value.x != null && …` the type of `value.x` is that without null. NB: A test whose other operand
// fails proves nothing, and then the other operand is evaluated too; it fails at most, since plans check their values.
extension Checker {
  /// Whether a variable may have null, or a missing member, by its type: otherwise no test can narrow a type.
  static func mayNarrow(_ variables: [Variable]) -> Bool { variables.contains { $0.type.mentionsNull } }

  /// Checks the operands of a call; the later ones of `&&`, `||` and `?:` under the result of the first.
  mutating func checkOperands(of name: String, _ arguments: [Syntax.ID]) {
    guard mayNarrow, arguments.count > 1 else {
      for argument in arguments { check(argument) }
      return
    }
    check(arguments[0])
    switch (name, arguments.count) {
    case (Operators.and, 2): check(arguments[1], if: arguments[0], is: true)
    case (Operators.or, 2): check(arguments[1], if: arguments[0], is: false)
    case (Operators.conditional, 3):
      check(arguments[1], if: arguments[0], is: true)
      check(arguments[2], if: arguments[0], is: false)
    default: for argument in arguments.dropFirst() { check(argument) }
    }
  }

  private mutating func check(_ id: Syntax.ID, if condition: Syntax.ID, is result: Bool) {
    let count = tests.count
    for test in self.tests(of: condition, when: result) where !tests.contains(test) { tests.append(test) }
    check(id)
    tests.removeLast(tests.count - count)
  }

  /// Returns the tests that a condition passes if it has this result.
  func tests(of condition: Syntax.ID, when result: Bool) -> [NullTest] {
    var found: [NullTest] = []
    var open = [(condition, result)]
    var visits = 0
    while let (id, result) = open.popLast(), visits < Self.maximumVisits {
      visits += 1
      switch syntax.nodes[id] {
      case .select(let operand, let field, isTest: true):
        if result, var place = place(of: operand) {
          place.names.append(field)
          found.append(NullTest(slot: place.slot, names: place.names, fact: .isPresent))
        }
      case .call(Operators.and, nil, let operands) where result, .call(Operators.or, nil, let operands) where !result:
        for operand in operands.reversed() { open.append((operand, result)) }
      case .call(Operators.not, nil, let operands): if let operand = operands.first { open.append((operand, !result)) }
      case .call(Operators.equal, nil, let operands) where operands.count == 2:
        found += tests(operands[0], operands[1], areEqual: result)
      case .call("_!=_", nil, let operands) where operands.count == 2:
        found += tests(operands[0], operands[1], areEqual: !result)
      default: break
      }
    }
    return found
  }

  /// Maximum number of nodes of a condition that are searched for tests.
  private static let maximumVisits = 256

  /// Returns the tests that two values pass by being equal or different: a value that differs from null, or equals
  /// another value, is not null.
  private func tests(_ left: Syntax.ID, _ right: Syntax.ID, areEqual: Bool) -> [NullTest] {
    var found: [NullTest] = []
    for (tested, other) in [(left, right), (right, left)] {
      guard areEqual ? !types[other].allowsNull : types[other] == .null, let place = place(of: tested) else { continue }
      found.append(NullTest(slot: place.slot, names: place.names, fact: .isNotNull))
    }
    return found
  }

  /// Returns the variable and the names of a checked member access, as `value.a.b` or `value['a'].b`; nil for others.
  func place(of id: Syntax.ID) -> (slot: Int, names: [String])? {
    var names: [String] = []
    var current = id
    while true {
      if case .variable(let slot) = meanings[current] { return (slot, names.reversed()) }
      switch syntax.nodes[current] {
      case .select(let operand, let field, isTest: false):
        names.append(field)
        current = operand
      case .call(Operators.index, nil, let arguments) where arguments.count == 2:
        guard case .literal(.string(let name)) = syntax.nodes[arguments[1]] else { return nil }
        names.append(name)
        current = arguments[0]
      default: return nil
      }
    }
  }

  /// Removes null from the type of a member that a test has shown to have a value.
  mutating func narrow(_ id: Syntax.ID) {
    guard case .nullable(let type) = types[id], let place = place(of: id) else { return }
    if tests.contains(NullTest(slot: place.slot, names: place.names, fact: .isNotNull)) { types[id] = type }
  }

  /// Reports the reading of a member that may be missing, unless a test has shown that it exists.
  ///
  /// - Parameter id: The access to the member.
  mutating func checkPresence(_ field: RecordField, of operand: Syntax.ID, at id: Syntax.ID) {
    guard field.isOptional else { return }
    if var place = place(of: operand) {
      place.names.append(field.name)
      let facts: [NullFact] = [.isPresent, .isNotNull]
      if facts.contains(where: { tests.contains(NullTest(slot: place.slot, names: place.names, fact: $0)) }) { return }
    }
    let text = syntax.operand(operand)
    report(
      .unknownField, "the field '\(field.name)' of '\(text)' may be missing", at: id,
      help: "write \(text).?\(field.name).orValue(\(field.type.example)), or test it: has(\(text).\(field.name)) && …")
  }

  /// Rejects an operand that may be null; returns whether there is one, and the call would be valid without null.
  mutating func rejectNull(_ id: Syntax.ID, _ function: Function, _ arguments: [Syntax.ID], isMember: Bool) -> Bool {
    guard let culprit = arguments.first(where: { if case .nullable = types[$0] { true } else { false } }) else {
      return false
    }
    let given = arguments.map { types[$0].withoutNull.base }
    guard
      function.form.numberResult(given[0], given.last ?? .dyn) != nil
        || function.result(for: given, numbers, isMember: isMember) != nil
        || function.result(for: given, numbers, isMember: isMember, widening: true) != nil
    else { return false }
    let text = syntax.operand(culprit)
    let isShort = text.utf8.count <= 40
    let name = Operators.displayName(function.name)
    reject(
      .typeMismatch,
      "'\(isShort ? text : String(text.prefix(39)) + "…")' may be null here; '\(name)' needs \(types[culprit].withoutNull.phrase)",
      at: id, running: .noSuchOverload,
      help: isShort
        ? "write (\(text) == null ? \(types[culprit].withoutNull.example) : \(text)), or test it before: \(text) != null && …"
        : "test it for null before")
    return true
  }

  /// Reports a list whose elements may be null where they need an order, or are keys.
  mutating func checkElements(of function: Function, _ arguments: [Syntax.ID], at id: Syntax.ID) {
    guard mayNarrow, let list = arguments.first else { return }
    switch function.name {
    case "sort", "min", "max", "isSorted":
      guard arguments.count == 1, case .list(.nullable) = types[list] else { return }
      let text = syntax.operand(list)
      report(
        .typeMismatch, "an element of '\(text)' may be null here; '\(function.name)' needs elements that have an order",
        at: id, help: "write \(text).filter(x, x != null).\(function.name)()")
    case "@sortByKeys", "@groupByKeys":
      guard arguments.count == 2, case .list(let key) = types[arguments[1]] else { return }
      let mayBeNull = if case .list(.nullable) = key { true } else if case .nullable = key { true } else { false }
      guard mayBeNull else { return }
      let name = function.name == "@sortByKeys" ? "sortBy" : "groupBy"
      report(
        .typeMismatch, "a key of '\(name)' may be null here, which is not a key", at: id,
        help: "write a key for null, such as x.name == null ? '' : x.name")
    default: break
    }
  }

  /// Reports a literal that is none of the values of the declared type to which it is compared.
  mutating func checkChoices(_ form: FunctionForm, _ arguments: [Syntax.ID]) {
    guard arguments.count == 2 else { return }
    switch form {
    case .equality:
      checkChoice(arguments[1], of: arguments[0])
      checkChoice(arguments[0], of: arguments[1])
    case .containment: checkChoice(arguments[1], of: arguments[0])
    default: break
    }
  }

  private mutating func checkChoice(_ literal: Syntax.ID, of operand: Syntax.ID) {
    guard let choices = types[operand].choices else { return }
    switch syntax.nodes[literal] {
    case .literal(.list(let elements)):
      for element in elements.elements { check(element, among: choices, of: operand, at: literal) }
    case .literal(let value): check(value, among: choices, of: operand, at: literal)
    case .list(let elements):
      for element in elements {
        if case .literal(let value) = syntax.nodes[element] { check(value, among: choices, of: operand, at: element) }
      }
    default: break
    }
  }

  private mutating func check(_ value: Value, among choices: [Value], of operand: Syntax.ID, at literal: Syntax.ID) {
    // A value of another type is an error of its own.
    guard value != .null, CELType.of(value) == types[operand].withoutNull.base, !choices.contains(value) else { return }
    let names = choices.map(Self.written)
    let near = value.text.flatMap { nearestName(to: $0, among: choices.compactMap(\.text)) }.map { "'\($0)'" }
    report(
      .typeMismatch,
      "\(Self.written(value)) is not a value of '\(syntax.text(of: operand))': \(names.listed)",
      at: literal, help: near.map { "did you mean \($0)?" } ?? "add it to the type, or compare with one of the values")
  }

  private static func written(_ value: Value) -> String {
    if case .string(let text) = value { "'\(text)'" } else { JSONWriter.compact(value) }
  }
}

extension CELType {
  /// Whether it contains a type with null, or a field that may be missing.
  fileprivate var mentionsNull: Bool {
    switch self {
    case .nullable: true
    case .list(let element), .optional(let element), .map(_, let element): element.mentionsNull
    case .record(let fields): fields.contains { $0.isOptional || $0.type.mentionsNull }
    default: false
    }
  }

  /// A value of the type as an expression writes it, for help.
  fileprivate var example: String {
    switch base {
    case .int: "0"
    case .uint: "0u"
    case .double: "0.0"
    case .string: "''"
    case .bool: "false"
    case .list: "[]"
    case .map, .record: "{}"
    case .nullable: "null"
    default: "…"
    }
  }
}
