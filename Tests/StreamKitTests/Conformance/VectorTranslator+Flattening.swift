import StreamCore
import TestSupport

extension VectorTranslator {
  /// Operators that start a stream for each value.
  func applyFlattening(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "mergeMap", "flatMap": try flatten(op, &sketch, scope, strategy: nil)
    case "concatMap": try flatten(op, &sketch, scope, strategy: "concat")
    case "switchMap": try flatten(op, &sketch, scope, strategy: "latest")
    case "exhaustMap": try flatten(op, &sketch, scope, strategy: "exhaust")
    case "mergeMapTo": try flatten(op, &sketch, scope, strategy: nil, isConstant: true)
    case "concatMapTo": try flatten(op, &sketch, scope, strategy: "concat", isConstant: true)
    case "switchMapTo": try flatten(op, &sketch, scope, strategy: "latest", isConstant: true)
    case "mergeAll": addFlattening(&sketch, dereference("outer"), nil, op.count(0))
    case "concatAll": addFlattening(&sketch, dereference("outer"), "concat", nil)
    case "switchAll": addFlattening(&sketch, dereference("outer"), "latest", nil)
    case "exhaustAll", "exhaust": addFlattening(&sketch, dereference("outer"), "exhaust", nil)
    case "combineLatestAll", "combineAll", "zipAll":
      sketch.add(op.name == "zipAll" ? "zipAll" : "combineLatestAll", ("stream", dereference("outer").value))
      if let function = op.function(0) { sketch.map(try scope.function(function, ["value"])) }
    case "expand":
      guard let function = op.argument(0) else { throw Unsayable("'expand' without a function") }
      sketch.add(
        "expand", ("stream", try stream(of: function, ["outer", "outerIndex"], scope).value),
        ("maxPublishers", op.count(1).map { .int(Int64($0)) }))
    case "mergeScan", "switchScan":
      guard let function = op.argument(0) else { throw Unsayable("'\(op.name)' without a function") }
      sketch.add(
        "mergeScan", ("initialValue", try value(op.arguments.count > 1 ? op.arguments[1] : .null, scope)),
        ("stream", try stream(of: function, ["acc", "outer", "outerIndex"], scope).value),
        ("maxPublishers", op.count(2).map { .int(Int64($0)) }),
        ("strategy", op.name == "switchScan" ? "latest" : nil))
    default: return false
    }
    return true
  }

  private func addFlattening(
    _ sketch: inout StreamSketch, _ inner: StreamSketch, _ strategy: String?, _ maxPublishers: Int?
  ) {
    sketch.add(
      "flatMap", ("stream", inner.value), ("maxPublishers", maxPublishers.map { .int(Int64($0)) }),
      ("strategy", strategy.map(Value.string)))
  }

  private func flatten(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope, strategy: String?,
    isConstant: Bool = false
  ) throws(Unsayable) {
    guard let function = op.argument(0) else { throw Unsayable("'\(op.name)' without a stream") }
    let parameters = isConstant ? [] : (function.field("params")?.elements ?? []).compactMap(\.text)
    let inner = try carry(&sketch, scope, into: function).entering(
      parameters, as: [isCarrying(sketch) ? "outer.value" : "outer", "outerIndex"])
    guard let json = isConstant ? function : function.field("stream") else {
      throw Unsayable("a function that gives no stream")
    }
    var stream = try self.stream(json, inner)
    if let selector = op.function(1) {
      let outer = isCarrying(sketch) ? "outer.value" : "outer"
      stream.map(try inner.function(selector, [outer, "value", "outerIndex", "index"]))
    }
    let maxPublishers = op.count(op.function(1) == nil && op.count(1) != nil ? 1 : 2)
    addFlattening(&sketch, stream, strategy, maxPublishers)
  }

  /// Within a function that starts streams, `outer` is the nearer value. Values of outer functions that are needed
  /// travel with the values.
  private func carry(
    _ sketch: inout StreamSketch, _ scope: FunctionScope, into function: Value
  ) throws(Unsayable) -> FunctionScope {
    let needed = try Self.names(in: function)
    var carried: [(String, String)] = []
    for (name, text) in scope.texts.sorted(by: { $0.key < $1.key }) where needed.contains(name) {
      if !(try FunctionText.names(in: text)).isDisjoint(with: ["outer", "outerIndex"]) { carried.append((name, text)) }
    }
    guard !carried.isEmpty else { return try scope.hiding(["outer", "outerIndex"]) }
    let members = carried.map { "'\($0)': dyn(\($1))" }.joined(separator: ", ")
    sketch.map("{'value': dyn(value), 'around': {\(members)}}")
    var inner = try scope.hiding(["outer", "outerIndex"])
    for (name, _) in carried { inner = inner.naming(name, "outer.around.\(name)") }
    return inner
  }

  private func isCarrying(_ sketch: StreamSketch) -> Bool {
    sketch.operators.last?.field("map")?.field("expression")?.text?.hasPrefix("{'value': dyn(value), 'around'") ?? false
  }

  /// All names in the expressions of a function, however deep.
  private static func names(in json: Value) throws(Unsayable) -> Set<String> {
    var names: Set<String> = []
    for key in ["cel", "if", "select", "param"] {
      if let text = json.field(key)?.text { names.formUnion(try FunctionText.names(in: text)) }
    }
    for element in json.elements + json.members.map(\.1) { names.formUnion(try Self.names(in: element)) }
    return names
  }
}
