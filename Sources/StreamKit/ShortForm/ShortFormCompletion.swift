internal import CEL
internal import StreamCore

extension ShortForm {
  /// A completion of a one-liner that is being written.
  package struct Completion: Hashable, Sendable {
    /// The text that replaces the begun word.
    package let text: String
    /// A summary of an operator or a field, the type of a variable, or the signature of a function.
    package let summary: String
    /// The text that may follow, for people: the rest of a signature.
    package var continuation = " …"
  }

  /// Returns the completions at the end of a text, and the offset of the begun word.
  package static func completions(after text: String) -> (start: Int, all: [Completion]) {
    var completer = ShortFormCompleter(text)
    return DeepStack.run { completer.complete() }
  }
}

/// Finds the place at the end of an incomplete one-liner.
///
/// It follows the grammar of `ShortFormReader`, but for names and values that are wrong: these are skipped.
private struct ShortFormCompleter {
  private let bytes: [UInt8]
  private var position = 0
  private var levels = 0
  /// The completions, once the end is reached.
  private var answer: (start: Int, all: [ShortForm.Completion])?

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func complete() -> (start: Int, all: [ShortForm.Completion]) {
    skipSteps(mayBegin: true, mayOperate: true)
    guard let answer else { return (bytes.count, []) }
    let prefix = self.text(answer.start..<bytes.count)
    return (answer.start, answer.all.filter { $0.text.hasPrefix(prefix) })
  }

  // MARK: Steps

  /// Skips a source and operators, up to a character that does not belong to them.
  ///
  /// - Parameters:
  ///   - mayBegin: Whether a source may come first.
  ///   - mayOperate: Whether an operator may come first.
  private mutating func skipSteps(mayBegin: Bool, mayOperate: Bool) {
    levels += 1
    defer { levels -= 1 }
    guard levels <= ShortForm.levelLimit else { return finish() }
    var (mayBegin, mayOperate) = (mayBegin, mayOperate)
    while answer == nil {
      skipBlanks()
      if mayBegin, byte() == UInt8(ascii: "[") {
        skipPlain()
      } else {
        skipStep(mayBegin: mayBegin, mayOperate: mayOperate)
      }
      guard answer == nil else { return }
      let end = position
      skipBlanks()
      if isAtEnd {
        let separator = position == end ? " | " : "| "
        return finish([ShortForm.Completion(text: separator, summary: "another operator")])
      }
      guard byte() == UInt8(ascii: "|"), byte(1) != UInt8(ascii: "|") else { return }
      position += 1
      (mayBegin, mayOperate) = (false, true)
    }
  }

  private mutating func skipStep(mayBegin: Bool, mayOperate: Bool) {
    let start = position
    while isNamePart(byte()) || byte() == UInt8(ascii: ".") { position += 1 }
    if isAtEnd {
      return finish(from: start, steps(mayBegin: mayBegin, mayOperate: mayOperate))
    }
    guard position > start else { return }
    let name = text(start..<position)
    let source = mayBegin ? Source.spec(named: name) : nil
    let partition = StreamModel.Partition.spec
    let spec = source ?? (name == partition.name ? partition : Operator.entry(named: name)?.spec)
    let end = position
    skipBlanks()
    guard take("(") else {
      position = end
      return
    }
    skipArguments(of: spec)
  }

  private func steps(mayBegin: Bool, mayOperate: Bool) -> [ShortForm.Completion] {
    var specs: [OperatorSpec] = []
    if mayOperate { specs += Operator.table.map(\.spec) }
    if mayBegin { specs += Source.table.map(\.spec) }
    if mayBegin, mayOperate { specs.append(StreamModel.Partition.spec) }
    return specs.map { spec in
      let isPlain = spec.parts.fields.isEmpty
      return ShortForm.Completion(
        text: spec.name + (isPlain ? "()" : "("), summary: spec.summary,
        continuation: isPlain ? " | …" : String(spec.shortSignature.dropFirst(spec.name.count + 1)))
    }
  }

  // MARK: Arguments

  /// Skips arguments after their opening parenthesis.
  private mutating func skipArguments(of spec: OperatorSpec?) {
    var given: Set<String> = []
    var positional = spec?.positionalFields ?? []
    skipBlanks()
    let first = position
    while answer == nil {
      skipBlanks()
      if take(")") { return }
      let start = position
      let name = takeArgumentName()
      if let name { given.insert(name) }
      let field = name.map { name in spec?.parts.fields.first { $0.name == name } } ?? positional.first
      skipBlanks()
      skipValue(of: field, spec, isOnly: name == nil)
      if let found = answer {
        // The word may also become the name of a field, or end the arguments.
        guard name == nil, bytes[start...].allSatisfy(isNamePart) else { return }
        // No parenthesis may follow a comma.
        let isComplete = start == bytes.count && start == first && !positional.contains(where: \.isRequired)
        let close = isComplete ? [ShortForm.Completion(text: ")", summary: "no further arguments")] : []
        answer = (start, names(of: spec, besides: given) + found.all + close)
        return
      }
      if name == nil, let field {
        given.insert(field.name)
        if spec?.takesElements != true { positional.removeFirst() }
      } else if let name {
        positional.removeAll { $0.name == name }
      }
      skipBlanks()
      if take(")") { return }
      guard take(",") else { return finish() }
    }
  }

  private func names(of spec: OperatorSpec?, besides given: Set<String>) -> [ShortForm.Completion] {
    let fields = (spec?.parts.fields ?? []).filter { !given.contains($0.name) }
    return fields.map {
      ShortForm.Completion(text: "\($0.name): ", summary: $0.text, continuation: $0.kind.expectation)
    }
  }

  /// Skips a name and the colon after it; nil if none comes next.
  private mutating func takeArgumentName() -> String? {
    let start = position
    while isNamePart(byte()) || byte() == UInt8(ascii: "-") { position += 1 }
    let name = text(start..<position)
    skipBlanks()
    guard !name.isEmpty, byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: ":") else {
      position = start
      return nil
    }
    position += 1
    return name
  }

  // MARK: Values

  /// - Parameter isOnly: Whether the value may be an expression instead of a value.
  private mutating func skipValue(of field: FieldSpec?, _ spec: OperatorSpec?, isOnly: Bool) {
    guard let field else { return skipPlain() }
    switch field.kind {
    case .operators: skipEnclosed(mayBegin: false)
    case .stream, .boolOrStream: skipEnclosed(mayBegin: true)
    case .streams:
      guard take("[") else { return skipEnclosed(mayBegin: true) }
      while answer == nil, !take("]") {
        skipBlanks()
        skipEnclosed(mayBegin: true)
        guard answer == nil else { return }
        skipBlanks()
        if !take(","), byte() != UInt8(ascii: "]") { return finish() }
      }
    default:
      let alternative = isOnly ? spec?.alternative(to: field) : nil
      let kind = alternative?.kind ?? field.kind
      let start = position
      skipPlain()
      if answer != nil { answer = values(of: kind, from: start) }
    }
  }

  /// Skips steps in parentheses, or without them.
  private mutating func skipEnclosed(mayBegin: Bool) {
    guard take("(") else { return skipSteps(mayBegin: mayBegin, mayOperate: !mayBegin) }
    skipSteps(mayBegin: mayBegin, mayOperate: !mayBegin)
    guard answer == nil else { return }
    skipBlanks()
    if !take(")") { finish() }
  }

  /// Skips a value up to a comma, a closing bracket, or a `|` between operators.
  private mutating func skipPlain() {
    var depth = 0
    var quote: UInt8?
    while !isAtEnd {
      let sign = byte()
      if let open = quote {
        if sign == UInt8(ascii: "\\") { position += 1 }
        if sign == open { quote = nil }
      } else {
        switch sign {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = sign
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 0 { return }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return
        case UInt8(ascii: "|") where depth == 0 && byte(1) != UInt8(ascii: "|"): return
        case UInt8(ascii: "|") where byte(1) == UInt8(ascii: "|"): position += 1
        default: break
        }
      }
      position = min(position + 1, bytes.count)
    }
    finish()
  }

  private func values(of kind: FieldSpec.Kind, from start: Int) -> (start: Int, all: [ShortForm.Completion]) {
    switch kind {
    case .choice(let words): return (start, words.map { ShortForm.Completion(text: $0, summary: "") })
    case .bool: return (start, ["true", "false"].map { ShortForm.Completion(text: $0, summary: "") })
    case .type: return (start, CELType.plainNames.map { ShortForm.Completion(text: $0, summary: "") })
    case .expression(let variables):
      let names = variables.filter { !$0.hasPrefix("(") }.map { Variable($0) }
      let help = ExpressionHelp(
        CELExpression(text(start..<bytes.count)), in: ExpressionEnvironment(variables: names))
      let (replaced, all) = help.candidates(at: bytes.count - start)
      return (
        start + replaced.lowerBound,
        all.map { candidate in
          let isCall = candidate.arguments != nil
          return ShortForm.Completion(
            text: candidate.name + (isCall ? "(" : ""), summary: candidate.summary ?? candidate.detail,
            continuation: isCall ? (candidate.arguments ?? []).joined(separator: ", ") + ")" : " …")
        }
      )
    default: return (bytes.count, [])
    }
  }

  // MARK: Characters

  private var isAtEnd: Bool { position >= bytes.count }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func isNamePart(_ byte: UInt8) -> Bool { byte.isLetterOrUnderscore || byte.isDecimalDigit }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard !isAtEnd, byte() == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while !isAtEnd, [0x20, 0x09, 0x0A, 0x0D].contains(byte()) { position += 1 }
  }

  /// Ends the search with completions of the word that begins at `start`; by default at the end of the text.
  private mutating func finish(from start: Int? = nil, _ all: [ShortForm.Completion] = []) {
    answer = (start ?? bytes.count, all)
    position = bytes.count
  }
}
