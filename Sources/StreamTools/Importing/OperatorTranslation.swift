import StreamCore

/// Translates operators of the playground to format 1.
///
/// The playground's values are strings. Its filter, map and scan converted each with `Int($0)`, dropped values that are
/// not integers, and converted results back to strings; the translation produces the same strings.
struct OperatorTranslation {
  /// The known kind of the values after the operators translated so far.
  private(set) var kind: ElementKind
  /// The operators of format 1, in order.
  private(set) var operators: [Value] = []
  /// Errors and assumptions; their pointers refer to the old file.
  private(set) var diagnostics = Diagnostics()
  private var isGuardExplained = false

  /// The pattern of strings that Swift's `Int($0)` accepts.
  static let numberPattern = "^[+-]?[0-9]+$"

  init(of kind: ElementKind) { self.kind = kind }

  mutating func append(_ old: PlaygroundOperator) {
    switch old.kind {
    case .delay(let seconds): operators.append(["delay": ["seconds": seconds]])
    case .dropFirst(let count): operators.append(["drop": ["count": .int(count)]])
    case .filter(let format): filter(format, at: old.pointer)
    case .map(let format): map(format, at: old.pointer)
    case .scan(let initialValue, let format): scan(format, from: initialValue, at: old.pointer)
    }
  }

  private var value: FormatTranslator.Argument {
    FormatTranslator.Argument(name: "value", isText: kind != .numbers)
  }

  private mutating func filter(_ format: String, at pointer: JSONPointer) {
    dropOthers(at: pointer)
    guard let translation = translate(format, as: .predicate, arguments: [value], at: pointer) else { return }
    operators.append(["filter": ["expression": .string(translation.expression)]])
  }

  private mutating func map(_ format: String, at pointer: JSONPointer) {
    dropOthers(at: pointer)
    guard let translation = translate(format, as: .expression, arguments: [value], at: pointer) else { return }
    let expression = kind == .numbers ? translation.expression : "string(\(translation.expression))"
    operators.append(["map": ["expression": .string(expression)]])
    publishResults(of: translation, at: pointer)
  }

  private mutating func scan(_ format: String, from initialValue: Value?, at pointer: JSONPointer) {
    dropOthers(at: pointer)
    if initialValue == nil {
      note("'scan' has no initial value before generation 5; the playground began with 0", at: pointer)
    }
    guard let translation = translate(format, as: .expression, arguments: [.accumulator, value], at: pointer) else {
      return
    }
    operators.append([
      "scan": ["initialValue": initialValue ?? .int(0), "expression": .string(translation.expression)]
    ])
    if kind != .numbers { operators.append(["map": ["expression": "string(value)"]]) }
    publishResults(of: translation, at: pointer)
  }

  private mutating func publishResults(of translation: FormatTranslator.Translation, at pointer: JSONPointer) {
    if translation.usesFractions {
      diagnostics.append(
        Diagnostic(
          .assumption, "the playground kept only integer results; all results are published here", at: pointer,
          severity: .warning))
    }
    guard kind != .numbers else { return }
    kind = translation.usesFractions ? .texts : .numericTexts
  }

  /// Sees to it that only numbers reach the operator that follows.
  private mutating func dropOthers(at pointer: JSONPointer) {
    switch kind {
    case .numbers: break
    case .numericTexts:
      guard !isGuardExplained else { return }
      note("every value is an integer here, so no operator is needed to drop other values", at: pointer)
    case .texts:
      operators.append(["filter": ["expression": .string("value.matches('\(Self.numberPattern)')")]])
      note("values that are not integers are dropped first, as in the playground", at: pointer)
      kind = .numericTexts
    case .others:
      diagnostics.append(
        Diagnostic(
          .assumption, "the playground's operators read strings, but not all values here are strings", at: pointer,
          severity: .warning))
    }
    isGuardExplained = true
  }

  private mutating func translate(
    _ format: String, as purpose: FormatTranslator.Purpose, arguments: [FormatTranslator.Argument],
    at pointer: JSONPointer
  ) -> FormatTranslator.Translation? {
    let place = pointer.appending("expression")
    do throws(Diagnostics) {
      let translation = try FormatTranslator.translate(format, as: purpose, arguments: arguments)
      diagnostics.append(contentsOf: Diagnostics(translation.notes).prefixed(by: place))
      return translation
    } catch {
      diagnostics.append(contentsOf: error.prefixed(by: place))
      return nil
    }
  }

  private mutating func note(_ message: String, at pointer: JSONPointer) {
    diagnostics.append(Diagnostic(.assumption, message, at: pointer, severity: .note))
  }
}
