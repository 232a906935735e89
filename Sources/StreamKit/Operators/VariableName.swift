internal import CEL
internal import StreamCore

/// The names that a file gives to variables of expressions.
enum VariableName {
  static let help = "use letters, digits and '_', and do not start with a digit"

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

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
