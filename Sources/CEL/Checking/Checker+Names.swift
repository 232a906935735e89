import StreamCore

extension Checker {
  /// Checks a name or field accesses: `a.b.c` may be one variable's name, a field of `a.b` or a field of a field.
  mutating func checkPath(_ id: Syntax.ID) {
    if case .name(let name, let isAbsolute) = syntax.nodes[id], isAbsolute || environment.container.isEmpty {
      if isLocal(name, isAbsolute) || !resolve(name, at: id) { checkName(id, name, isAbsolute) }
      return
    }
    if let path = plainPath(id), !isLocal(path.names[0], path.isAbsolute) {
      if resolve(path, at: id) { return }
    }
    switch syntax.nodes[id] {
    case .name(let name, let isAbsolute): checkName(id, name, isAbsolute)
    case .select(let operand, let field, let isTest): checkSelect(id, operand, field, isTest)
    default: break
    }
  }

  struct Path {
    var names: [String]
    var isAbsolute: Bool
    /// Whether the path is not within `has(…)`, where the last step is a field.
    var isValue: Bool
  }

  /// Returns the names of a chain of plain field accesses on a name; nil for other nodes.
  func plainPath(_ id: Syntax.ID) -> Path? {
    var names: [String] = []
    var current = id
    while true {
      switch syntax.nodes[current] {
      case .name(let name, let isAbsolute):
        names.append(name)
        return Path(names: names.reversed(), isAbsolute: isAbsolute, isValue: true)
      case .select(let operand, let field, isTest: false):
        names.append(field)
        current = operand
      default: return nil
      }
    }
  }

  func isLocal(_ name: String, _ isAbsolute: Bool) -> Bool {
    !isAbsolute && locals.contains { $0.name == name }
  }

  /// Returns the full names that a name may denote, those of the innermost namespace first.
  func candidates(_ name: String, _ isAbsolute: Bool) -> [String] {
    if isAbsolute || environment.container.isEmpty { return [name] }
    var parts = environment.container.split(separator: ".")
    var result: [String] = []
    while !parts.isEmpty {
      result.append(parts.joined(separator: ".") + "." + name)
      parts.removeLast()
    }
    return result + [name]
  }

  /// Resolves the whole path; returns whether it names a variable or a type.
  private mutating func resolve(_ path: Path, at id: Syntax.ID) -> Bool {
    for name in candidates(path.names.joined(separator: "."), path.isAbsolute) {
      if resolve(name, at: id) { return true }
    }
    return false
  }

  /// Resolves a full name; returns whether it names a variable or a type.
  private mutating func resolve(_ name: String, at id: Syntax.ID) -> Bool {
    if let slot = slot(of: name) {
      meanings[id] = .variable(slot)
      types[id] = environment.variables[slot].type
      use(slot)
      return true
    }
    if let constant = environment.constants.constant(named: name) {
      syntax.nodes[id] = .literal(constant.value)
      types[id] = constant.type
      return true
    }
    guard let type = TypeValue.named[name] else { return false }
    meanings[id] = .type(name)
    types[id] = .type(type)
    return true
  }

  /// Whether a name alone denotes a variable or a type.
  func isKnown(_ name: String) -> Bool {
    isLocal(name, false)
      || candidates(name, false).contains {
        slot(of: $0) != nil || environment.constants.constant(named: $0) != nil || TypeValue.named[$0] != nil
      }
  }

  private mutating func checkName(_ id: Syntax.ID, _ name: String, _ isAbsolute: Bool) {
    if !isAbsolute, let local = locals.last(where: { $0.name == name }) {
      meanings[id] = .variable(local.slot)
      types[id] = local.type
      return
    }
    let known = locals.map(\.name) + environment.variables.map(\.name) + environment.constants.constantNames
    let visible = known.filter { !$0.isEmpty && !$0.hasPrefix("@") }
    let help: String
    let hyphenated = MemberNames.help(in: Array(syntax.text.utf8), at: syntax.ranges[id].lowerBound)
    if let hyphenated {
      help =
        "\(hyphenated), if that is the name of a member; names in scope: \(visible.prefix(12).joined(separator: ", "))"
    } else if let path = visible.compactMap({ member(name, of: $0) }).first {
      help = "did you mean '\(path)'?"
    } else if let nearest = nearestName(to: name, among: visible) {
      help = nearestHelp(nearest, for: name)
    } else if let received = receivedHelp(for: name, among: visible) {
      help = received
    } else if let function = FunctionCatalogue.function(named: name), !Operators.isOperator(name) {
      help = "'\(name)' is a function: write \(form(of: function))"
    } else if let foreign = ForeignWords.help(for: name) {
      help = foreign
    } else if visible == ["value"] || visible == ["value", "index"] {
      help = "names in scope: \(visible.joined(separator: ", ")); a member of the value is value.\(name)"
    } else if visible.isEmpty {
      help = "no names are in scope here"
    } else {
      help = "names in scope: \(visible.prefix(12).joined(separator: ", "))"
    }
    reject(.unknownName, "there is no name '\(name)' here", at: id, running: .expressionFailed, help: help)
  }

  /// Returns help with the name in scope that resembles an unknown one.
  private func nearestHelp(_ nearest: String, for name: String) -> String {
    let help = "did you mean '\(nearest)'?"
    // A variable without a name is hidden by a nearer one of the same name, such as the key of a group in a group.
    guard name == "keys", nearest == "key", environment.variables.contains(where: { $0.name.isEmpty }) else {
      return help
    }
    return help + " The key of the group around it needs another name, which its 'as' gives"
  }

  /// Returns help for a word that means the received value, in CEL or in another language, by the names in scope; nil for
  /// other words, and if no name in scope has received values.
  private func receivedHelp(for name: String, among visible: [String]) -> String? {
    guard name == ForeignWords.value || ForeignWords.meansValue(name) else { return nil }
    if visible.contains(ForeignWords.value) { return ForeignWords.received }
    if visible.contains("values") { return "did you mean 'values'? It has a value of each stream, such as values[0]" }
    if visible.contains("outer") { return "did you mean 'outer'? It is the value that started this stream" }
    return visible.isEmpty
      ? "no names are in scope here" : "names in scope: \(visible.prefix(12).joined(separator: ", "))"
  }

  /// Returns the form of a function's calls.
  private func form(of function: Function) -> String {
    let signatures = function.signatures(.strict)
    if signatures.contains(where: \.parameters.isEmpty) { return "\(function.name)()" }
    if signatures.contains(where: { !$0.isMember }) { return "\(function.name)(…)" }
    let isPlain = signatures.contains { $0.parameters.count == 1 }
    return "target.\(function.name)(\(isPlain ? "" : "…"))"
  }

  /// Returns the path of a variable's member with this name, if its type has one: `value.mag` for `mag`.
  private func member(_ name: String, of variable: String) -> String? {
    guard let declared = environment.variables.first(where: { $0.name == variable }),
      case .record(let fields) = declared.type, fields.contains(where: { $0.name == name })
    else { return nil }
    return "\(variable).\(name)"
  }

  private mutating func checkSelect(_ id: Syntax.ID, _ operand: Syntax.ID, _ field: String, _ isTest: Bool) {
    if !isTest, case .name(let space, isAbsolute: false) = syntax.nodes[operand], !isKnown(space),
      let function = FunctionCatalogue.functions.keys.first(where: {
        $0.lowercased() == "\(space).\(field)".lowercased()
      })
    {
      reject(
        .unknownName, "there is no name '\(space).\(field)' here", at: id, running: .expressionFailed,
        help: FunctionCatalogue.function(named: function).map { "'\(function)' is a function: write \(form(of: $0))" })
      return
    }
    check(operand)
    types[id] = fieldType(field, of: types[operand], operand, at: id, isTest: isTest)
    if isTest { types[id] = .bool }
  }

  /// Checks `operand.?field`: an unknown field is missing and not an error.
  mutating func checkOptionalSelect(_ id: Syntax.ID, _ operand: Syntax.ID, _ name: Syntax.ID) {
    check(operand)
    check(name)
    guard case .literal(.string(let field)) = syntax.nodes[name] else { return }
    let type = fieldType(field, of: types[operand].withoutAbsence, operand, at: id, isTest: true)
    if case .optional = types[operand] { types[id] = type } else { types[id] = .optional(type) }
  }

  private mutating func fieldType(
    _ field: String, of type: CELType, _ operand: Syntax.ID, at id: Syntax.ID, isTest: Bool, isInOptional: Bool = false
  ) -> CELType {
    switch type {
    case .dyn, .undetermined: return .dyn
    case .optional(let inner):
      return .optional(fieldType(field, of: inner, operand, at: id, isTest: true, isInOptional: true))
    case .map(let key, let value):
      if !CELType.string.mayBe(key, numbers: numbers) {
        report(.typeMismatch, "\(describe(operand)) whose keys are not strings; it has no field '\(field)'", at: id)
      }
      return value == .undetermined ? .dyn : value
    case .record(let fields):
      if let known = fields.first(where: { $0.name == field }) {
        if !isTest { checkPresence(known, of: operand, at: id) }
        return known.type
      }
      if !isTest && isDeclared(operand) {
        let nearest = nearestName(to: field, among: fields.map(\.name))
        report(
          .unknownField, "'\(syntax.text(of: operand))' has no field '\(field)'", at: id,
          help: nearest.map { "did you mean '\($0)'?" }
            ?? "its fields: \(fields.prefix(12).map(\.name).joined(separator: ", "))")
      }
      return .dyn
    case .nullable(let inner):
      let text = syntax.operand(operand)
      report(
        .typeMismatch, "'\(text)' may be null here, and null has no field '\(field)'", at: id,
        help: "write \(text).?\(field).orValue(…), or test it before: \(text) != null && …")
      return fieldType(field, of: inner, operand, at: id, isTest: isTest, isInOptional: isInOptional)
    default:
      report(
        .typeMismatch,
        isInOptional
          ? "the value of the optional '\(syntax.text(of: operand))' is \(type.settled.phrase) and has no field '\(field)'"
          : "\(describe(operand)) and has no field '\(field)'", at: id,
        help: ForeignNames.memberHelp(for: field))
      return .dyn
    }
  }

  /// Whether the type of a node comes from the declaration of a variable: a record written in the expression is a map,
  /// whose missing key is an error only when it is read.
  func isDeclared(_ id: Syntax.ID) -> Bool {
    var current = id
    while true {
      switch syntax.nodes[current] {
      case .name(let name, let isAbsolute):
        if !isAbsolute, let local = locals.last(where: { $0.name == name }) { return local.isDeclared }
        return true
      case .select(let operand, _, isTest: false):
        // NB: The whole path may be one variable's name.
        if case .variable = meanings[current] { return true }
        current = operand
      case .call(Operators.index, nil, let arguments) where arguments.count == 2: current = arguments[0]
      case .call(_, let target?, _):
        // The members of the result are known if those of the map are.
        guard case .function(let function) = meanings[current] else { return false }
        switch function.form {
        case .without, .rename: current = target
        default: return false
        }
      default: return false
      }
    }
  }
}
