internal import CEL
internal import StreamCore

/// An expression in exported JavaScript.
struct JavaScriptExpression {
  var code: String
  var precedence = SwiftExpression.Precedence.primary
  /// Whether the value is surely no list and no object, so that `===` compares it.
  var isScalar = false

  func code(in precedence: Int) -> String { self.precedence < precedence ? "(\(code))" : code }
  var target: String { code(in: SwiftExpression.Precedence.primary) }
  /// The body of an arrow function.
  var body: String { code.hasPrefix("{") ? "(\(code))" : code }
}

/// Translates expressions into JavaScript.
struct JavaScriptTranslator {
  private typealias Precedence = SwiftExpression.Precedence

  /// The variables of the expression and their names in the code.
  let variables: [ExportVariable]
  let output: JavaScriptOutput

  func translate(_ tree: ExpressionTree) throws(ExportRefusal) -> JavaScriptExpression {
    switch tree {
    case .literal(let value): return try Self.literal(value)
    case .variable(let name):
      guard let variable = variables.last(where: { $0.name == name }) else { throw ExportRefusal("'\(name)'") }
      return JavaScriptExpression(code: variable.code)
    case .field(let operand, let name):
      let target = try translate(operand).target
      return JavaScriptExpression(
        code: SwiftName.isPlain(name) ? "\(target).\(name)" : "\(target)[\(Self.string(name))]")
    case .has(let operand, let name):
      return JavaScriptExpression(
        code: "\(Self.string(name)) in \(try translate(operand).code(in: Precedence.sum))",
        precedence: Precedence.comparison, isScalar: true)
    case .call("? :", let parts) where parts.count == 3:
      let (yes, no) = (try translate(parts[1]), try translate(parts[2]))
      return JavaScriptExpression(
        code: "\(try translate(parts[0]).code(in: Precedence.or)) ? \(yes.code(in: Precedence.or)) : \(no.code)",
        precedence: Precedence.ternary, isScalar: yes.isScalar && no.isScalar)
    case .call(let name, let arguments): return try call(name, arguments)
    case .list(let elements):
      let parts = try elements.translated { element throws(ExportRefusal) in try translate(element).code }
      return JavaScriptExpression(code: "[\(parts.joined(separator: ", "))]")
    case .map(let entries):
      var parts: [String] = []
      for (key, value) in entries {
        guard case .literal(.string(let name)) = key else { throw ExportRefusal("a map whose keys are computed") }
        let code = try translate(value).code
        parts.append(code == name ? name : "\(SwiftName.isPlain(name) ? name : Self.string(name)): \(code)")
      }
      return JavaScriptExpression(code: parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }")
    case .loop(let loop): return try translate(loop)
    case .other(let text): throw ExportRefusal("'\(text)'")
    }
  }

  static func string(_ text: String) -> String { JSONWriter.compact(.string(text)) }

  static func literal(_ value: Value) throws(ExportRefusal) -> JavaScriptExpression {
    switch value {
    case .null, .bool, .string: return JavaScriptExpression(code: JSONWriter.compact(value), isScalar: true)
    case .int(let number) where abs(Double(number)) <= 9_007_199_254_740_992:
      return JavaScriptExpression(
        code: String(number), precedence: number < 0 ? Precedence.prefix : Precedence.primary, isScalar: true)
    case .int: throw ExportRefusal("an int beyond 2^53, which JavaScript cannot represent")
    case .double(let number) where number.isFinite:
      return JavaScriptExpression(
        code: JSONWriter.compact(value), precedence: number < 0 ? Precedence.prefix : Precedence.primary, isScalar: true
      )
    case .list(let elements):
      let parts = try elements.translated { element throws(ExportRefusal) in try literal(element).code }
      return JavaScriptExpression(code: "[\(parts.joined(separator: ", "))]")
    case .map(let map):
      var parts: [String] = []
      for case (.string(let name), let value) in map.pairs {
        parts.append("\(SwiftName.isPlain(name) ? name : string(name)): \(try literal(value).code)")
      }
      return JavaScriptExpression(code: parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }")
    default: throw ExportRefusal("a value of type \(value.typeName)")
    }
  }

  /// A type as the helper `typed` takes it.
  static func literal(of type: CELType) throws(ExportRefusal) -> String {
    switch type {
    case .dyn: return "'any'"
    case .bool, .int, .uint, .double, .string: return "'\(type)'"
    case .list(let element): return "[\(try literal(of: element))]"
    case .record(let fields):
      var parts: [String] = []
      for field in fields {
        let name = SwiftName.isPlain(field.name) ? field.name : string(field.name)
        parts.append("\(name): \(try literal(of: field.type))")
      }
      return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
    default: throw ExportRefusal("the type \(type)")
    }
  }

  /// The precedence of binary operators.
  private static let binary: [String: Int] = [
    "&&": Precedence.and, "||": Precedence.or, "<": Precedence.comparison, "<=": Precedence.comparison,
    ">": Precedence.comparison, ">=": Precedence.comparison, "-": Precedence.sum, "*": Precedence.product,
    "%": Precedence.product,
  ]

  private func call(_ name: String, _ arguments: [ExpressionTree]) throws(ExportRefusal) -> JavaScriptExpression {
    if name == "size", arguments.count == 1, case .call("characters", let inner) = arguments[0], inner.count == 1 {
      output.needs(.characters)
      return JavaScriptExpression(code: "characters(\(try translate(inner[0]).code)).length", isScalar: true)
    }
    if name == "matches", arguments.count == 2 {
      guard case .literal(.string(let pattern)) = arguments[1] else {
        throw ExportRefusal("'matches' with a pattern that is computed")
      }
      return JavaScriptExpression(
        code: "/\(Self.escapingSlashes(pattern))/u.test(\(try translate(arguments[0]).code))", isScalar: true)
    }
    let parts = try arguments.translated { argument throws(ExportRefusal) in try translate(argument) }
    switch (name, parts.count) {
    case ("==", 2), ("!=", 2): return equality(name, parts)
    case ("!", 1), ("-", 1):
      return JavaScriptExpression(
        code: name + parts[0].target, precedence: Precedence.prefix, isScalar: true)
    case ("+", 2):
      output.needs(.plus)
      return JavaScriptExpression(code: "plus(\(parts[0].code), \(parts[1].code))")
    case ("/", 2):
      output.needs(.quotient)
      return JavaScriptExpression(code: "quotient(\(parts[0].code), \(parts[1].code))", isScalar: true)
    case ("[ ]", 2): return JavaScriptExpression(code: "\(parts[0].target)[\(parts[1].code)]")
    default: break
    }
    if parts.count == 2, let precedence = Self.binary[name] {
      return JavaScriptExpression(
        code: "\(parts[0].code(in: precedence)) \(name) \(parts[1].code(in: precedence + 1))", precedence: precedence,
        isScalar: true)
    }
    guard let row = Self.functions.first(where: { $0.name == name && $0.count == parts.count }) else {
      throw ExportRefusal("'\(name)'")
    }
    if let helper = row.helper { output.needs(helper) }
    return JavaScriptExpression(code: row.code(parts.map(\.target)), isScalar: row.isScalar)
  }

  private func equality(_ name: String, _ parts: [JavaScriptExpression]) -> JavaScriptExpression {
    if parts.contains(where: \.isScalar) {
      return JavaScriptExpression(
        code: "\(parts[0].code(in: Precedence.sum)) \(name)= \(parts[1].code(in: Precedence.sum))",
        precedence: Precedence.comparison, isScalar: true)
    }
    output.needs(.equal)
    return JavaScriptExpression(
      code: "\(name == "==" ? "" : "!")equal(\(parts[0].code), \(parts[1].code))", precedence: Precedence.prefix,
      isScalar: true)
  }

  private func translate(_ loop: ExpressionTree.Loop) throws(ExportRefusal) -> JavaScriptExpression {
    let inner = JavaScriptTranslator(
      variables: variables + [ExportVariable(name: loop.variable, code: loop.variable, type: .json)], output: output)
    let list = try translate(loop.range).target
    let predicate: String? = if let tree = loop.predicate { try inner.translate(tree).body } else { nil }
    let kept = predicate.map { "\(list).filter(\(loop.variable) => \($0))" } ?? list
    switch loop.kind {
    case .filter: return JavaScriptExpression(code: kept)
    case .all:
      return JavaScriptExpression(code: "\(list).every(\(loop.variable) => \(predicate ?? "true"))", isScalar: true)
    case .exists:
      return JavaScriptExpression(code: "\(list).some(\(loop.variable) => \(predicate ?? "true"))", isScalar: true)
    case .existsOne:
      return JavaScriptExpression(code: "\(kept).length === 1", precedence: Precedence.comparison, isScalar: true)
    case .map:
      guard let element = loop.element else { throw ExportRefusal("'map' without a result") }
      return JavaScriptExpression(code: "\(kept).map(\(loop.variable) => \(try inner.translate(element).body))")
    }
  }

  private static func escapingSlashes(_ pattern: String) -> String {
    var escaped = ""
    var isEscaped = false
    var isInClass = false
    for character in pattern {
      if character == "/", !isEscaped, !isInClass { escaped.append("\\") }
      if !isEscaped, character == "[" { isInClass = true }
      if !isEscaped, character == "]" { isInClass = false }
      isEscaped = character == "\\" && !isEscaped
      escaped.append(character)
    }
    return escaped
  }
}

extension JavaScriptTranslator {
  /// A function of expressions in JavaScript.
  struct Function: Sendable {
    let name: String
    let count: Int
    let isScalar: Bool
    var helper: JavaScriptHelper?
    let code: @Sendable ([String]) -> String
  }

  static let functions: [Function] = [
    Function(name: "dyn", count: 1, isScalar: false) { $0[0] },
    Function(name: "size", count: 1, isScalar: true, helper: .size) { "size(\($0[0]))" },
    Function(name: "string", count: 1, isScalar: true) { "String(\($0[0]))" },
    Function(name: "double", count: 1, isScalar: true) { "Number(\($0[0]))" },
    Function(name: "int", count: 1, isScalar: true) { "Math.trunc(Number(\($0[0])))" },
    Function(name: "startsWith", count: 2, isScalar: true) { "\($0[0]).startsWith(\($0[1]))" },
    Function(name: "endsWith", count: 2, isScalar: true) { "\($0[0]).endsWith(\($0[1]))" },
    Function(name: "contains", count: 2, isScalar: true) { "\($0[0]).includes(\($0[1]))" },
    Function(name: "lowercased", count: 1, isScalar: true) { "\($0[0]).toLowerCase()" },
    Function(name: "uppercased", count: 1, isScalar: true) { "\($0[0]).toUpperCase()" },
    Function(name: "characters", count: 1, isScalar: false, helper: .characters) { "characters(\($0[0]))" },
    Function(name: "split", count: 2, isScalar: false) { "\($0[0]).split(\($0[1]))" },
    Function(name: "join", count: 2, isScalar: true) { "\($0[0]).join(\($0[1]))" },
    Function(name: "in", count: 2, isScalar: true, helper: .equal) {
      "\($0[1]).some(element => equal(element, \($0[0])))"
    },
  ]
}
