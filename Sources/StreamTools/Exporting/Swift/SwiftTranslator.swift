internal import CEL
internal import StreamCore

/// Translates expressions into Swift, typed as far as types are known.
struct SwiftTranslator {
  let variables: [ExportVariable]
  /// A name for structs that an expression creates.
  let hint: String
  let output: SwiftOutput

  /// The expression, of a type if one is wanted.
  func translate(_ tree: ExpressionTree, as wanted: SwiftType? = nil) throws(ExportRefusal) -> SwiftExpression {
    if wanted == .json, let literal = try json(tree) { return literal }
    let found = try free(tree)
    guard let wanted else { return found }
    return try converted(found, to: wanted)
  }

  /// Converts an expression to another type. Throws if there is no conversion.
  func converted(_ found: SwiftExpression, to wanted: SwiftType) throws(ExportRefusal) -> SwiftExpression {
    if found.type == wanted { return found }
    switch (found.type, wanted) {
    case (.int, .double):
      return SwiftExpression(code: "Double(\(found.code))", type: .double, isThrowing: found.isThrowing)
    case (_, .json): return SwiftExpression(code: asJSON(found), type: .json, isThrowing: found.isThrowing)
    case (.json, .bool): return accessed(found, "bool()", .bool)
    case (.json, .int): return accessed(found, "int()", .int)
    case (.json, .double): return accessed(found, "double()", .double)
    case (.json, .string): return accessed(found, "string()", .string)
    case (.json, .list(.json)): return accessed(found, "list()", .list(.json))
    case (.list(.never), .list): return SwiftExpression(code: "\(wanted.text)()", type: wanted)
    default: throw ExportRefusal("a value of type \(found.type.text) instead of \(wanted.text)")
    }
  }

  /// Accesses a `JSON` value with a member that throws if the value does not fit.
  private func accessed(_ found: SwiftExpression, _ member: String, _ type: SwiftType) -> SwiftExpression {
    output.needs(.access)
    return SwiftExpression(code: "\(found.target).\(member)", type: type, isThrowing: true)
  }

  private func asJSON(_ found: SwiftExpression) -> String {
    output.needsJSON(of: found.type)
    let code = found.type.isList ? found.target : found.code
    return found.type == .json ? code : SwiftOutput.json(code, found.type, isTyped: true)
  }

  /// Translates literals and constructed values in a context that expects `JSON`.
  private func json(_ tree: ExpressionTree) throws(ExportRefusal) -> SwiftExpression? {
    output.needs(.json)
    switch tree {
    case .literal(let value): return SwiftExpression(code: try SwiftLiteral.json(value), type: .json)
    case .call("dyn", let arguments) where arguments.count == 1: return try translate(arguments[0], as: .json)
    case .list(let elements):
      let parts = try elements.translated { part throws(ExportRefusal) in try translate(part, as: .json) }
      return SwiftExpression(
        code: "[\(parts.map(\.code).joined(separator: ", "))]", type: .json,
        isThrowing: parts.contains(where: \.isThrowing))
    case .map(let entries):
      var parts: [String] = []
      var isThrowing = false
      for (key, value) in entries {
        guard case .literal(.string(let name)) = key else { throw ExportRefusal("a map whose keys are computed") }
        let member = try translate(value, as: .json)
        isThrowing = isThrowing || member.isThrowing
        parts.append("\(SwiftLiteral.string(name)): \(member.code)")
      }
      return SwiftExpression(
        code: parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]", type: .json, isThrowing: isThrowing)
    case .call("? :", let parts) where parts.count == 3:
      let branches = try parts.dropFirst().translated { part throws(ExportRefusal) in try translate(part, as: .json) }
      return choice(try translate(parts[0], as: .bool), branches[0], branches[1], .json)
    default: return nil
    }
  }

  private func choice(
    _ condition: SwiftExpression, _ yes: SwiftExpression, _ no: SwiftExpression, _ type: SwiftType
  ) -> SwiftExpression {
    typealias Precedence = SwiftExpression.Precedence
    return SwiftExpression(
      code: "\(condition.code(in: Precedence.or)) ? \(yes.code(in: Precedence.or)) : \(no.code)", type: type,
      isThrowing: condition.isThrowing || yes.isThrowing || no.isThrowing, precedence: Precedence.ternary)
  }

  private func free(_ tree: ExpressionTree) throws(ExportRefusal) -> SwiftExpression {
    switch tree {
    case .literal(let value): return try literal(value)
    case .variable(let name):
      guard let variable = variables.last(where: { $0.name == name }) else {
        throw ExportRefusal("'\(name)'")
      }
      return SwiftExpression(code: variable.code, type: variable.type)
    case .field(let operand, let name): return try field(of: try free(operand), name)
    case .has(let operand, let name): return try has(try free(operand), name)
    case .call("? :", let parts) where parts.count == 3: return try choice(parts)
    case .call(let name, let arguments):
      if let found = try SwiftOperators.translate(name, arguments, self) { return found }
      if let found = try SwiftFunctions.translate(name, arguments, self) { return found }
      throw ExportRefusal("'\(name)'")
    case .list(let elements): return try list(elements)
    case .map(let entries): return try record(entries)
    case .loop(let loop): return try SwiftLoops.translate(loop, self)
    case .other(let text): throw ExportRefusal("'\(text)'")
    }
  }

  func literal(_ value: Value) throws(ExportRefusal) -> SwiftExpression {
    switch value {
    case .bool(let truth): return SwiftExpression(code: truth ? "true" : "false", type: .bool)
    case .int(let number):
      return SwiftExpression(
        code: String(number), type: .int,
        precedence: number < 0 ? SwiftExpression.Precedence.prefix : SwiftExpression.Precedence.primary)
    case .double(let number) where number.isFinite:
      return SwiftExpression(
        code: "\(number)", type: .double,
        precedence: number < 0 ? SwiftExpression.Precedence.prefix : SwiftExpression.Precedence.primary)
    case .string(let text): return SwiftExpression(code: SwiftLiteral.string(text), type: .string)
    case .null:
      output.needs(.json)
      return SwiftExpression(code: "JSON.null", type: .json)
    case .list(let elements) where elements.isEmpty: return SwiftExpression(code: "[]", type: .list(.never))
    default:
      output.needs(.json)
      return SwiftExpression(code: "(\(try SwiftLiteral.json(value)) as JSON)", type: .json)
    }
  }

  private func field(of operand: SwiftExpression, _ name: String) throws(ExportRefusal) -> SwiftExpression {
    switch operand.type {
    case .record(let record):
      guard let type = record.type(of: name) else {
        throw ExportRefusal("'.\(name)', which \(record.name) does not have")
      }
      return SwiftExpression(code: "\(operand.target).\(name)", type: type, isThrowing: operand.isThrowing)
    case .json:
      output.needs(.member)
      return SwiftExpression(code: "\(operand.target)[\(SwiftLiteral.string(name))]", type: .json, isThrowing: true)
    default: throw ExportRefusal("'.\(name)' of a value of type \(operand.type.text)")
    }
  }

  private func has(_ operand: SwiftExpression, _ name: String) throws(ExportRefusal) -> SwiftExpression {
    switch operand.type {
    case .record(let record):
      return SwiftExpression(code: record.type(of: name) == nil ? "false" : "true", type: .bool)
    case .json:
      output.needs(.has)
      return SwiftExpression(
        code: "\(operand.target).has(\(SwiftLiteral.string(name)))", type: .bool, isThrowing: true)
    default: throw ExportRefusal("'has' of a value of type \(operand.type.text)")
    }
  }

  private func choice(_ parts: [ExpressionTree]) throws(ExportRefusal) -> SwiftExpression {
    let condition = try translate(parts[0], as: .bool)
    let (yes, no) = (try free(parts[1]), try free(parts[2]))
    if yes.type == no.type { return choice(condition, yes, no, yes.type) }
    let type = output.common(yes.type, no.type)
    return choice(condition, try translate(parts[1], as: type), try translate(parts[2], as: type), type)
  }

  private func list(_ elements: [ExpressionTree]) throws(ExportRefusal) -> SwiftExpression {
    let free = try elements.translated { element throws(ExportRefusal) in try self.free(element) }
    guard let first = free.first else { return SwiftExpression(code: "[]", type: .list(.never)) }
    let type = free.dropFirst().reduce(first.type) { output.common($0, $1.type) }
    let parts = try elements.translated { element throws(ExportRefusal) in try translate(element, as: type) }
    return SwiftExpression(
      code: "[\(parts.map(\.code).joined(separator: ", "))]", type: .list(type),
      isThrowing: parts.contains(where: \.isThrowing))
  }

  /// Returns a struct of the entries, or a `JSON` if they are not fields.
  private func record(_ entries: [(key: ExpressionTree, value: ExpressionTree)]) throws(ExportRefusal)
    -> SwiftExpression
  {
    var fields: [SwiftRecord.Field] = []
    var parts: [String] = []
    var isThrowing = false
    for (key, value) in entries {
      guard case .literal(.string(let name)) = key, SwiftName.isPlain(name) else { break }
      let inner = SwiftTranslator(variables: variables, hint: name, output: output)
      var member = try inner.translate(value)
      if member.type == .list(.never) { member = try inner.translate(value, as: .json) }
      fields.append(SwiftRecord.Field(name: name, type: member.type))
      parts.append("\(name): \(member.code)")
      isThrowing = isThrowing || member.isThrowing
    }
    guard fields.count == entries.count, !fields.isEmpty else { return try translate(.map(entries), as: .json) }
    let record = output.records.record(fields, hint: hint)
    // The memberwise initializer wants them in the order of the struct.
    let order = record.fields.compactMap { field in zip(fields, parts).first { $0.0.name == field.name }?.1 }
    return SwiftExpression(
      code: "\(record.name)(\(order.joined(separator: ", ")))", type: .record(record), isThrowing: isThrowing)
  }
}

extension Collection {
  /// A `map` that throws typed errors.
  func translated<Result>(
    _ translate: (Element) throws(ExportRefusal) -> Result
  ) throws(ExportRefusal) -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try translate(element)) }
    return results
  }
}

extension Optional {
  /// A `map` that throws typed errors.
  func translated<Result>(
    _ translate: (Wrapped) throws(ExportRefusal) -> Result
  ) throws(ExportRefusal) -> Result? {
    guard let self else { return nil }
    return try translate(self)
  }
}
