internal import StreamCore

/// Numbers as strings, which is what the fields of a table without a declared type are.
enum TableText {
  /// Returns help for an operator that finds strings instead of numbers; nil if no string is a number.
  static func help(for values: [Value]) -> String? {
    let isNumber = values.contains { value in
      guard case .string(let text) = value, let number = Double(text) else { return false }
      return number.isFinite
    }
    return isNumber
      ? "the fields of a table are text: write double(…) around them in the expression, or declare the type of the input"
      : nil
  }
}
