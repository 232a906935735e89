import StreamCore
import TestSupport

extension VectorTranslator {
  /// Operators that publish lists of values, and those that split the stream into parts.
  func applyCollecting(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "bufferCount":
      sketch.add("collect", ("count", try count(op, 0)), ("startEvery", whole(op, 1)))
    case "bufferTime":
      sketch.add(
        "collectTime", ("seconds", try seconds(op.argument(0), "a span")),
        ("startEvery", try every(op)), ("count", whole(op, 2)), ("emitEmpty", true))
    case "buffer": sketch.add("collectUntil", ("stream", try other(op, 0, scope)))
    case "bufferWhen":
      sketch.add("collectUntil", ("stream", try closing(op, 0, [], scope)), ("each", true))
    case "bufferToggle":
      sketch.add(
        "collectUntil", ("opening", try other(op, 0, scope)), ("closing", try closing(op, 1, ["outer"], scope)))
    case "groupBy": try groupBy(op, &sketch, scope)
    case "window": split(&sketch, "window", [("stream", try other(op, 0, scope))])
    case "windowCount":
      split(&sketch, "window", [("count", try count(op, 0)), ("startEvery", whole(op, 1))])
    case "windowTime":
      split(
        &sketch, "window",
        [
          ("seconds", try seconds(op.argument(0), "a span")), ("startEverySeconds", try every(op)),
          ("count", whole(op, 2)),
        ])
    case "windowWhen":
      split(&sketch, "window", [("stream", try closing(op, 0, [], scope)), ("each", true)])
    case "windowToggle":
      split(
        &sketch, "window",
        [("opening", try other(op, 0, scope)), ("closing", try closing(op, 1, ["outer"], scope))])
    default: return false
    }
    return true
  }

  private func whole(_ op: VectorOperator, _ index: Int) -> Value? { op.count(index).map { .int(Int64($0)) } }

  private func every(_ op: VectorOperator) throws(Unsayable) -> Value? {
    guard let every = op.argument(1) else { return nil }
    return try seconds(every, "a span")
  }

  /// The stream that ends a list or a window.
  private func closing(
    _ op: VectorOperator, _ index: Int, _ ours: [String], _ scope: FunctionScope
  ) throws(Unsayable) -> Value {
    guard let function = op.argument(index) else { throw Unsayable("'\(op.name)' without a function") }
    return try stream(of: function, ours, scope).value
  }

  // MARK: Parts of a stream

  private func groupBy(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) {
    guard let key = op.function(0) else { throw Unsayable("'groupBy' without a key") }
    let element = op.option("element", at: 1) ?? op.function(1)
    if op.option("connector", at: 1) != nil { throw Unsayable("'groupBy' with a subject of its own for each group") }
    var until: Value?
    if let duration = op.option("duration", at: 1) {
      until = try groupStream(duration, &sketch, key: key, element: element, scope)
    }
    split(
      &sketch, "groupBy",
      [
        ("key", .string(try scope.function(key, ["value"]))),
        ("element", try element.map { function throws(Unsayable) in .string(try scope.function(function, ["value"])) }),
        ("until", until),
      ])
  }

  /// The stream that ends a group. It knows the key; if it uses the group's values, it shares upstream.
  private func groupStream(
    _ function: Value, _ sketch: inout StreamSketch, key: Value, element: Value?, _ scope: FunctionScope
  ) throws(Unsayable) -> Value {
    guard let parameter = function.field("params")?.elements.first?.text, let stream = function.field("stream"),
      Self.mentions(of: parameter, in: stream) > 0
    else { return try self.stream(of: function, ["{'key': key}"], scope).value }
    sketch = .stream(named: share(sketch.adding("share", ("replay", 1))))
    var group = sketch
    group.add("filter", ("expression", .string("(\(try scope.function(key, ["value"]))) == key")))
    if let element { group.map(try scope.function(element, ["value"])) }
    return try self.stream(stream, scope.hiding(["key"]).naming(parameter, .known(group))).value
  }

  private func split(_ sketch: inout StreamSketch, _ name: String, _ fields: [(String, Value?)]) {
    sketch.parts = StreamSketch.Parts(name: name, fields: fields, tag: name == "groupBy" ? "key" : "windowIndex")
  }

  /// Translates an operator over the parts of a stream as streams. False if the operator works on the parts'
  /// beginnings.
  func applyToParts(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "tap", "finalize": return true
    // Parts that come one after the other may be flattened in any way.
    case "mergeAll", "concatAll", "switchAll":
      guard op.name == "mergeAll" || isSequential(sketch) else { throw Unsayable("'\(op.name)' of parts that overlap") }
      close(&sketch, over: [])
      return true
    case "mergeMap", "concatMap", "switchMap":
      guard op.name == "mergeMap" || isSequential(sketch), let function = op.argument(0),
        let parameter = function.field("params")?.elements.first?.text,
        let stream = function.field("stream")
      else { break }
      // A function that gives the part back as a value changes nothing.
      if stream.field("op") == "of", stream.field("args") == [["cel": .string(parameter)]] { return true }
      let value = sketch.parts?.name == "groupBy" ? "{'key': key}" : "windowIndex"
      guard
        let inner = try? scope.hiding(["key", "windowIndex"]).naming(parameter, value).naming(parameter, .upstream),
        let parts = try? self.stream(stream, inner), parts.isFed
      else { break }
      close(&sketch, over: parts.operators)
      return true
    default: break
    }
    // Only the beginning of each part is published. The whole ends when all parts have ended.
    let isGroup = sketch.parts?.name == "groupBy"
    let beginning: Value = .object(
      ("source", .object(("just", .object(("expression", .string(isGroup ? "{'key': key}" : "windowIndex")))))))
    close(
      &sketch,
      over: [
        .object(("ignoreOutput", .object())),
        .object(("prepend", .object(("with", .list([beginning]))))),
      ])
    return false
  }

  /// Whether each part begins when the one before has ended.
  private func isSequential(_ sketch: StreamSketch) -> Bool {
    guard let parts = sketch.parts, parts.name == "window" else { return false }
    let fields = Set(parts.fields.compactMap { $0.1 == nil ? nil : $0.0 })
    return fields.isDisjoint(with: ["opening", "startEvery", "startEverySeconds"])
  }

  private func close(_ sketch: inout StreamSketch, over operators: [Value]) {
    guard let parts = sketch.parts else { return }
    sketch.parts = nil
    sketch.add(parts.name, parts.fields + [("operators", .list(operators))])
  }

  /// At the end of a pipeline: the parts' events, each with its part.
  func tagParts(of sketch: inout StreamSketch) throws(Unsayable) {
    guard let tag = sketch.parts?.tag else { return }
    let opened: Value = .object(
      ("source", .object(("just", .object(("expression", .string("{'part': dyn(\(tag)), 'opened': true}")))))))
    close(
      &sketch,
      over: [
        .object(("materialize", .object())),
        .object(("map", .object(("expression", .string("{'part': dyn(\(tag)), 'event': dyn(value)}"))))),
        .object(("prepend", .object(("with", .list([opened]))))),
      ])
  }
}
