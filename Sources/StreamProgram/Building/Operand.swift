public import CEL

/// What a program computes with: an input, a cell, a constant, or the result of an expression.
///
/// Made by a `ProgramBuilder`, and of use to that builder and to the frames of its program alone.
public struct Operand: Hashable, Sendable {
  /// What is certain of the type of its values.
  public let type: CELType
  let index: Int
}

/// A place in a program that is jumped to.
public struct ProgramLabel: Hashable, Sendable {
  let index: Int
}

/// What a builder knows of an operand.
struct OperandRecord {
  /// Where it is in the typed half.
  var part: Part
  /// Its boxed register in the generic half.
  var home: Int
  var isCell = false
  /// Whether every way that leads here has computed it.
  var isDefined = true
  /// The step of the builder that made it, and the last one that uses it.
  var firstStep = 0
  var lastUse = 0
}
