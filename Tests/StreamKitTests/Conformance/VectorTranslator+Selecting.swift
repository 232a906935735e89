import StreamCore

extension VectorTranslator {
  static let emptyError: Value = ["name": "EmptyError", "message": "no elements in sequence"]

  /// Operators that let some values through.
  func applySelecting(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "partition":
      let condition = try expression(op.argument(0), scope)?.text ?? "true"
      sketch.add("filter", ("expression", .string(op.output == 0 ? condition : "!(\(condition))")))
    case "filter": sketch.add("filter", ("expression", try expression(op.argument(0), scope)))
    case "distinct":
      sketch.add(
        "distinct",
        (
          "key",
          try op.function(0).map { function throws(Unsayable) in
            .string(try scope.function(function, ["value"]))
          }
        ),
        ("reset", op.argument(1) == nil ? nil : try other(op, 1, scope)))
    case "distinctUntilChanged": try removeDuplicates(op, &sketch, scope)
    case "distinctUntilKeyChanged": try removeDuplicatesOfKey(op, &sketch, scope)
    case "skip": sketch.add("drop", ("count", try count(op, 0)))
    case "skipLast": sketch.add("dropLast", ("count", try count(op, 0)))
    case "skipWhile": sketch.add("dropWhile", ("expression", try expression(op.argument(0), scope)))
    case "skipUntil":
      sketch.add("dropUntil", ("stream", try other(op, 0, scope)), ("onSilentFinish", "wait"))
    case "take": sketch.add("prefix", ("count", try count(op, 0)))
    case "takeLast": sketch.add("last", ("count", try count(op, 0)))
    case "takeWhile":
      sketch.add(
        "prefixWhile", ("expression", try expression(op.argument(0), scope)),
        ("inclusive", op.argument(1) == true ? true : nil))
    case "takeUntil": sketch.add("prefixUntil", ("stream", try other(op, 0, scope)), ("failures", "pass"))
    case "first", "last":
      sketch.add(op.name, ("expression", try expression(op.function(0), scope)))
      if op.arguments.count > 1 {
        sketch.add("replaceEmpty", ("with", try value(op.arguments[1], scope)))
      } else {
        sketch.add("failIfEmpty", ("error", Self.emptyError))
      }
    case "find":
      sketch.add("first", ("expression", try expression(op.argument(0), scope)))
      sketch.add("replaceEmpty", ("with", .null))
    case "findIndex": sketch.add("findIndex", ("expression", try expression(op.argument(0), scope)))
    case "elementAt":
      sketch.add("output", ("at", try count(op, 0)))
      if op.arguments.count > 1 {
        sketch.add("replaceEmpty", ("with", try value(op.arguments[1], scope)))
      } else {
        sketch.add(
          "failIfEmpty",
          ("error", ["name": "ArgumentOutOfRangeError", "message": "argument out of range"]))
      }
    case "single":
      sketch.add("single", ("expression", try expression(op.function(0), scope)))
    case "ignoreElements": sketch.add("ignoreOutput")
    case "sample": sketch.add("sample", ("stream", try other(op, 0, scope)))
    case "sampleTime": sketch.add("sample", ("seconds", try seconds(op.argument(0), "a period")))
    default: return false
    }
    return true
  }

  private func removeDuplicates(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    switch (op.function(0), op.function(1)) {
    case (nil, nil): sketch.add("removeDuplicates")
    case (nil, let key?): sketch.add("removeDuplicates", ("key", .string(try scope.function(key, ["value"]))))
    case (let comparer?, nil):
      sketch.add("removeDuplicates", ("by", .string(try scope.function(comparer, ["previous", "value"]))))
    case (let comparer?, let key?):
      let keys = ["(\(try scope.function(key, ["previous"])))", "(\(try scope.function(key, ["value"])))"]
      sketch.add("removeDuplicates", ("by", .string(try scope.function(comparer, keys))))
    }
  }

  private func removeDuplicatesOfKey(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    guard let key = op.argument(0) else { throw Unsayable("'distinctUntilKeyChanged' without a key") }
    if let comparer = op.function(1) {
      let keys = [Self.member(key, of: "previous"), Self.member(key, of: "value")]
      sketch.add("removeDuplicates", ("by", .string(try scope.function(comparer, keys))))
    } else {
      sketch.add("removeDuplicates", ("key", .string(Self.member(key, of: "value"))))
    }
  }
}
