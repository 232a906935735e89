import StreamCore
import TestSupport

extension VectorTranslator {
  /// Puts an operator on a stream.
  func apply(
    _ op: VectorOperator, to sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    if sketch.parts != nil, try applyToParts(op, &sketch, scope) { return }
    if try applyTransforming(op, &sketch, scope) { return }
    if try applyFlattening(op, &sketch, scope) { return }
    if try applySelecting(op, &sketch, scope) { return }
    if try applySummarizing(op, &sketch, scope) { return }
    if try applyTiming(op, &sketch, scope) { return }
    if try applyCollecting(op, &sketch, scope) { return }
    if try applyCombining(op, &sketch, scope) { return }
    if try applyCatching(op, &sketch, scope) { return }
    if try applySharing(op, &sketch, scope) { return }
    throw Unsayable("there is no '\(op.name)'")
  }

  /// A function of a value and its index.
  func expression(_ function: Value?, _ scope: FunctionScope) throws(Unsayable) -> Value? {
    guard let function else { return nil }
    return .string(try scope.function(function, ["value", "index"]))
  }

  /// An integer, 0 or more.
  func count(_ op: VectorOperator, _ index: Int, default missing: Int? = nil) throws(Unsayable) -> Value {
    guard let argument = op.argument(index) else {
      if let missing { return .int(Int64(missing)) }
      throw Unsayable("'\(op.name)' without a count")
    }
    if argument.number == .infinity { return .int(.max) }
    // JavaScript makes a number of a text.
    let number = argument.number ?? argument.text.flatMap(Double.init)
    guard let count = number.flatMap(Int64.init(exactly:)) else {
      throw Unsayable("'\(op.name)' with the count \(JSONWriter.compact(argument))")
    }
    return .int(max(count, 0))
  }

  /// The streams of the arguments that are not functions.
  func joined(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> Value {
    .list(try streams(op.arguments.filter { $0.field("cel") == nil && $0.number == nil }, scope).map(\.value))
  }

  /// The one stream of an argument.
  func other(_ op: VectorOperator, _ index: Int, _ scope: FunctionScope) throws(Unsayable) -> Value {
    guard let argument = op.argument(index) else { throw Unsayable("'\(op.name)' without a stream") }
    return try stream(argument, scope).value
  }
}
