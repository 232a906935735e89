internal import CEL

/// The macros over lists in Swift: methods with closures.
enum SwiftLoops {
  static func translate(
    _ loop: ExpressionTree.Loop, _ translator: SwiftTranslator
  ) throws(ExportRefusal) -> SwiftExpression {
    var list = try translator.translate(loop.range)
    if list.type == .json { list = try translator.converted(list, to: .list(.json)) }
    guard case .list(let elementType) = list.type else {
      throw ExportRefusal("'\(loop.kind.rawValue)' of a value of type \(list.type.text)")
    }
    let name = SwiftName.variable(loop.variable)
    let inner = SwiftTranslator(
      variables: translator.variables + [ExportVariable(name: loop.variable, code: name, type: elementType)],
      hint: translator.hint, output: translator.output)
    let predicate: SwiftExpression? =
      if let tree = loop.predicate { try inner.translate(tree, as: .bool) } else { nil }
    func call(_ target: String, _ method: String, _ body: SwiftExpression, _ type: SwiftType) -> SwiftExpression {
      let result = body.type == .json ? " -> JSON" : ""
      return SwiftExpression(
        code: "\(target).\(method) { \(name)\(result) in \(body.whole) }", type: type,
        isThrowing: list.isThrowing || body.isThrowing)
    }
    switch (loop.kind, predicate) {
    case (.filter, let predicate?): return call(list.target, "filter", predicate, list.type)
    case (.all, let predicate?): return call(list.target, "allSatisfy", predicate, .bool)
    case (.exists, let predicate?): return call(list.target, "contains", predicate, .bool)
    case (.existsOne, let predicate?):
      var found = call(list.target, "filter", predicate, .bool)
      found.code += ".count == 1"
      found.precedence = SwiftExpression.Precedence.comparison
      return found
    case (.map, let predicate):
      guard let tree = loop.element else { throw ExportRefusal("'map' without a result") }
      let element = try inner.translate(tree)
      guard let predicate else { return call(list.target, "map", element, .list(element.type)) }
      let kept = call(list.target, "filter", predicate, list.type)
      var made = call(kept.code, "map", element, .list(element.type))
      made.isThrowing = made.isThrowing || kept.isThrowing
      return made
    default: throw ExportRefusal("'\(loop.kind.rawValue)'")
    }
  }
}
