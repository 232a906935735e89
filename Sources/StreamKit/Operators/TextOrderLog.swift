internal import CEL
package import StreamCore
internal import Synchronization

extension CELType {
  /// Whether keys may be strings, or lists of strings, without a declared type.
  var mayHoldText: Bool { self == .dyn || self == .list(.dyn) }
}

/// Notes whether operators order strings that are numbers, and not by these numbers: `"9"` is greater than `"100"`.
///
/// A host uses it where the values are fields of tables without a declared type, which are strings.
package final class TextOrderLog: Sendable {
  /// An operator, and two strings in the order that it gives them.
  private struct Finding {
    let owner: String
    let less: String
    let greater: String
  }

  private let found = Mutex<Finding?>(nil)

  package init() {}

  /// Notes two keys that an operator compares, if they are the first that are ordered unlike their numbers.
  func note(_ first: Value, _ second: Value, owner: String) {
    switch (first, second) {
    case (.string(let first), .string(let second)):
      guard let number = Self.number(first), let other = Self.number(second), number != other,
        (first < second) != (number < other)
      else { return }
      let finding = Finding(owner: owner, less: min(first, second), greater: max(first, second))
      found.withLock { $0 = $0 ?? finding }
    case (.list(let elements), .list(let others)):
      guard let (element, other) = zip(elements, others).first(where: { $0 != $1 }) else { return }
      note(element, other, owner: owner)
    default: return
    }
  }

  private static func number(_ text: String) -> Double? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
    return Double(decimalText: text)
  }

  /// The warning about what was noted; nil if nothing was.
  package var warning: Diagnostic? {
    guard let finding = found.withLock(\.self) else { return nil }
    return Diagnostic(
      .inputTypeMismatch,
      "'\(finding.owner)' orders \"\(finding.less)\" before \"\(finding.greater)\": fields of a table without a type are "
        + "strings",
      severity: .warning,
      help: "write double(value.x) for the field, declare the input's type, or add --csv-types x:double")
  }
}
