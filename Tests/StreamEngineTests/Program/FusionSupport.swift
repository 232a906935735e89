import CEL
import StreamCore

@testable @_spi(Engine) import StreamEngine

/// A frame of the program that `write` makes.
func frame(
  limits: ExpressionLimits = ExpressionLimits(), _ write: (inout ProgramBuilder) throws -> Void
) throws -> ProgramInstance {
  var builder = ProgramBuilder()
  try write(&builder)
  return ProgramInstance(builder.build(), activation: Activation(slotCount: 4, limits: limits))
}

/// A program that gives what one expression over `value` gives.
func frame(
  _ text: String, _ type: CELType = .dyn, likely: CELType? = nil, limits: ExpressionLimits = ExpressionLimits()
) throws -> ProgramInstance {
  try frame(limits: limits) { builder in
    let value = builder.input(type, likely: likely)
    builder.emit(try builder.add(CELExpression(text), binding: ["value": value]))
  }
}

extension ProgramInstance {
  /// The output of a run, nil where it dropped its input.
  func result(_ input: Value) throws -> Value? {
    switch try run(input) {
    case .emitted, .emittedLast: output
    case .dropped, .finished, .waiting: nil
    }
  }

  /// The failure of a run.
  func error(for input: Value) -> ProgramFailure? {
    do throws(ProgramFailure) {
      _ = try run(input)
      return nil
    } catch {
      return error
    }
  }

  /// The instructions of the typed half, by name.
  var typedOpcodes: [Opcode] { (0..<program.genericStart).map { program.instructions[$0].opcode } }
}
