internal import CEL
internal import StreamCore

/// The operators of expressions in Swift: Swift's own if both operands are typed, those of `JSON` otherwise.
enum SwiftOperators {
  private typealias Precedence = SwiftExpression.Precedence

  /// nil if the name is none of an operator's.
  static func translate(
    _ name: String, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression? {
    switch (name, arguments.count) {
    case ("&&", 2): return try logic(name, Precedence.and, arguments, translator)
    case ("||", 2): return try logic(name, Precedence.or, arguments, translator)
    case ("!", 1):
      let operand = try translator.translate(arguments[0], as: .bool)
      return SwiftExpression(
        code: "!\(operand.target)", type: .bool, isThrowing: operand.isThrowing, precedence: Precedence.prefix)
    case ("-", 1): return try negated(try translator.translate(arguments[0]), translator)
    case ("==", 2), ("!=", 2): return try equality(name, arguments, translator)
    case ("<", 2), ("<=", 2), (">", 2), (">=", 2): return try comparison(name, arguments, translator)
    case ("+", 2), ("-", 2): return try arithmetic(name, Precedence.sum, arguments, translator)
    case ("*", 2), ("/", 2), ("%", 2): return try arithmetic(name, Precedence.product, arguments, translator)
    case ("[ ]", 2): return try element(arguments, translator)
    case ("in", 2): return try membership(arguments, translator)
    default: return nil
    }
  }

  private static func joined(
    _ name: String, _ precedence: Int, _ left: SwiftExpression, _ right: SwiftExpression, _ type: SwiftType,
    isThrowing: Bool = false
  ) -> SwiftExpression {
    // Swift needs parentheses for a right operand of the same precedence, except in chains of && or ||.
    let isChain = precedence == Precedence.and || precedence == Precedence.or
    return SwiftExpression(
      code: "\(left.code(in: precedence == Precedence.comparison ? precedence + 1 : precedence)) \(name) "
        + right.code(in: isChain ? precedence : precedence + 1),
      type: type, isThrowing: isThrowing || left.isThrowing || right.isThrowing, precedence: precedence)
  }

  private static func logic(
    _ name: String, _ precedence: Int, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    joined(
      name, precedence, try translator.translate(arguments[0], as: .bool),
      try translator.translate(arguments[1], as: .bool), .bool)
  }

  private static func negated(
    _ operand: SwiftExpression, _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    guard operand.type.isNumber else {
      if operand.type == .json {
        return try negated(try translator.converted(operand, to: .double), translator)
      }
      throw ExportRefusal("'-' of a value of type \(operand.type.text)")
    }
    return SwiftExpression(
      code: "-\(operand.target)", type: operand.type, isThrowing: operand.isThrowing, precedence: Precedence.prefix)
  }

  /// Converts both operands to one type; a literal number takes the type of the other operand.
  private static func sides(
    _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> (SwiftExpression, SwiftExpression, SwiftType) {
    let (left, right) = (try translator.translate(arguments[0]), try translator.translate(arguments[1]))
    if left.type == right.type { return (left, right, left.type) }
    let type = translator.output.common(left.type, right.type)
    return (try side(arguments[0], type, translator), try side(arguments[1], type, translator), type)
  }

  private static func side(
    _ tree: ExpressionTree, _ type: SwiftType, _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    if type == .double, case .literal(.int(let number)) = tree {
      return try translator.literal(.double(Double(number)))
    }
    return try translator.translate(tree, as: type)
  }

  private static func equality(
    _ name: String, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let (left, right, type) = try sides(arguments, translator)
    if type == .json { translator.output.needs(.json) }
    return joined(name, Precedence.comparison, left, right, .bool)
  }

  private static func comparison(
    _ name: String, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let (left, right, type) = try sides(arguments, translator)
    switch type {
    case .int, .double, .string: return joined(name, Precedence.comparison, left, right, .bool)
    case .json:
      translator.output.needs(.order)
      return joined(name, Precedence.comparison, left, right, .bool, isThrowing: true)
    default: throw ExportRefusal("'\(name)' between values of type \(type.text)")
    }
  }

  private static func arithmetic(
    _ name: String, _ precedence: Int, _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let (left, right, type) = try sides(arguments, translator)
    switch (name, type) {
    case ("/", .int), ("%", .int):
      guard case .literal(.int(let divisor)) = arguments[1], divisor != 0, divisor != -1 else {
        translator.output.needs(.division)
        let function = name == "/" ? "quotient" : "remainder"
        return SwiftExpression(code: "\(function)(\(left.code), \(right.code))", type: .int, isThrowing: true)
      }
      return joined(name, precedence, left, right, .int)
    case ("%", .double): throw ExportRefusal("'%' between values of type Double")
    case (_, .int), (_, .double), ("+", .string): return joined(name, precedence, left, right, type)
    case ("+", .list): return joined(name, precedence, left, right, type)
    case (_, .json):
      translator.output.needs(.arithmetic)
      return joined(name, precedence, left, right, .json, isThrowing: true)
    default: throw ExportRefusal("'\(name)' between values of type \(type.text)")
    }
  }

  private static func element(
    _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let list = try translator.translate(arguments[0])
    if case .literal(.string(let name)) = arguments[1] {
      return try translator.translate(.field(of: arguments[0], name))
    }
    let index = try translator.translate(arguments[1], as: .int)
    switch list.type {
    case .list(let element):
      translator.output.needs(.elementAt)
      return SwiftExpression(code: "\(list.target).element(at: \(index.code))", type: element, isThrowing: true)
    case .json:
      translator.output.needs(.element)
      return SwiftExpression(code: "\(list.target)[\(index.code)]", type: .json, isThrowing: true)
    default: throw ExportRefusal("'[ ]' of a value of type \(list.type.text)")
    }
  }

  private static func membership(
    _ arguments: [ExpressionTree], _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    let list = try translator.translate(arguments[1])
    guard case .list(let element) = list.type else {
      throw ExportRefusal("'in' a value of type \(list.type.text)")
    }
    let member = try translator.translate(arguments[0], as: element)
    return SwiftExpression(
      code: "\(list.target).contains(\(member.code))", type: .bool, isThrowing: member.isThrowing || list.isThrowing)
  }
}
