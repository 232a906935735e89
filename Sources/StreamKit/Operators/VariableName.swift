internal import CEL
internal import StreamCore

/// The names that a file gives to variables of expressions.
enum VariableName {
  static let help = "use letters, digits and '_', do not start with a digit, and use no word such as true, null or in"

  /// Checks a name for a variable.
  ///
  /// - Parameters:
  ///   - field: The field with the name.
  ///   - reserved: The names of other variables in the same expressions.
  static func check(_ name: String, field: String, reserved: [String]) throws(Diagnostic) {
    if reserved.contains(name) {
      throw Diagnostic(
        .invalidIdentifier, "'\(name)' already names another variable of these expressions", at: JSONPointer([field]),
        help: "use another name")
    }
    guard isIdentifier(name) else {
      throw Diagnostic(
        .invalidIdentifier, "'\(name)' cannot be a variable in an expression", at: JSONPointer([field]), help: help)
    }
  }

  /// Whether expressions can use the name: it has letters, digits and underscores, and is not a word of the language,
  /// such as `null` or `in`.
  static func isIdentifier(_ name: String) -> Bool { CELExpression(name).isName }
}
