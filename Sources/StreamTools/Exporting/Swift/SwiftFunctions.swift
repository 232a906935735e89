internal import CEL
internal import StreamCore

/// The functions of expressions in Swift, one row each.
struct SwiftFunctions {
  let name: String
  /// The required types of the arguments; nil for any type.
  let arguments: [SwiftType?]
  let result: SwiftType
  /// Whether the code can fail.
  var isThrowing = false
  /// The code, of the arguments' codes as targets of members.
  let code: @Sendable ([String]) -> String

  /// nil if the name is none of the table's, or the arguments are others.
  static func translate(
    _ name: String, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression? {
    switch (name, arguments.count) {
    case ("dyn", 1): return try translator.translate(arguments[0], as: .json)
    case ("matches", 2): return try matches(arguments, translator)
    case ("size", 1): return try size(arguments[0], translator)
    case ("string", 1): return try string(arguments[0], translator)
    default: break
    }
    guard let row = table.first(where: { $0.name == name && $0.arguments.count == arguments.count }) else { return nil }
    var codes: [String] = []
    var isThrowing = row.isThrowing
    for (argument, type) in zip(arguments, row.arguments) {
      let translated = try translator.translate(argument, as: type)
      codes.append(translated.target)
      isThrowing = isThrowing || translated.isThrowing
    }
    return SwiftExpression(code: row.code(codes), type: row.result, isThrowing: isThrowing)
  }

  static let table: [SwiftFunctions] = [
    SwiftFunctions(name: "startsWith", arguments: [.string, .string], result: .bool) { "\($0[0]).hasPrefix(\($0[1]))" },
    SwiftFunctions(name: "endsWith", arguments: [.string, .string], result: .bool) { "\($0[0]).hasSuffix(\($0[1]))" },
    SwiftFunctions(name: "contains", arguments: [.string, .string], result: .bool) { "\($0[0]).contains(\($0[1]))" },
    SwiftFunctions(name: "lowercased", arguments: [.string], result: .string) { "\($0[0]).lowercased()" },
    SwiftFunctions(name: "uppercased", arguments: [.string], result: .string) { "\($0[0]).uppercased()" },
    SwiftFunctions(name: "characters", arguments: [.string], result: .list(.string)) { "\($0[0]).map { String($0) }" },
    SwiftFunctions(name: "split", arguments: [.string, .string], result: .list(.string)) {
      "\($0[0]).split(separator: \($0[1]), omittingEmptySubsequences: false).map { String($0) }"
    },
    SwiftFunctions(name: "join", arguments: [.list(.string), .string], result: .string) {
      "\($0[0]).joined(separator: \($0[1]))"
    },
    SwiftFunctions(name: "double", arguments: [.double], result: .double) { $0[0] },
    SwiftFunctions(name: "int", arguments: [.int], result: .int) { $0[0] },
    SwiftFunctions(name: "bool", arguments: [.bool], result: .bool) { $0[0] },
  ]

  private static func matches(
    _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    guard case .literal(.string(let pattern)) = arguments[1] else {
      throw ExportRefusal("'matches' with a pattern that is computed")
    }
    guard !pattern.contains("/#"), !pattern.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw ExportRefusal("'matches' with a pattern that has no Swift literal")
    }
    let text = try translator.translate(arguments[0], as: .string)
    return SwiftExpression(
      code: "\(text.target).contains(#/\(pattern)/#.matchingSemantics(.unicodeScalar))", type: .bool,
      isThrowing: text.isThrowing)
  }

  private static func size(
    _ argument: ExpressionTree, _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    if case .call("characters", let inner) = argument, inner.count == 1 {
      let text = try translator.translate(inner[0], as: .string)
      return SwiftExpression(code: "\(text.target).count", type: .int, isThrowing: text.isThrowing)
    }
    let operand = try translator.translate(argument)
    switch operand.type {
    case .string:
      return SwiftExpression(code: "\(operand.target).unicodeScalars.count", type: .int, isThrowing: operand.isThrowing)
    case .list: return SwiftExpression(code: "\(operand.target).count", type: .int, isThrowing: operand.isThrowing)
    case .json:
      translator.output.needs(.count)
      return SwiftExpression(code: "\(operand.target).count()", type: .int, isThrowing: true)
    default: throw ExportRefusal("'size' of a value of type \(operand.type.text)")
    }
  }

  private static func string(
    _ argument: ExpressionTree, _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let operand = try translator.translate(argument)
    switch operand.type {
    case .string: return operand
    case .int, .bool:
      return SwiftExpression(code: "String(\(operand.code))", type: .string, isThrowing: operand.isThrowing)
    case .json:
      translator.output.needs(.text)
      return SwiftExpression(code: "\(operand.target).text()", type: .string, isThrowing: true)
    default: throw ExportRefusal("'string' of a value of type \(operand.type.text)")
    }
  }
}
