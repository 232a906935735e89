internal import CEL
internal import StreamCore

/// The errors of one-liners.
extension ShortFormReader {
  func problem(
    _ code: DiagnosticCode, _ message: String, at range: Range<Int>, _ pointer: JSONPointer = JSONPointer(),
    help: String? = nil
  ) -> Diagnostic {
    let lower = min(range.lowerBound, bytes.count)
    let upper = max(lower, min(range.upperBound, bytes.count))
    return Diagnostic(code, message, at: pointer, help: help, location: source.location(of: lower..<upper))
  }

  /// The text that comes next, in words for the end of a message.
  var found: String {
    if isAtEnd { return "; found the end" }
    return "; found '\(text(nextRange))'"
  }

  /// The word or the character that comes next.
  private var nextRange: Range<Int> {
    var end = position
    while end < bytes.count, bytes[end].isLetterOrUnderscore || bytes[end].isDecimalDigit { end += 1 }
    if end == position, end < bytes.count {
      end += 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    }
    return position..<end
  }

  /// The error for text that does not continue the stream.
  func unexpected(after what: String, _ expected: String, at pointer: JSONPointer) -> Diagnostic {
    let code: DiagnosticCode = isAtEnd ? .unexpectedEnd : .syntax
    return problem(
      code, "\(expected) after \(what)\(found)", at: nextRange, pointer, help: ShortFormAdvice.help(in: bytes, position)
    )
  }

  /// The error for a missing name of an operator or a source.
  func missingStep(_ what: String, at pointer: JSONPointer) -> Diagnostic {
    var copy = self
    // The marks of a whole string are those of the one-liner, and not those that a shell needs.
    let isString = byte() == UInt8(ascii: "\"") && (try? copy.readQuoted(at: pointer)) != nil
    return problem(
      isAtEnd ? .unexpectedEnd : .syntax, "expected \(what)\(found)",
      at: isString ? position..<copy.position : nextRange,
      pointer, help: isString ? nil : ShortFormAdvice.help(in: bytes, position))
  }

  func noOperator(_ name: String, _ range: Range<Int>, at pointer: JSONPointer) -> Diagnostic {
    if Source.spec(named: name) != nil {
      return problem(
        .unknownOperator, "'\(name)' is a source; a source comes first", at: range, pointer,
        help: "write merge(…) or append(…) with the stream in parentheses, as in append((\(name)(…)))")
    }
    if name == Operator.Custom.applyName {
      return problem(
        .invalidArgument, "'apply' has no short form", at: range, pointer,
        help: "write a stream file with definitions or parameters; --print-model prints a one-liner as one")
    }
    if name == StreamModel.Partition.spec.name {
      return problem(
        .unknownOperator, "'\(name)' comes first, or directly after the source", at: range, pointer,
        help: "write groupBy(value.user, (…)) elsewhere")
    }
    return problem(
      .unknownOperator, "there is no operator '\(name)'", at: range, pointer,
      help: ShortFormAdvice.help(forOperator: name, argument: byte() == UInt8(ascii: "(") ? byte(1) : byte())
        ?? "'streamrun operators' lists them all")
  }

  /// The error for a stream within another one that does not begin with a source.
  func noSource(_ name: String, _ range: Range<Int>, at pointer: JSONPointer) -> Diagnostic {
    let isOperator = Operator.entry(named: name) != nil
    return problem(
      .unknownSource,
      isOperator
        ? "a stream within a stream begins with a source; '\(name)' is an operator" : "there is no source '\(name)'",
      at: range, pointer,
      help: isOperator
        ? "write just(outer) | \(name)(…), for example, or input(\(ShortForm.inputName)) | \(name)(…)"
        : nearestName(to: name, among: Source.table.map(\.spec.name)).map { "did you mean '\($0)'?" }
          ?? "write input(\(name)) for an input with this name")
  }

  func unknownField(
    _ name: String, _ range: Range<Int>, of spec: OperatorSpec, at pointer: JSONPointer
  ) -> Diagnostic {
    let names = spec.parts.names
    var diagnostic = problem(
      .unknownKey, "unknown argument '\(name)' of '\(spec.name)'", at: range, pointer.appending(name),
      help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
        ?? help(forMember: name, of: spec, after: range))
    diagnostic.notes.append(
      names.isEmpty ? "'\(spec.name)' has no arguments" : "known arguments: \(names.joined(separator: ", "))")
    return diagnostic
  }

  /// Returns help for an argument with a name of other libraries, such as `ms: 300`; nil if nothing is known of it.
  private func help(forMember name: String, of spec: OperatorSpec, after range: Range<Int>) -> String? {
    var copy = self
    copy.position = range.upperBound
    copy.skipBlanks()
    _ = copy.take(":")
    copy.skipBlanks()
    let value = (try? copy.readLiteral(.value, at: JSONPointer())) ?? .null
    guard let help = FieldAdvice(spec: spec).help(forMember: name, value) else { return nil }
    // The advice is in the words of stream files, where names have quotation marks.
    let parts = help.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "write " ? parts.joined() : help
  }

  /// The error for an argument without a name of an operator that the catalogue does not have.
  func unnamedArgument(of name: String, at pointer: JSONPointer) -> Diagnostic {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let isChain = last == "pipe" || Operator.entry(named: last) != nil || Operator.aliases[last] != nil
    return problem(
      .syntax, "the arguments of '\(name)', an operator of a host, need names", at: nextRange, pointer,
      help: isChain
        ? "operators are separated by '|', not by '.': filter(value > 1) | count()" : "write \(name)(NAME: VALUE)")
  }

  func tooManyArguments(_ spec: OperatorSpec, at pointer: JSONPointer) -> Diagnostic {
    let names = spec.positionalFields.map { "'\($0.name)'" }
    let message =
      names.isEmpty
      ? "'\(spec.name)' has no arguments"
      : "'\(spec.name)' takes \(names.joined(separator: " and ")) without a name; the other arguments need names"
    return problem(
      .syntax, message, at: nextRange, pointer, help: spec.parts.fields.isEmpty ? nil : "write \(spec.shortSignature)")
  }

  /// Returns help for an argument without a name that is not of the kind of its field: another field may take it.
  func help(forUnnamedAt start: Int, of spec: OperatorSpec) -> String {
    var copy = self
    copy.position = start
    var text = copy.text(copy.nextRange)
    if ["\"", "'"].contains(text), let quoted = try? copy.readQuoted(at: JSONPointer()) {
      // A word or a length of time needs no quotation marks.
      text = quoted
      copy = ShortFormReader(SourceText(file: source.file, bytes: Array(quoted.utf8)))
    }
    let named = spec.parts.fields.dropFirst(spec.positionalFields.isEmpty ? 0 : 1).first { field in
      var reader = copy
      switch field.kind {
      case .seconds: return (try? reader.readValue(field.kind, at: JSONPointer())) != nil
      case .choice(let words): return words.contains(text)
      default: return false
      }
    }
    return named.map { "write \($0.name): \(text)" } ?? "write \(spec.shortSignature)"
  }

  /// Returns the error of an argument without a name that is an expression although the first field is a stream or a
  /// number, with the field for expressions as help; other errors unchanged.
  func helped(_ problem: Diagnostic, forUnnamedAt start: Int, of spec: OperatorSpec?) -> Diagnostic {
    guard let spec, problem.code == .syntax || problem.code == .unknownSource,
      let first = spec.positionalFields.first?.kind, first.isStream || first.isCount, let text = expression(at: start)
    else { return problem }
    let field = spec.parts.fields.first {
      if case .expression = $0.kind { ["expression", "by"].contains($0.name) } else { false }
    }
    var helped = problem
    if first.isCount {
      guard let field else { return problem }
      let count = spec.positionalFields[0].isRequired ? "\(spec.positionalFields[0].name): …, " : ""
      helped.help = "write \(spec.name)(\(count)\(field.name): \(text))"
      return helped
    }
    let isFirst = bytes[..<start].last { $0 > 0x20 } == UInt8(ascii: "(")
    helped.help =
      field.map { isFirst ? "write \(spec.name)(\($0.name): \(text))" : "write \($0.name): \(text)" }
      ?? "'\(spec.name)' takes a stream, and '\(text)' is an expression: write \(spec.shortSignature)"
    return helped
  }

  /// Returns the text of an argument if it is an expression and cannot be a stream: it has an operator, or accesses a
  /// member; else nil.
  private func expression(at start: Int) -> String? {
    guard let range = try? ExpressionExtent.range(in: bytes, from: start), !range.isEmpty else { return nil }
    let text = text(range)
    return CELExpression(text).isCompound ? text : nil
  }

  /// The error for text after an argument.
  func afterArgument(_ open: Int, _ name: String, at pointer: JSONPointer) -> Diagnostic {
    if isAtEnd { return unclosed(open, at: pointer) }
    if byte() == UInt8(ascii: "|") {
      return problem(
        .syntax, "'|' separates operators; the parenthesis of '\(name)' is open", at: nextRange, pointer,
        help: "write '||' for 'or' in an expression, or close the parenthesis before '|'")
    }
    return unexpected(after: "an argument", "expected ',' or ')'", at: pointer)
  }

  func unclosed(_ open: Int, at pointer: JSONPointer) -> Diagnostic {
    let bracket = text(open..<open + 1)
    let closing = ["(": ")", "[": "]", "{": "}"][bracket] ?? bracket
    return problem(.unexpectedEnd, "'\(bracket)' is not closed", at: open..<open + 1, pointer, help: "add '\(closing)'")
  }

  func unclosedString(_ start: Int, at pointer: JSONPointer) -> Diagnostic {
    problem(
      .unexpectedEnd, "a string is not closed", at: start..<bytes.count, pointer, help: ShortFormAdvice.quoting)
  }

  /// The error for an expression that cannot be split into tokens.
  func inExpression(_ error: Diagnostic, at pointer: JSONPointer) -> Diagnostic {
    guard case .text(let range) = error.part else { return error }
    let help = error.help ?? ShortFormAdvice.help(forQuote: bytes, range.lowerBound)
    return problem(error.code, error.message, at: range, pointer, help: help)
  }

  func noExpression(at pointer: JSONPointer) -> Diagnostic {
    problem(
      isAtEnd ? .unexpectedEnd : .expressionSyntax, "expected an expression\(found)", at: nextRange, pointer,
      help: "the received value is 'value', and its member 'value.name'")
  }

  /// The error for an expression that begins with an operator.
  func noOperand(at pointer: JSONPointer) -> Diagnostic {
    problem(
      .expressionSyntax, "expected a value\(found)", at: nextRange, pointer,
      help: "the received value is 'value'; if a shell removed a name such as $x, \(ShortFormAdvice.quoting)")
  }

  func noValue(_ kind: FieldSpec.Kind, at pointer: JSONPointer, _ range: Range<Int>? = nil) -> Diagnostic {
    problem(
      isAtEnd ? .unexpectedEnd : .syntax, "expected \(kind.shortExpectation)\(found)", at: range ?? nextRange, pointer,
      help: kind.literalHelp)
  }
}

extension FieldSpec.Kind {
  /// Whether the field takes a stream, or several.
  fileprivate var isStream: Bool {
    switch self {
    case .stream, .streams, .boolOrStream: true
    default: false
    }
  }

  /// Whether the field takes an integer.
  fileprivate var isCount: Bool { if case .count = self { true } else { false } }

  /// The accepted values in the words of the short form.
  var shortExpectation: String {
    switch self {
    case .expression: "an expression"
    case .stream: "a stream"
    case .streams: "streams in brackets"
    case .boolOrStream: "true, false, or a stream"
    case .names: "names in brackets"
    case .value: "a JSON value"
    case .operators: "operators in parentheses"
    default: expectation
    }
  }

  /// Help for text that is not a value of the kind; nil if the expectation says enough.
  var literalHelp: String? {
    switch self {
    case .value, .list, .object: "write it as JSON, with strings in double quotes"
    case .seconds: "write a number of seconds, or a number with its unit, such as 300ms or 5m"
    default: nil
    }
  }
}
