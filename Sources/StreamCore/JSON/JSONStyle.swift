/// The white space of a JSON text.
package struct JSONStyle: Hashable, Sendable {
  /// The indentation of a level.
  package var indent: [UInt8] = [0x20, 0x20]
  package var lineBreak: [UInt8] = [0x0A]
  /// Whether `{ "a": 1 }` is written rather than `{"a": 1}`.
  package var padsBraces = true
  /// Whether `[ 1 ]` is written rather than `[1]`.
  package var padsBrackets = true
  /// Whether a space follows a colon, and a comma within a line.
  package var isSpaced = true
  /// Whether the text has line breaks.
  package var hasLines = true

  /// Creates the style that `streamrun format` writes.
  package init() {}
}
