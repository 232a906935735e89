/// The cells of a program whose inner streams run one after another.
struct SerialCells: Sendable {
  /// Number of values of an inner stream.
  let length: Int
  /// The number of the latest inner stream, from 0; -1 before the first.
  let number: Operand
  /// Number of values of that stream so far; nil if each value starts a stream.
  let position: Operand?
  /// Greater than 0 if that stream has ended before its last value; nil if each value starts a stream.
  let ended: Operand?
}
