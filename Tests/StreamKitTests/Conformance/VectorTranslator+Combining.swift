import StreamCore

extension VectorTranslator {
  /// Operators that take other streams.
  func applyCombining(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "startWith", "endWith":
      guard !op.arguments.isEmpty else { return true }
      let values = try creation(VectorOperator("of", op.arguments), scope)
      sketch.add(op.name == "startWith" ? "prepend" : "append", ("with", .list([values.value])))
    case "concatWith", "mergeWith", "raceWith":
      let with = try joined(op, scope)
      guard !with.elements.isEmpty else { return true }
      let name = ["concatWith": "append", "mergeWith": "merge"][op.name] ?? "race"
      let limit = op.name == "mergeWith" ? op.arguments.last?.number.flatMap(Int64.init(exactly:)) : nil
      sketch.add(name, ("with", with), ("maxPublishers", limit.map(Value.int)))
    case "onErrorResumeNext", "onErrorResumeNextWith":
      let with = try joined(op, scope)
      sketch.add(
        "append", ("with", with.elements.isEmpty ? .list([StreamSketch.empty.value]) : with), ("failures", "continue"))
    case "combineLatestWith", "zipWith", "withLatestFrom":
      let with = try joined(op, scope)
      let projector = op.arguments.last.flatMap { $0.field("params") == nil ? nil : $0 }
      let expression = try projector.map { function throws(Unsayable) in
        Value.string(try scope.function(function, ["values"]))
      }
      let name = ["combineLatestWith": "combineLatest", "zipWith": "zip"][op.name] ?? op.name
      guard !with.elements.isEmpty else {
        sketch.map(try FunctionText.replacing(["values": "[value]"], in: expression?.text ?? "values"))
        return true
      }
      sketch.add(name, ("with", with), ("expression", expression))
    default: return false
    }
    return true
  }
}
