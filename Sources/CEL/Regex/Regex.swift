import StreamCore

/// A regular expression.
struct Regex: Sendable {
  init(_ pattern: String) throws(EvaluationError) {
    throw EvaluationError(.invalidConversion, "not yet")
  }
  func matches(_ text: String, _ activation: Activation) throws(EvaluationError) -> Bool { false }
}
