internal import CEL
internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

extension FailureExplanation {
  /// Returns help for an expression that has failed for a value; nil for other failures.
  func expressionHelp(for failure: StreamFailure) -> String? {
    guard let range = failure.range, let code = DiagnosticCode(rawValue: failure.code),
      let text = text(at: failure.pointer, in: stream, depth: 0)
    else { return nil }
    var values: [String: Value] = [:]
    if let value = failure.value {
      values["value"] = value
      // The expression of 'join' has two variables.
      if failure.pointer.tokens.dropLast().last == "join", case .list(let pair) = value, pair.count == 2 {
        (values["left"], values["right"]) = (pair[0], pair[1])
      }
    }
    return CELExpression(text).help(for: code, failure.message, at: range, with: values)
  }

  /// Returns help for an operator that has found null, or whose expression reads a missing member, where it takes a number
  /// or a value with an order; nil for other failures.
  func selectionHelp(for failure: StreamFailure) -> String? {
    // An expression fails at its field, an operator at its own place.
    if failure.code == DiagnosticCode.noSuchKey.rawValue {
      let tokens = failure.pointer.tokens
      guard let owner = tokens.dropLast().last, let field = Self.selections[owner], tokens.last == field,
        let text = text(at: failure.pointer, in: stream, depth: 0), failure.range == 0..<text.utf8.count
      else { return nil }
      return "leave out such values before '\(owner)': filter(has(\(text)))"
    }
    guard let owner = failure.message.split(separator: "'").first.map(String.init), let field = Self.selections[owner],
      failure.message.hasPrefix("'\(owner)' found null; expected ")
    else { return nil }
    let text = text(at: failure.pointer + JSONPointer([owner, field]), in: stream, depth: 0) ?? "value"
    let zero = owner == "sum" ? "write (\(text) == null ? 0 : \(text)), or " : ""
    return "'\(text)' may be null: \(zero)leave out such values before '\(owner)': filter(\(text) != null)"
  }

  /// The operators that select a part of each value by an expression, and the field that has it.
  private static let selections = [
    "sum": "expression", "average": "expression", "min": "by", "max": "by", "sort": "by",
  ]

  /// Returns the string at a pointer, which may lead through definitions and other files.
  private func text(at pointer: JSONPointer, in stream: StreamFile, depth: Int) -> String? {
    let tokens = pointer.tokens
    for length in tokens.indices.dropFirst() {
      guard case .string(let path)? = stream.document.value[JSONPointer(Array(tokens[..<length]))] else { continue }
      let rest = JSONPointer(Array(tokens[length...]))
      if tokens[length - 1] == "definition" { return text(at: rest, in: stream, depth: depth + 1) }
      guard depth < 200, let inner = try? loader.load(path, relativeTo: stream.identity) else { return nil }
      return text(at: rest, in: inner, depth: depth + 1)
    }
    return stream.document.value[pointer]?.text
  }
}
