public import CEL

/// An operand of a program: an input, a cell, a constant, or the result of a step.
///
/// An operand is created by a `ProgramBuilder`, and valid only for that builder and for the frames of its program.
@_spi(Engine) public struct Operand: Hashable, Sendable {
  /// The certain type of the values.
  public let type: CELType
  let index: Int
}

/// A jump target in a program.
@_spi(Engine) public struct ProgramLabel: Hashable, Sendable {
  let index: Int
}

/// A builder's record of an operand.
struct OperandRecord {
  /// The location in the typed half.
  var part: Part
  /// The boxed register in the generic half.
  var boxedRegister: Int
  var isCell = false
  /// Whether every path to the current position computes the operand.
  var isDefined = true
}
