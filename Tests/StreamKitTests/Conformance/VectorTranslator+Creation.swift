import StreamCore
import TestSupport

extension VectorTranslator {
  /// A stream out of nothing, or out of others.
  func creation(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    switch op.name {
    case "of": return try sequence(of: op.arguments, scope)
    case "EMPTY", "empty": return .empty
    case "NEVER", "never": return .never
    case "from": return try from(op.arguments.first ?? .null, scope)
    case "range": return try range(op)
    case "throwError":
      return .failing(try error(op.arguments.first ?? .null, scope))
    case "interval":
      let period = op.arguments.first?.number.map { Value.double(max($0, 0)) }
      return try timer(op, startingAfter: period, every: period, scope)
    case "timer": return try timer(op, startingAfter: op.arguments.first, every: op.argument(1), scope)
    case "defer":
      guard let function = op.arguments.first else { break }
      return try stream(of: function, [], scope)
    case "iif":
      guard op.arguments.count > 1, let condition = op.function(0) else { break }
      return Self.choice(
        [(try scope.function(condition, []), try stream(op.arguments[1], scope))],
        otherwise: op.arguments.count > 2 ? try stream(op.arguments[2], scope) : .empty)
    case "generate": return try generate(op, scope)
    case "pairs":
      let pairs = (op.arguments.first?.members ?? []).map { Value.list([.string($0), $1]) }
      return StreamSketch(items: try values(pairs, scope))
    case "partition": return try partition(op, scope)
    case "connectable":
      guard let source = op.arguments.first else { break }
      var sketch = try stream(source, scope)
      sketch.add("share", ("subscribers", 1_000_000))
      return sketch
    default: return try joining(op, scope)
    }
    throw Unsayable("'\(op.name)' with these arguments")
  }

  /// Values one after the other; what expressions give stands between those that are known.
  private func sequence(of arguments: [Value], _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    var parts: [StreamSketch] = []
    var known: [Value] = []
    func flush() {
      if !known.isEmpty { parts.append(StreamSketch(items: known)) }
      known = []
    }
    for argument in arguments {
      if let cel = argument.field("cel")?.text {
        flush()
        parts.append(StreamSketch(source: "just", ("expression", .string(try scope.text(cel)))))
      } else {
        known.append(try value(argument, scope))
      }
    }
    flush()
    guard let first = parts.first else { return .empty }
    return parts.count == 1 ? first : first.adding("append", ("with", .list(parts.dropFirst().map(\.value))))
  }

  private func from(_ argument: Value, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    switch argument {
    case .list(let elements): return StreamSketch(items: try values(elements.elements, scope))
    case .string(let text): return StreamSketch(items: text.map { .string(String($0)) })
    default: break
    }
    if let cel = argument.field("cel")?.text {
      return StreamSketch(source: "sequence", ("expression", .string(try scope.text(cel))))
    }
    return try stream(argument, scope)
  }

  private func range(_ op: VectorOperator) throws(Unsayable) -> StreamSketch {
    guard let start = op.number(0) else { throw Unsayable("a range of nothing") }
    let (from, count) = op.argument(1) == nil ? (0, start) : (start, op.number(1) ?? 0)
    guard let first = Int64(exactly: from), let count = Int64(exactly: count) else {
      throw Unsayable("a range that is not of integers")
    }
    guard count > 0 else { return .empty }
    return StreamSketch(source: "range", ("from", .int(first)), ("through", .int(first + count - 1)))
  }

  /// The error of `throwError` and of `throwIfEmpty`: a value, or a function that gives one.
  func error(_ argument: Value, _ scope: FunctionScope) throws(Unsayable) -> Value {
    guard let cel = argument.field("cel")?.text else { return try value(argument, scope) }
    return try FunctionText.constant(try scope.text(cel))
  }

  private func timer(
    _ op: VectorOperator, startingAfter: Value?, every: Value?, _ scope: FunctionScope
  ) throws(Unsayable) -> StreamSketch {
    if let cel = startingAfter?.field("cel")?.text, every == nil { return timer(after: try scope.text(cel)) }
    let delay = startingAfter?.number ?? 0
    let period = every?.number
    if startingAfter?.number == .infinity { return .never }
    var first: StreamSketch
    if let moment = startingAfter?.field("$at")?.number {
      first = date(moment)
      first.map("0")
      guard let period, period >= 0 else { return first }
      var rest = StreamSketch(source: "timer", ("every", try seconds(.double(period), "a period")))
      rest.map("value + 1")
      return first.adding("append", ("with", .list([rest.value])))
    }
    let after = try seconds(.double(delay), "a delay")
    guard let period, period >= 0 else {
      return StreamSketch(source: "timer", ("every", 1), ("count", 1), ("startingAfter", after))
    }
    guard period < .infinity else {
      first = StreamSketch(source: "timer", ("every", 1), ("count", 1), ("startingAfter", after))
      return first.adding("append", ("with", .list([StreamSketch.never.value])))
    }
    guard period > 0 else {
      // All at one moment, as far as they are wanted.
      let all = StreamSketch(source: "range", ("from", 0), ("through", .int(.max - 1)))
      return delay > 0 ? all.adding("delaySubscription", ("seconds", after)) : all
    }
    return StreamSketch(
      source: "timer", ("every", try seconds(.double(period), "a period")), ("startingAfter", after))
  }

  /// A zero after as many milliseconds as an expression gives: they are counted.
  private func timer(after milliseconds: String) -> StreamSketch {
    var counted = StreamSketch(source: "timer", ("every", 0.001))
    counted.add("filter", ("expression", .string("value + 1 == dyn(\(milliseconds))")))
    counted.add("prefix", ("count", 1))
    counted.map("0")
    return Self.choice([("dyn(\(milliseconds)) <= 0", StreamSketch(items: [0]))], otherwise: counted)
  }

  private func generate(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    let options = op.option("initialState") == nil ? nil : op.arguments.first
    func function(_ name: String, _ index: Int) throws(Unsayable) -> Value? {
      let found = options == nil ? op.function(index) : options?.field(name)
      guard let found else { return nil }
      return .string(try scope.function(found, ["value"]))
    }
    guard let next = try function("iterate", 2) else { throw Unsayable("'generate' without an iterate function") }
    return StreamSketch(
      source: "generate",
      ("initialValue", try value(options?.field("initialState") ?? op.arguments.first ?? .null, scope)),
      ("while", try function("condition", 1)), ("next", next), ("output", try function("resultSelector", 3)))
  }

  private func partition(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    guard let source = op.arguments.first, let condition = op.function(1) else {
      throw Unsayable("'partition' with these arguments")
    }
    let text = try scope.hiding(["value", "index"]).function(condition, ["value", "index"])
    return try stream(source, scope).adding(
      "filter", ("expression", .string(op.output == 0 ? text : "!(\(text))")))
  }

  /// Streams out of several others.
  private func joining(_ op: VectorOperator, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    let names = op.arguments.first?.field("$dict").map { $0.members.map(\.0) }
    // The argument after the list may be another stream: a function's parameter.
    let more = op.arguments.dropFirst().filter { $0.field("params") == nil && $0.field("cel") != nil }
    let list = op.arguments.first?.field("$dict")?.members.map(\.1) ?? op.arguments.first?.elements ?? []
    let all = try streams(list + more, scope)
    guard var first = all.first else { return .empty }
    let others = Value.list(all.dropFirst().map(\.value))
    if ["combineLatest", "zip", "forkJoin"].contains(op.name) {
      // A function of named streams takes them as one object.
      let argument = names.map {
        "{" + $0.map { "\(FunctionText.literal(.string($0))): \($0)" }.joined(separator: ", ") + "}"
      }
      let function = op.argument(1).flatMap { $0.field("params") == nil ? nil : $0 }
      let expression = try function.map { function throws(Unsayable) in
        Value.string(try scope.function(function, [argument ?? "values"]))
      }
      guard all.count > 1 else {
        try joinOne(&first, op.name, names: names, expression)
        return first
      }
      first.add(
        op.name, ("with", others), ("names", names.map { .list($0.map(Value.string)) }),
        ("expression", expression))
      return first
    }
    switch op.name {
    case "concat": if all.count > 1 { first.add("append", ("with", others)) }
    case "merge":
      if all.count > 1 {
        first.add("merge", ("with", others), ("maxPublishers", op.count(1).map { .int(Int64($0)) }))
      }
    case "race": if all.count > 1 { first.add("race", ("with", others)) }
    case "onErrorResumeNext":
      first.add(
        "append", ("with", all.count > 1 ? others : .list([StreamSketch.empty.value])), ("failures", "continue"))
    default: throw Unsayable("there is no '\(op.name)'")
    }
    return first
  }

  /// One stream alone, joined with none.
  private func joinOne(
    _ sketch: inout StreamSketch, _ name: String, names: [String]?, _ expression: Value?
  ) throws(Unsayable) {
    if name == "forkJoin" { sketch.add("last") }
    if let text = expression?.text {
      let key = names?.first ?? "values"
      sketch.map(try FunctionText.replacing([key: key == "values" ? "[value]" : "value"], in: text))
    } else if let key = names?.first {
      sketch.map("{\(FunctionText.literal(.string(key))): value}")
    } else {
      sketch.map("[value]")
    }
  }
}
