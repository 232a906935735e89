import StreamCore

extension Checker {
  mutating func checkCall(_ id: Syntax.ID) {
    guard case .call(let name, let target, let arguments) = syntax.nodes[id] else { return }
    if name == Operators.optionalSelect && arguments.count == 2 {
      meanings[id] = FunctionCatalogue.functions[name].map(Meaning.function) ?? .plain
      checkOptionalSelect(id, arguments[0], arguments[1])
      return
    }
    if rejectsMacro(id, name, target, arguments.count) { return }
    if let target {
      if let function = qualifiedFunction(name, of: target) {
        for argument in arguments { check(argument) }
        resolve(id, function, arguments, isMember: false)
        meanings[id] = meanings[id].isFailing ? meanings[id] : .qualifiedFunction(function)
        return
      }
      if let namespace = namespace(target, before: name) {
        for argument in arguments { check(argument) }
        rejectUnknown(id, "\(namespace).\(name)", isMember: false)
        return
      }
      check(target)
    }
    if arguments.count > 1, isUnknownMacro(name, arguments, isMember: target != nil) {
      // The arguments of a macro of another language have names that it declares.
      rejectUnknown(id, name, isMember: target != nil)
      return
    }
    if target == nil { checkOperands(of: name, arguments) } else { for argument in arguments { check(argument) } }
    let isMember = target != nil
    let all = target.map { [$0] + arguments } ?? arguments
    guard let function = function(named: name, isMember: isMember) else {
      rejectUnknown(id, name, isMember: isMember)
      return
    }
    resolve(id, function, all, isMember: isMember)
  }

  /// Reports a call of a macro with the wrong number of arguments, whose names nothing declares; returns whether it is one.
  private mutating func rejectsMacro(
    _ id: Syntax.ID, _ name: String, _ target: Syntax.ID?, _ argumentCount: Int
  ) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), first != UInt8(ascii: "@"),
      environment.macrosEnabled, environment.checksEnabled,
      let macros = Macro.mismatches(name, argumentCount: argumentCount, isMember: target != nil),
      FunctionCatalogue.functions[name] == nil, declaredFunction(name) == nil
    else { return false }
    let counts = macros.map { String($0.argumentCount) }.joined(separator: " or ")
    let isForm = macros.contains { $0.isMember == (target != nil) }
    reject(
      .noMatchingOverload,
      isForm
        ? "'\(name)' takes \(counts) argument\(counts == "1" ? "" : "s"), not \(argumentCount)"
        : "'\(name)' cannot be called in this form", at: id, running: .noSuchOverload,
      help: "write \(macros.map(\.form).joined(separator: " or "))")
    return true
  }

  /// Whether an unknown function has a name that nothing declares as its first argument, as macros do.
  private func isUnknownMacro(_ name: String, _ arguments: [Syntax.ID], isMember: Bool) -> Bool {
    guard environment.checksEnabled, !Operators.isOperator(name),
      case .name(let first, isAbsolute: false) = syntax.nodes[arguments[0]], !isKnown(first)
    else { return false }
    return function(named: name, isMember: isMember) == nil
  }

  /// Returns the namespace that a target must be because it is not a value: `math` in `math.sum(list)`; otherwise nil.
  private func namespace(_ target: Syntax.ID, before name: String) -> String? {
    guard let path = plainPath(target), !isLocal(path.names[0], path.isAbsolute) else { return nil }
    for candidate in candidates(path.names[0], path.isAbsolute)
    where slot(of: candidate) != nil || TypeValue.named[candidate] != nil {
      return nil
    }
    let whole = path.names.joined(separator: ".")
    let prefix = whole.lowercased() + "."
    let isKnown = FunctionCatalogue.functions.keys.contains { $0.lowercased().hasPrefix(prefix) }
    return isKnown || ForeignNames.help(for: prefix + name) != nil ? whole : nil
  }

  /// Whether the expression calls a function that satisfies the predicate.
  func calls(where isLikeThat: (Function) -> Bool) -> Bool {
    meanings.contains { meaning in
      switch meaning {
      case .function(let function), .qualifiedFunction(let function): isLikeThat(function)
      default: false
      }
    }
  }

  /// Returns the function `target.name` if the target is not a variable but the beginning of a function's name.
  private func qualifiedFunction(_ name: String, of target: Syntax.ID) -> Function? {
    guard let path = plainPath(target), !isLocal(path.names[0], path.isAbsolute) else { return nil }
    for candidate in candidates(path.names[0], path.isAbsolute) where slot(of: candidate) != nil { return nil }
    return function(named: (path.names + [name]).joined(separator: "."), isMember: false, path.isAbsolute)
  }

  private func function(named name: String, isMember: Bool, _ isAbsolute: Bool = false) -> Function? {
    let hasDot = name.utf8.first == UInt8(ascii: ".")
    let isAbsolute = isAbsolute || hasDot
    let plain = hasDot ? String(name.dropFirst()) : name
    if isMember || isAbsolute || environment.container.isEmpty { return function(plain) }
    for candidate in candidates(plain, isAbsolute) {
      if let function = function(candidate) { return function }
    }
    return nil
  }

  /// Returns the function with this full name.
  private func function(_ name: String) -> Function? {
    if !environment.declaredFunctions.isEmpty, let declared = declaredFunction(name) { return Function(declared) }
    return FunctionCatalogue.function(named: name)
  }

  private mutating func rejectUnknown(_ id: Syntax.ID, _ name: String, isMember: Bool) {
    let names = FunctionCatalogue.functions.keys.filter { !Operators.isOperator($0) } + Macro.all.map(\.name)
    let namespace = name.split(separator: ".").dropLast().joined(separator: ".")
    let last = String(name.dropFirst(namespace.isEmpty ? 0 : namespace.count + 1))
    var help =
      (roundsTime(id) ? ForeignNames.roundingHelp(for: name) : nil) ?? ForeignNames.help(for: name)
      ?? nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
    if help == nil, !namespace.isEmpty {
      let inside = names.filter { $0.lowercased().hasPrefix(namespace.lowercased() + ".") }.sorted()
      help =
        ForeignNames.help(for: last) ?? names.first { $0.lowercased() == last.lowercased() }.map {
          "did you mean '\($0)'?"
        }
        ?? (inside.isEmpty ? nil : "the functions of '\(namespace)': \(inside.listed)")
    }
    reject(.unknownFunction, "there is no function '\(name)'", at: id, running: .noSuchOverload, help: help)
  }

  /// Whether a call has a time, or the text of a unit such as `'1h'`, among its operands.
  private func roundsTime(_ id: Syntax.ID) -> Bool {
    guard case .call(_, let target, let arguments) = syntax.nodes[id] else { return false }
    return ([target].compactMap(\.self) + arguments).contains { types[$0] == .timestamp || types[$0] == .string }
  }

  /// Selects the overloads that match; the result type is theirs if they agree.
  private mutating func resolve(_ id: Syntax.ID, _ function: Function, _ arguments: [Syntax.ID], isMember: Bool) {
    meanings[id] = .function(function)
    if case .random = function.form { checkRandom(id) }
    if arguments.count == 2, let type = function.form.numberResult(types[arguments[0]], types[arguments[1]]) {
      types[id] = type
      return
    }
    var given = arguments.map { types[$0].base }
    if case .optionalIndex = function.form { given[0] = given[0].withoutAbsence }
    checkChoices(function.form, arguments)
    let mapResult = isMember ? mapResult(function.form, arguments) : nil
    if let type = mapResult ?? specialResult(function.form, given, arguments) {
      types[id] = type
      return
    }
    var result = function.result(for: given, numbers, isMember: isMember)
    // With mixed numbers, a function of doubles accepts ints.
    if result == nil && numbers == .mixed && given.contains(where: { $0 == .int || $0 == .uint }) {
      result = function.result(for: given, numbers, isMember: isMember, widening: true)
    }
    if let result, !isRuledOut(function.form, arguments.map { types[$0] }) {
      types[id] = result.limited(parts: 10_000, levels: 64)
      checkElements(of: function, arguments, at: id)
    } else {
      rejectArguments(id, function, arguments, isMember: isMember)
    }
  }

  /// Returns a result type that no signature can express; nil for other calls.
  private mutating func specialResult(
    _ form: FunctionForm, _ given: [CELType], _ arguments: [Syntax.ID]
  ) -> CELType? {
    switch form {
    case .index where given.count == 2:
      guard case .record(let fields) = given[0], case .literal(.string(let name)) = syntax.nodes[arguments[1]] else {
        return nil
      }
      if let field = fields.first(where: { $0.name == name }) {
        checkPresence(field, of: arguments[0], at: arguments[1])
      }
      return fields.first { $0.name == name }?.type
    case .optionalDefault where given.count == 2:
      guard case .optional(let content) = given[0] else { return nil }
      if given[1] == .null { return content.orNull }
      guard numbers == .mixed, content.withoutNull.isNumber, given[1].withoutNull.isNumber else { return nil }
      return content.joined(with: given[1])
    case .extreme where given.count > 1:
      guard given.allSatisfy({ $0.isNumber || $0.isOpen }) else { return nil }
      return given.dropFirst().reduce(given[0]) { $0.joined(with: $1) }
    case .conditional where given.count == 3 && (given[0] == .bool || given[0].isOpen):
      return types[arguments[1]].joined(with: types[arguments[2]])
    case .arithmetic(.multiply), .arithmetic(.divide):
      return productResult(given)
    case .arithmetic(.add) where given.count == 2:
      if case .list(let a) = given[0], case .list(let b) = given[1] {
        return .list(a.joined(with: b))
      }
      return nil
    default: return nil
    }
  }

  /// Returns the result type of a product or a quotient with one operand of an unknown type, which is then taken for a
  /// number; nil for other operands.
  ///
  /// NB: An expression on values of unknown types would otherwise lose its type because they may be durations.
  private func productResult(_ given: [CELType]) -> CELType? {
    guard given.count == 2, given[0].isOpen != given[1].isOpen else { return nil }
    let known = given[0].isOpen ? given[1] : given[0]
    guard known.isNumber else { return nil }
    return known == .double || numbers == .strict ? known : .dyn
  }

  /// Whether no values of these types are operands: of two values that can never be equal, and of products with null.
  private func isRuledOut(_ form: FunctionForm, _ given: [CELType]) -> Bool {
    guard given.count == 2 else { return false }
    var (left, right) = (given[0], given[1])
    switch form {
    case .equality: break
    case .arithmetic(.multiply), .arithmetic(.divide): return left == .null || right == .null
    case .containment:
      switch right {
      case .list(let element): right = element
      case .map(let key, _): right = key
      case .record: right = .string
      default: return false
      }
      if left.withoutNull.isNumber && right.withoutNull.isNumber { return false }
    default: return false
    }
    if left == .null || right == .null { return false }
    (left, right) = (left.settled, right.settled)
    return !left.mayBe(right, numbers: numbers) && !right.mayBe(left, numbers: numbers)
  }

  private mutating func rejectArguments(
    _ id: Syntax.ID, _ function: Function, _ arguments: [Syntax.ID], isMember: Bool
  ) {
    // Without checks, the values decide at run time.
    guard environment.checksEnabled else { return }
    if rejectNull(id, function, arguments, isMember: isMember) { return }
    let signatures = function.signatures(numbers)
    // The overloads for mixed numbers do not help the reader.
    let notes = function.signatures(.strict).prefix(8).map { "possible: \($0)" }
    let name = Operators.displayName(function.name)
    let given = arguments.map { types[$0].settled }
    if Operators.isOperator(function.name) {
      reject(
        .typeMismatch, operatorMessage(function.name, name, arguments), at: id, running: .noSuchOverload,
        notes: notes, help: conversionHelp(function.name, arguments))
      return
    }
    let sameForm = signatures.filter { $0.isMember == isMember }
    if sameForm.isEmpty {
      let form = isMember ? "\(name)(…)" : "target.\(name)(…)"
      let help =
        otherForm(of: function, arguments, isMember: isMember).map { "write \($0)" }
        ?? ForeignNames.formHelp(for: function.name, isMember: isMember) ?? "write \(form)"
      reject(
        .noMatchingOverload, "'\(name)' cannot be called in this form", at: id, running: .noSuchOverload, notes: notes,
        help: help)
    } else if !sameForm.contains(where: { $0.parameters.count == given.count }) {
      let shift = isMember ? 1 : 0
      let counts = Set(sameForm.map { $0.parameters.count - shift }).sorted().map(String.init)
      reject(
        .noMatchingOverload,
        "'\(name)' takes \(counts.joined(separator: " or ")) argument\(counts == ["1"] ? "" : "s"), not "
          + "\(given.count - shift)", at: id, running: .noSuchOverload, notes: notes)
    } else {
      let types = (isMember ? given.dropFirst() : given[...]).map(\.description).joined(separator: ", ")
      let target = isMember ? "\(given[0].description)." : ""
      reject(
        .noMatchingOverload, "there is no \(target)\(name)(\(types))", at: id, running: .noSuchOverload, notes: notes,
        help: argumentHelp(function.name, given, arguments))
    }
  }

  /// Returns the call as `f(x, y)` if it is `x.f(y)`, and the reverse; nil if the function does not take these arguments.
  private func otherForm(of function: Function, _ arguments: [Syntax.ID], isMember: Bool) -> String? {
    let given = arguments.map { types[$0].base }
    guard let target = arguments.first, function.result(for: given, numbers, isMember: !isMember) != nil else {
      return nil
    }
    let written = (isMember ? arguments : Array(arguments.dropFirst())).map { syntax.text(of: $0) }
    return (isMember ? "" : "\(syntax.operand(target)).") + "\(function.name)(\(written.joined(separator: ", ")))"
  }

  /// Returns help for a function of another type, which has another name here; nil for other calls.
  private func argumentHelp(_ function: String, _ given: [CELType], _ arguments: [Syntax.ID]) -> String? {
    let texts = arguments.map { syntax.text(of: $0) }
    let operands = arguments.map { syntax.operand($0) }
    switch (function, given.first) {
    case ("contains", .list?), ("contains", .map?), ("contains", .record?):
      return texts.count == 2 ? "write \(operands[1]) in \(operands[0])" : nil
    case ("slice", .string?):
      return "write \(operands[0]).substring(\(texts.dropFirst().joined(separator: ", ")))"
    case ("duration", .int?), ("duration", .double?):
      return isLiteral(arguments[0]) ? "write duration('\(texts[0])s')" : "write duration('1s') * \(operands[0])"
    default: return nil
    }
  }

  private func operatorMessage(_ function: String, _ name: String, _ arguments: [Syntax.ID]) -> String {
    let types = arguments.map { self.types[$0].settled }
    switch function {
    case Operators.and, Operators.or, Operators.not, Operators.conditional:
      let wrong = arguments.first { self.types[$0] != .bool && !self.types[$0].isOpen } ?? arguments[0]
      return "\(describe(wrong)); '\(name)' needs \(arguments.count == 2 ? "two bools" : "a bool")"
    case Operators.index:
      switch types[0] {
      case .list: return "\(describe(arguments[1])); a list's index is an int"
      case .map(let key, _): return "\(describe(arguments[1])); the map's keys are of type \(key)"
      case .record: return "\(describe(arguments[1])); a record's keys are strings"
      default: return "\(describe(arguments[0])); only lists and maps have elements"
      }
    case Operators.in: return "\(describe(arguments[0])), which \(types[1]) cannot contain"
    case Operators.negate: return "\(describe(arguments[0])); '-' needs a number"
    case Operators.optionalElement: return "\(describe(arguments[0])); '?' needs an optional"
    case Operators.optionalIndex: return "\(describe(arguments[0])) or its key does not fit"
    default:
      guard types.count == 2 else { return "'\(name)' cannot be used here" }
      if types[0] == types[1] { return "'\(name)' cannot be used with two values of type \(types[0])" }
      if function == Operators.add, types.allSatisfy(\.isMap) { return "'+' cannot be used with two maps" }
      if types.contains(.duration), function == "_*_" || function == "_/_" {
        let other = types[0] == .duration ? 1 : 0
        return "\(describe(arguments[other])); '\(name)' of a duration needs a number"
      }
      // A literal's type is obvious; the other operand's type is the surprise.
      let shown = isLiteral(arguments[0]) ? 1 : 0
      let isEquality = function == Operators.equal || function == "_!=_"
      let wantsNumbers = types[1 - shown].isNumber && !types[shown].isNumber && !isEquality
      let other = isLiteral(arguments[1 - shown]) ? "" : ", \(describe(arguments[1 - shown]))"
      return "\(describe(arguments[shown]))\(other); '\(name)' needs "
        + (wantsNumbers ? "two numbers" : "two values of the same type")
    }
  }

  private func isLiteral(_ id: Syntax.ID) -> Bool {
    if case .literal = syntax.nodes[id] { return true }
    return false
  }

  private func conversionHelp(_ function: String, _ arguments: [Syntax.ID]) -> String? {
    if function == Operators.negate, types[arguments[0]].settled == .string { return FailureHelp.noNegative }
    guard arguments.count == 2 else { return nil }
    let types = arguments.map { self.types[$0].settled }
    if function == Operators.index, types[0] == .string {
      return "write \(syntax.operand(arguments[0])).charAt(\(syntax.text(of: arguments[1])))"
    }
    if function == Operators.or, types == [.string, .string] {
      return "write \(syntax.operand(arguments[0])) + \(syntax.operand(arguments[1])) to join strings"
    }
    let texts = arguments.map { syntax.text(of: $0) }
    let operands = arguments.map { syntax.operand($0) }
    if function == Operators.add {
      if types.contains(where: \.isMap), types.allSatisfy({ $0.isMap || $0 == .dyn }) {
        return "write \(operands[0]).merge(\(texts[1]))"
      }
      if types[0].isNumber, types[1] == .string { return "write string(\(texts[0])) + \(operands[1])" }
      if types[0] == .string, types[1].isNumber { return "write \(operands[0]) + string(\(texts[1]))" }
    }
    if types.contains(.timestamp) || types.contains(.duration), types.contains(where: \.isNumber) {
      return "write duration('1s') for a length of time"
    }
    guard let sign = Token.comparisonSigns[function] else { return nil }
    if types[0].isNumber, types[1] == .string, case .literal(.string(let text)) = syntax.nodes[arguments[1]] {
      return Double(text) == nil ? nil : "write \(operands[0]) \(sign) \(text)"
    }
    if types[0] == .string, types[1].isNumber { return "write double(\(texts[0])) \(sign) \(operands[1])" }
    if types[0].isNumber, types[1] == .string { return "write \(operands[0]) \(sign) double(\(texts[1]))" }
    if types[0].isNumber, types[1].isNumber { return "write \(types[0])(\(texts[1])) to convert" }
    return nil
  }
}

extension Checker.Meaning {
  fileprivate var isFailing: Bool {
    if case .failing = self { return true }
    return false
  }
}

extension Token {
  fileprivate static let comparisonSigns: [String: String] = [
    "_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">=",
  ]
}
