extension ExpressionHelp {
  /// A completion at the cursor.
  package struct Candidate: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case variable, field, function, macro, word }

    package let name: String
    package let kind: Kind
    /// The type of a variable or field, the first signature of a function, or the form of a macro.
    package let detail: String
    package let summary: String?
    /// Placeholder names of the arguments; nil for a candidate without parentheses.
    package let arguments: [String]?
  }

  /// Returns the completions at `offset` and the bytes of the expression that they replace; none within a literal.
  package func candidates(at offset: Int) -> (replaced: Range<Int>, all: [Candidate]) {
    let offset = min(max(offset, 0), bytes.count)
    var start = offset
    while start > 0, bytes[start - 1].isNamePart { start -= 1 }
    var end = offset
    while end < bytes.count, bytes[end].isNamePart { end += 1 }
    let (before, isWhole) = Lexer.leadingTokens(of: Array(bytes[..<start]))
    // An incomplete string or number is not a name.
    guard isWhole, start == end || !bytes[start].isDigit else { return (offset..<offset, []) }
    let tokens = Array(before.dropLast())
    guard let last = tokens.last, last.kind == .dot else { return (start..<end, names(after: tokens)) }
    return (start..<end, members(after: Array(tokens.dropLast())))
  }

  // MARK: After a dot

  private func members(after tokens: [Token]) -> [Candidate] {
    guard let first = Self.operandStart(tokens), let last = tokens.last else { return [] }
    let operand = tokens[first].range.lowerBound..<last.range.upperBound
    let qualified = functions(in: text(operand) + ".")
    let isNamespace =
      !qualified.isEmpty && tokens[first...].allSatisfy { $0.kind == .identifier || $0.kind == .dot }
      && !known(to: tokens).contains { $0.name == text(tokens[first].range) }
    if isNamespace { return qualified }
    let type = type(of: operand, after: tokens)
    return fields(of: type) + methods(of: type)
  }

  private func fields(of type: CELType) -> [Candidate] {
    switch type {
    case .optional(let inner), .nullable(let inner): fields(of: inner)
    case .record(let fields):
      fields.map { Candidate(name: $0.name, kind: .field, detail: "\($0.type)", summary: nil, arguments: nil) }
    default: []
    }
  }

  private func methods(of type: CELType) -> [Candidate] {
    var all: [Candidate] = []
    for function in FunctionCatalogue.tables.lazy.flatMap(\.functions) where !function.name.hasPrefix("@") {
      let fitting = function.signatures(.strict).filter { signature in
        guard signature.isMember, let target = signature.parameters.first else { return false }
        return target.settled.mayBe(type, numbers: .strict)
      }
      if let signature = fitting.first { all.append(Self.candidate(signature, function.summary)) }
    }
    let isIterable =
      switch type {
      case .list, .map, .record, .dyn, .undetermined: true
      default: false
      }
    for macro in Macro.all where macro.isMember && macro.name != "bind" {
      let isForOptionals = macro.name.hasPrefix("opt")
      if isForOptionals ? type.isOptionalOrOpen : isIterable { all.append(Self.candidate(macro)) }
    }
    return Self.unique(all)
  }

  /// Returns the functions of a namespace, named without it.
  private func functions(in namespace: String) -> [Candidate] {
    var all: [Candidate] = []
    for function in FunctionCatalogue.tables.lazy.flatMap(\.functions) where function.name.hasPrefix(namespace) {
      guard let signature = function.signatures(.strict).first(where: { !$0.isMember }) else { continue }
      all.append(
        Self.candidate(signature, function.summary, named: String(function.name.dropFirst(namespace.count))))
    }
    if namespace == "cel.", let bind = Macro.all.first(where: { $0.name == "bind" }) {
      all.append(Self.candidate(bind))
    }
    return Self.unique(all)
  }

  // MARK: Other positions

  private func names(after tokens: [Token]) -> [Candidate] {
    // Only an operator may follow a value.
    if let last = tokens.last, last.kind.endsOperand {
      return [Candidate(name: "in", kind: .word, detail: "", summary: function(named: "@in")?.summary, arguments: nil)]
    }
    var all = known(to: tokens).map { variable in
      Candidate(name: variable.name, kind: .variable, detail: "\(variable.type)", summary: nil, arguments: nil)
    }
    for declared in environment.declaredFunctions {
      if let signature = declared.overloads.first(where: { !$0.isMember }) {
        all.append(Self.candidate(signature, "A function of the host program"))
      }
    }
    for function in FunctionCatalogue.tables.lazy.flatMap(\.functions)
    where function.name.utf8.first?.isNameStart == true && !function.name.hasPrefix("_") {
      guard let signature = function.signatures(.strict).first(where: { !$0.isMember }) else { continue }
      all.append(Self.candidate(signature, function.summary))
    }
    for macro in Macro.all where !macro.isMember || macro.name == "bind" {
      all.append(Self.candidate(macro, named: macro.isMember ? "cel.\(macro.name)" : macro.name))
    }
    for word in ["true", "false", "null"] {
      all.append(Candidate(name: word, kind: .word, detail: "", summary: nil, arguments: nil))
    }
    return Self.unique(all)
  }

  /// Returns the variables in scope: those of the enclosing loops, innermost first, then those of the environment.
  private func known(to tokens: [Token]) -> [Variable] {
    let loops = loopVariables(tokens).reversed().map { name, place in
      Variable(name, type(of: place, after: tokens, writing: name))
    }
    return loops + environment.variables.filter { !$0.name.isEmpty }
  }

  // MARK: Candidates

  private static func candidate(_ signature: Signature, _ summary: String, named name: String? = nil) -> Candidate {
    let arguments = signature.parameters.dropFirst(signature.isMember ? 1 : 0)
    return Candidate(
      name: name ?? signature.function, kind: .function, detail: signature.description, summary: summary,
      arguments: arguments.enumerated().map { $0.element.argumentName ?? "argument\($0.offset + 1)" })
  }

  private static func candidate(_ macro: Macro, named name: String? = nil) -> Candidate {
    Candidate(
      name: name ?? macro.name, kind: .macro, detail: macro.form, summary: macro.sentence,
      arguments: macro.argumentNames)
  }

  /// Returns the first candidate of each name.
  private static func unique(_ all: [Candidate]) -> [Candidate] {
    var names: Set<String> = []
    return all.filter { names.insert($0.name).inserted }
  }
}

extension CELType {
  fileprivate var isOptionalOrOpen: Bool {
    if case .optional = self { true } else { isOpen }
  }

  /// Placeholder name for an argument of the type in a snippet; nil if the type suggests none.
  fileprivate var argumentName: String? {
    switch self {
    case .dyn, .undetermined, .parameter: nil
    case .list: "list"
    case .map, .record: "map"
    case .optional: "optional"
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: "\(self)"
    case .nullable(let type): type.argumentName
    case .choice: base.argumentName
    case .type, .opaque: nil
    }
  }
}

extension Token.Kind {
  /// Whether a token of this kind may end an operand.
  var endsOperand: Bool {
    switch self {
    case .integer, .unsigned, .double, .string, .bytes, .identifier, .quotedIdentifier, .true, .false, .null,
      .closeParenthesis, .closeBracket, .closeBrace:
      true
    default: false
    }
  }
}
