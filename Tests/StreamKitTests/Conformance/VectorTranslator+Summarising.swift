import StreamCore

extension VectorTranslator {
  /// Operators that make one value of all.
  func applySummarizing(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "count": sketch.add("count", ("expression", try expression(op.function(0), scope)))
    case "max", "min":
      sketch.add(
        op.name,
        (
          "compare",
          try op.function(0).map { function throws(Unsayable) in
            .string(try scope.function(function, ["first", "second"]))
          }
        ))
    case "every": sketch.add("allSatisfy", ("expression", try expression(op.argument(0), scope)))
    case "isEmpty": sketch.add("isEmpty")
    case "sequenceEqual":
      sketch.add(
        "sequenceEqual", ("with", .list([try other(op, 0, scope)])),
        (
          "expression",
          try op.function(1).map { function throws(Unsayable) in
            .string(try scope.function(function, ["first", "second"]))
          }
        ))
    case "toArray": sketch.add("collect")
    case "toPromise": sketch.add("last")
    default: return false
    }
    return true
  }
}
