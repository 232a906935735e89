import StreamCore
import TestSupport

extension VectorTranslator {
  /// Operators that act on failures, on the end, and on a stream without values.
  func applyCatching(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "catchError":
      guard let function = op.argument(0) else { throw Unsayable("'catchError' without a function") }
      let parameters = (function.field("params")?.elements ?? []).compactMap(\.text)
      // The stream that failed, once more: without an end.
      if parameters.count > 1, function.field("stream") == .object(("param", .string(parameters[1]))) {
        sketch.add("retry")
      } else {
        sketch.add("catch", ("stream", try stream(of: function, ["error"], scope).value))
      }
    case "throwIfEmpty":
      sketch.add(
        "failIfEmpty",
        (
          "error",
          try op.argument(0).map { json throws(Unsayable) in
            try error(json, scope)
          } ?? Self.emptyError
        ))
    case "defaultIfEmpty":
      sketch.add("replaceEmpty", ("with", try value(op.arguments.first ?? .null, scope)))
    case "switchIfEmpty": sketch.add("switchIfEmpty", ("stream", try other(op, 0, scope)))
    case "retry": try retry(op, &sketch, scope)
    case "repeat": try repetition(op, &sketch, scope)
    case "retryWhen", "repeatWhen":
      guard let function = op.argument(0) else { throw Unsayable("'\(op.name)' without a function") }
      sketch.add(op.name, ("operators", try operators(of: function, scope)))
    default: return false
    }
    return true
  }

  /// The number of times; nil without a limit.
  private func times(_ value: Value?) throws(Unsayable) -> Value? {
    guard let number = value?.number, number.isFinite else { return nil }
    guard let count = Int64(exactly: number) else { throw Unsayable("a number of times that is not whole") }
    return .int(max(count, 0))
  }

  /// A number of milliseconds; less than none is none.
  private func pause(_ delay: Value?) -> Value? { delay?.number.map { Self.seconds(max($0, 0)) } }

  private func retry(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    let options = op.number(0) == nil ? op.argument(0) : nil
    let delay = options?.field("delay")
    sketch.add(
      "retry", ("count", try times(op.number(0) == nil ? options?.field("count") : op.argument(0))),
      ("seconds", pause(delay)),
      ("resetOnValue", options?.field("resetOnSuccess") == true ? true : nil),
      (
        "stream",
        try delay.flatMap { $0.number == nil ? $0 : nil }.map { function throws(Unsayable) in
          try stream(of: function, ["error", "attempt"], scope).value
        }
      ))
  }

  private func repetition(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    let options = op.number(0) == nil ? op.argument(0) : nil
    let delay = options?.field("delay")
    let count = try times(op.number(0) == nil ? options?.field("count") : op.argument(0))
    guard count != 0 else {
      sketch = .empty
      return
    }
    sketch.add(
      "repeat", ("count", count), ("seconds", pause(delay)),
      (
        "stream",
        try delay.flatMap { $0.number == nil ? $0 : nil }.map { function throws(Unsayable) in
          try stream(of: function, ["attempt"], scope).value
        }
      ))
  }
}
