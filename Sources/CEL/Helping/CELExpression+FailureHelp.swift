package import StreamCore

extension CELExpression {
  /// Returns help for a failed evaluation: for a missing member, for null, for a string where a number or a time is
  /// needed, and for a range beyond the end. Nil for other failures.
  ///
  /// - Parameters:
  ///   - code: The code of the failure.
  ///   - message: Its message.
  ///   - range: Its range in the expression.
  ///   - values: The known values of variables.
  package func help(
    for code: DiagnosticCode, _ message: String, at range: Range<Int>, with values: [String: Value]
  ) -> String? {
    let codes: [DiagnosticCode] = [
      .noSuchKey, .noSuchOverload, .indexOutOfBounds, .invalidConversion, .overflow, .budgetExceeded,
    ]
    guard codes.contains(code), let syntax = try? parse() else { return nil }
    return DeepStack.run(levels: syntax.depth) {
      FailureHelp(syntax: syntax, values: values).help(code, message, range)
    }
  }
}

/// Finds the part of an expression that has failed, and how to write it instead.
struct FailureHelp {
  let syntax: Syntax
  let values: [String: Value]

  static let table = "the fields of a table are text"
  static let noNegative =
    "a string has no negative: 'descending: true' of an operator, and reverse() of a list, turn an order around"

  func help(_ code: DiagnosticCode, _ message: String, _ range: Range<Int>) -> String? {
    if code == .budgetExceeded {
      return budgetHelp(Array(syntax.text.utf8)[range.clamped(to: 0..<syntax.text.utf8.count)])
    }
    for id in syntax.nodes.indices where syntax.ranges[id] == range {
      if message == "a value of type null has no elements to iterate over" { return nullHelp(id, "[]") { $0 } }
      switch (syntax.nodes[id], code) {
      case (.select(let operand, let field, let isTest), _):
        if let help = memberHelp(id, operand, field, isTest, code, message) { return help }
      case (.call(Operators.index, nil, let arguments), .noSuchKey),
        (.call(Operators.index, nil, let arguments), .indexOutOfBounds):
        guard arguments.count == 2 else { continue }
        let access = "\(syntax.operand(arguments[0]))[?\(index(arguments[1], of: arguments[0]))]"
        return "write \(access).orValue(\(other(than: id))) where it may be missing"
      case (.call(let function, let target, let arguments), .noSuchOverload):
        if let help = callHelp(call(function, target, arguments), message, range) { return help }
      case (.call(let function, let target?, let arguments), .indexOutOfBounds):
        guard function == "slice" || function == "substring" else { continue }
        if let help = rangeHelp(function, target, arguments, message) { return help }
      case (.call("timestamp", nil, let arguments), .overflow):
        if arguments.count == 1, message.contains("milliseconds") {
          return "write timestamp.fromMillis(\(text(arguments[0])))"
        }
      case (.call(let function, nil, let arguments), .invalidConversion):
        if arguments.count == 1, let help = conversionHelp(function, arguments[0]) { return help }
      default: continue
      }
    }
    return nil
  }

  /// Returns help for a string that is not a number, or is a time in another form; nil for other conversions.
  private func conversionHelp(_ function: String, _ argument: Syntax.ID) -> String? {
    switch function {
    case "int": return "write tryInt(\(text(argument))).orValue(0) where it may be no number"
    case "double": return "write tryDouble(\(text(argument))).orValue(0.0) where it may be no number"
    case "timestamp":
      guard case .string(let time)? = value(of: argument), let pattern = DatePattern.fitting(time) else { return nil }
      return "write parseTime(\(text(argument)), '\(pattern)')"
    default: return nil
    }
  }

  /// Returns the operators that do the work of an evaluation with too many steps.
  private func budgetHelp(_ part: ArraySlice<UInt8>) -> String {
    let sorts = ["sortBy", "sort", "percentile"].contains { String(decoding: part, as: UTF8.self).contains(".\($0)(") }
    return sorts
      ? "the operator 'sort' has no such limit: sort(by: value.n, limit: 10000000), followed by prefix(3), or by "
        + "collect() and the percentile of the sorted list"
      : "operators such as 'sum', 'max', 'groupBy' and 'scan' take one value after the other, without this limit"
  }

  func text(_ id: Syntax.ID) -> String { syntax.text(of: id) }

  /// Returns the index of an element, counted from the start if it is counted from the end.
  private func index(_ id: Syntax.ID, of list: Syntax.ID) -> String {
    guard case .literal(.int(let number)) = syntax.nodes[id], number < 0 else { return text(id) }
    return "size(\(text(list))) - \(number.magnitude)"
  }

  // MARK: Members

  private func memberHelp(
    _ id: Syntax.ID, _ operand: Syntax.ID, _ field: String, _ isTest: Bool, _ code: DiagnosticCode, _ message: String
  ) -> String? {
    let isWritable = !field.isEmpty && !field.contains { $0 == "`" || $0.isNewline }
    let access =
      syntax.operand(operand)
      + (isWritable ? ".?\(MemberNames.written(field))" : "[?\(JSONWriter.compact(.string(field)))]")
    if code == .noSuchKey {
      let optional = "write \(access).orValue(\(other(than: id))) where it may be missing"
      return nearestMember(of: operand, to: field).map { "did you mean \($0)? Else \(optional)" } ?? optional
    }
    guard message.hasPrefix("a value of type null") else {
      return isTest || !message.hasPrefix("a value of type") ? nil : ForeignNames.memberHelp(for: field)
    }
    return isTest
      ? "'\(text(operand))' may be null: write \(access).hasValue()"
      : "'\(text(operand))' may be null: write \(access).orValue(\(other(than: id)))"
  }

  /// Returns the member of a known value whose name resembles a missing one; nil if none does.
  private func nearestMember(of operand: Syntax.ID, to name: String) -> String? {
    guard case .map(let map)? = value(of: operand) else { return nil }
    let names = map.keys.compactMap(\.text).filter { !$0.isEmpty && !$0.contains { $0 == "`" || $0.isNewline } }
    return nearestName(to: name, among: names).map { "\(syntax.operand(operand)).\(MemberNames.written($0))" }
  }

  /// Returns a value that fits in the place of a node: false as a condition, zero in arithmetic, or one of the type of
  /// the other operand.
  private func other(than id: Syntax.ID) -> String {
    for node in syntax.nodes {
      guard case .call(let function, nil, let arguments) = node, let place = arguments.firstIndex(of: id) else {
        continue
      }
      let isCondition = place == 0 && function == Operators.conditional
      if isCondition || [Operators.and, Operators.or, Operators.not].contains(function) { return "false" }
      if function == Operators.negate { return "0" }
      guard arguments.count == 2 else { continue }
      let sibling = arguments[1 - place]
      let isArithmetic = Self.arithmetic.contains(function)
      // Equality takes null beside any value. A literal shows the type that the author has in mind.
      if !isArithmetic, !Self.relations.contains(function), !isLiteral(sibling) { return "null" }
      switch value(of: sibling) {
      case .string?: return "''"
      case .int?: return "0"
      case .uint?: return "0u"
      case .double?: return "0.0"
      case .bool?: return "false"
      default: return isArithmetic ? "0" : "null"
      }
    }
    return "null"
  }

  private func isLiteral(_ id: Syntax.ID) -> Bool {
    if case .literal = syntax.nodes[id] { true } else { false }
  }

  static let arithmetic = ["_+_", "_-_", "_*_", "_/_", "_%_"]
  static let relations = ["_<_", "_<=_", "_>_", "_>=_"]

  // MARK: Calls

  private func callHelp(_ call: FailedCall, _ message: String, _ range: Range<Int>) -> String? {
    let types = types(in: message)
    // The functions that macros call have no form in which they are written.
    if call.function.utf8.first == UInt8(ascii: "@"), call.function != Operators.in {
      return types?.contains("null") == true ? "write a key for null: x.name == null ? 0 : x.name" : nil
    }
    if call.isMember, let list = call.operands.first, !isNull(list) {
      let arguments = call.operands.dropFirst()
      if let help = listHelp(call.function, list, arguments, message) { return help }
    }
    guard let types, types.count <= call.operands.count else { return nil }
    // An operand with the range of the whole call is not part of the text: a macro has added it.
    if let place = types.firstIndex(of: "null"), syntax.ranges[call.operands[place]] == range { return nil }
    if let help = nullHelp(call, types) ?? timeHelp(call, types) ?? numberHelp(call, types) { return help }
    if call.function == Operators.negate, types == ["string"] { return Self.noNegative }
    let (function, operands) = (call.function, call.operands)
    guard operands.count == 2, types.count == 2,
      Self.arithmetic.contains(function) || Self.relations.contains(function)
    else { return nil }
    let sign = Operators.displayName(function)
    let texts = operands.map(syntax.operand)
    let areNumbers = types.map { ["int", "uint", "double"].contains($0) }
    if types == ["string", "string"], function != Operators.add, operands.allSatisfy(mayBeNumber) {
      let numbers = operands.map { "double(\(text($0)))" }
      return "\(Self.table): write \(numbers[0]) \(sign) \(numbers[1]), or declare their types"
    }
    guard let place = types.firstIndex(of: "string"), areNumbers[1 - place] else { return nil }
    if case .literal(.string(let content)) = syntax.nodes[operands[place]] {
      if function == Operators.add { return joined(operands, converting: 1 - place) }
      return Self.isNumber(content) ? written(sign, texts, place, content) : nil
    }
    switch value(of: operands[place]) {
    case .string(let content)? where Self.isNumber(content):
      return "\(Self.table): " + written(sign, texts, place, "double(\(text(operands[place])))")
        + ", or declare the type of \(texts[place])"
    case nil where function != Operators.add:
      return "if \(texts[place]) is a number as text, "
        + written(sign, texts, place, "double(\(text(operands[place])))")
    default: return function == Operators.add ? joined(operands, converting: 1 - place) : nil
    }
  }

  private func written(_ sign: String, _ texts: [String], _ place: Int, _ text: String) -> String {
    place == 0 ? "write \(text) \(sign) \(texts[1])" : "write \(texts[0]) \(sign) \(text)"
  }

  private func joined(_ operands: [Syntax.ID], converting place: Int) -> String {
    written("+", operands.map(syntax.operand), place, "string(\(text(operands[place])))")
  }

  /// Returns help for a function on a list with null in it, or with numbers as text.
  private func listHelp(
    _ function: String, _ list: Syntax.ID, _ arguments: ArraySlice<Syntax.ID>, _ message: String
  ) -> String? {
    let rest = "\(function)(\(arguments.map(text).joined(separator: ", ")))"
    if message.contains("takes a list of numbers") {
      if message.hasSuffix("not null in it") { return "write \(syntax.operand(list)).filter(x, x != null).\(rest)" }
      let parts = message.split(separator: "'")
      guard parts.count >= 2, message.hasSuffix("' in it"), Self.isNumber(String(parts[parts.count - 2])) else {
        return nil
      }
      return "\(Self.table): write \(syntax.operand(list)).map(x, double(x)).\(rest), or declare the type"
    }
    let isOfList = accepted(FailedCall(function: function, operands: [list] + arguments, isMember: true), at: 0, [])
      .contains { $0.hasPrefix("list") }
    if isOfList, let types = types(in: message), types.contains("null"), types.count == 2, types[0] != "list" {
      return "write \(syntax.operand(list)).filter(x, x != null).\(rest)"
    }
    return nil
  }

  /// The types in a message that ends with "does not take (string, int)".
  private func types(in message: String) -> [String]? {
    guard let open = message.lastIndex(of: "("), message.last == ")", message.contains("does not take (") else {
      return nil
    }
    return message[message.index(after: open)...].dropLast().split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
  }

  // MARK: Values

  private func mayBeNumber(_ id: Syntax.ID) -> Bool {
    guard case .string(let content)? = value(of: id) else { return false }
    return Self.isNumber(content)
  }

  static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, Double(text)?.isFinite == true else { return false }
    return first != UInt8(ascii: "+") && !text.utf8.contains(UInt8(ascii: "x"))
  }

  /// The value of a variable, or of a member of one; nil if it is not known.
  func value(of id: Syntax.ID) -> Value? {
    switch syntax.nodes[id] {
    case .literal(let value): return value
    case .name(let name, _): return values[name]
    case .select(let operand, let field, isTest: false):
      guard case .map(let map)? = value(of: operand) else { return nil }
      return map[field]
    case .call(Operators.index, nil, let arguments):
      guard arguments.count == 2, case .literal(let key) = syntax.nodes[arguments[1]] else { return nil }
      switch (value(of: arguments[0]), key) {
      case (.map(let map)?, .string(let name)): return map[name]
      case (.list(let list)?, .int(let index)) where index >= 0 && index < list.count: return list[Int(index)]
      default: return nil
      }
    default: return nil
    }
  }
}
