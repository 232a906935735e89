import StreamCore

// The quotient of two integers is an integer. If the types are not known, the way a number is written decides: 7 is an
// integer, 7.0 is not, and programs write both for the same number.

extension CELExpression {
  /// Returns warnings about quotients that may lose their decimals unintentionally.
  ///
  /// - Parameter isKey: Whether the result is a key, for which a quotient divides a range into equal parts.
  func quotients(in environment: ExpressionEnvironment, ofKey isKey: Bool) -> [Diagnostic] {
    guard environment.numbers == .mixed, let syntax = try? parse(in: environment) else { return [] }
    return DeepStack.run(levels: syntax.depth) {
      var checker = Checker(syntax, in: environment)
      checker.check(syntax.root)
      return Quotients(checker, isKey: isKey).remarks
    }
  }
}

/// The quotients of an expression, and their uses.
private struct Quotients {
  private let checker: Checker
  private let isKey: Bool
  /// The node around each node; that of the root is the root.
  private var parents: [Syntax.ID]

  private var syntax: Syntax { checker.syntax }

  init(_ checker: Checker, isKey: Bool) {
    self.checker = checker
    self.isKey = isKey
    parents = Array(checker.syntax.nodes.indices)
    for id in checker.syntax.nodes.indices {
      for child in checker.syntax.nodes[id].children { parents[child] = id }
    }
  }

  var remarks: [Diagnostic] { syntax.nodes.indices.compactMap(remark) }

  private func remark(_ id: Syntax.ID) -> Diagnostic? {
    guard case .call("_/_", nil, let operands) = syntax.nodes[id], operands.count == 2 else { return nil }
    let areIntegers = operands.map { isDouble($0) ? nil : isInteger(checker.types[$0].settled) }
    let isCertain = areIntegers == [true, true]
    let (dividend, divisor) = (syntax.operand(operands[0]), syntax.operand(operands[1]))
    let exact = "double(\(syntax.text(of: operands[0]))) / \(divisor)"
    if isCertain, let name = rounding(of: id) {
      return Diagnostic(
        .typeMismatch, "the quotient of two integers is an integer without decimals, so \(name) changes nothing",
        part: .text(syntax.ranges[id]), severity: .warning, help: "write \(exact)")
    }
    guard !areIntegers.contains(nil), !isLiteral(operands, isCertain), !isCutOnPurpose(id, by: operands[1]) else {
      return nil
    }
    let cut = "int(\(dividend) / \(divisor)) if it is meant to have none"
    return Diagnostic(
      .typeMismatch,
      isCertain
        ? "the quotient of two integers has no decimals: 7 / 2 is 3"
        : "the quotient has no decimals where both numbers are written without: 7 / 2 is 3, and 7.0 / 2 is 3.5",
      part: .text(syntax.ranges[id]), severity: .warning, help: "write \(exact), or \(cut)")
  }

  /// Whether a type is that of integers; nil for a type whose quotients keep their decimals, and false for one that is
  /// not known.
  private func isInteger(_ type: CELType) -> Bool? {
    switch type {
    case .int, .uint: true
    case .dyn, .undetermined: false
    case .nullable(let inner): isInteger(inner)
    default: nil
    }
  }

  /// Whether an operand is converted to a double, also where null is not.
  private func isDouble(_ operand: Syntax.ID) -> Bool {
    if case .call("double", nil, _) = syntax.nodes[operand] { true } else { false }
  }

  /// Whether an operand is a number in the expression, so that the quotient is one of a known unit: `value.ms / 1000` of
  /// an integer. False for a quotient of a value without a type, unless it fails anyway.
  private func isLiteral(_ operands: [Syntax.ID], _ isCertain: Bool) -> Bool {
    operands.contains { operand in
      guard case .literal(let value) = syntax.nodes[operand] else { return false }
      return isCertain || value == .int(0) && operand == operands[1]
    }
  }

  private func isCutOnPurpose(_ id: Syntax.ID, by divisor: Syntax.ID) -> Bool {
    if isKey || isLengthOfTime(divisor) { return true }
    let parent = parents[id]
    if case .list(let elements) = syntax.nodes[parent], let place = elements.firstIndex(of: id) {
      return clause(place, ofFormatWith: parent).map("dxXob".contains) == true
    }
    guard parent != id, case .call(let function, let target, let arguments) = syntax.nodes[parent] else { return false }
    switch function {
    case "_+_", "_-_", Operators.negate: return isCutOnPurpose(parent, by: divisor)
    // The quotient is the number of a part, and its product with the divisor is where the part begins.
    case "_*_": return arguments.contains { $0 != id && syntax.text(of: $0) == syntax.text(of: divisor) }
    case "_%_", Operators.index, Operators.optionalIndex: return true
    default: break
    }
    switch checker.meanings[parent] {
    case .function(let called), .qualifiedFunction(let called):
      if Self.cutting.contains(called.name) { return true }
      let isMember = if case .qualifiedFunction = checker.meanings[parent] { false } else { target != nil }
      guard let place = ((isMember ? [target].compactMap(\.self) : []) + arguments).firstIndex(of: id) else {
        return false
      }
      let accepted = called.signatures(.mixed).compactMap { $0.parameters.count > place ? $0.parameters[place] : nil }
      return accepted.contains(.int) && !accepted.contains(.double) && !accepted.contains(.dyn)
    default: return false
    }
  }

  /// Whether a divisor is a minute, an hour or a day, in seconds or milliseconds: the quotient is the number of a period.
  private func isLengthOfTime(_ divisor: Syntax.ID) -> Bool {
    guard case .literal(.int(let number)) = syntax.nodes[divisor] else { return false }
    return [60, 3_600, 86_400, 60_000, 3_600_000, 86_400_000].contains(number)
  }

  /// Returns the letter of the clause that writes an element of a list in a literal format; nil for other lists.
  private func clause(_ place: Int, ofFormatWith list: Syntax.ID) -> Character? {
    guard case .call("format", let target?, _) = syntax.nodes[parents[list]],
      case .literal(.string(let format)) = syntax.nodes[target]
    else { return nil }
    let parts = format.replacing("%%", with: "").split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    return parts.dropFirst(place).first?.first { $0.isLetter }
  }

  private static let cutting: Set<String> = ["int", "uint", "tryInt", "math.floor", "math.trunc"]

  /// Returns the name of the call that rounds a quotient, or the format that writes it with decimals; nil if none does.
  private func rounding(of id: Syntax.ID) -> String? {
    let parent = parents[id]
    if case .function(let function) = checker.meanings[parent], function.name == "round" { return "'round'" }
    if case .qualifiedFunction(let function) = checker.meanings[parent] {
      return ["math.round", "math.ceil"].contains(function.name) ? "'\(function.name)'" : nil
    }
    guard case .list(let elements) = syntax.nodes[parent], elements.count == 1,
      case .call("format", let target?, _) = syntax.nodes[parents[parent]],
      case .literal(.string(let text)) = syntax.nodes[target],
      text.contains("%."), text.hasSuffix("f") || text.contains("f ")
    else { return nil }
    return "'\(text)'"
  }
}
