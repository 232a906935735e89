import StreamCore
import TestSupport

extension VectorTranslator {
  /// A stream of the vectors' README, called S there.
  func stream(_ json: Value, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    switch json {
    case .string(let name):
      // A string that does not name a source is a list of its characters, as in JavaScript.
      if vector.sources.contains(where: { $0.name == name }) { return .stream(named: name) }
      return StreamSketch(items: name.map { .string(String($0)) })
    case .list(let elements): return StreamSketch(items: try values(elements.elements, scope))
    case .map: break
    default: throw Unsayable("a \(json.typeName) in the place of a stream")
    }
    if let name = (json.field("ref") ?? json.field("def"))?.text { return .stream(named: name) }
    if let parameter = (json.field("param") ?? json.field("cel"))?.text { return try stream(of: parameter, scope) }
    if let operators = json.field("operators") {
      guard let source = json.field("source") else { throw Unsayable("operators over nothing") }
      var sketch = try stream(source, scope)
      for place in operators.elements { try apply(try VectorOperator(place), to: &sketch, scope) }
      return sketch
    }
    if let condition = json.field("if")?.text {
      return Self.choice(
        [(try scope.text(condition), try branch(json, "then", scope))], otherwise: try branch(json, "else", scope))
    }
    if let error = json.field("fail") { return .failing(try value(error, scope)) }
    if let key = json.field("select")?.text { return try selection(key, json.field("cases")?.elements ?? [], scope) }
    if let streams = json.field("sequence") { return try sequence(streams.elements, scope) }
    if json.field("op") != nil { return try creation(try VectorOperator(json), scope) }
    throw Unsayable("a stream that is \(JSONWriter.compact(json))")
  }

  func streams(_ list: [Value], _ scope: FunctionScope) throws(Unsayable) -> [StreamSketch] {
    var sketches: [StreamSketch] = []
    for element in list { sketches.append(try stream(element, scope)) }
    return sketches
  }

  func values(_ list: [Value], _ scope: FunctionScope) throws(Unsayable) -> [Value] {
    var values: [Value] = []
    for element in list { values.append(try value(element, scope)) }
    return values
  }

  private func branch(_ json: Value, _ name: String, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    guard let json = json.field(name) else { return .empty }
    return try stream(json, scope)
  }

  private func stream(of parameter: String, _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    switch scope.streams[parameter] {
    case .known(let sketch): sketch
    case .upstream: .fed
    case nil: dereference(try scope.text(parameter))
    }
  }

  private func selection(
    _ key: String, _ cases: [Value], _ scope: FunctionScope
  ) throws(Unsayable) -> StreamSketch {
    let text = try scope.text(key)
    var choices: [(String, StreamSketch)] = []
    for pair in cases where pair.elements.count == 2 {
      let wanted = FunctionText.literal(try value(pair.elements[0], scope))
      choices.append(("dyn(\(text)) == \(wanted)", try stream(pair.elements[1], scope)))
    }
    return Self.choice(choices, otherwise: .failing("no case for the key"))
  }

  /// Another stream with each call: the first choice counts the call, the others read the count.
  private func sequence(_ list: [Value], _ scope: FunctionScope) throws(Unsayable) -> StreamSketch {
    let number = takeSequenceNumber()
    let choices = try streams(list, scope).enumerated().map { index, stream in
      (condition: "\(index == 0 ? "nextCall" : "presentCall")(\(number)) == \(index)", stream: stream)
    }
    return Self.choice(choices, otherwise: .failing("one call more than the test has"))
  }

  // MARK: Streams that functions return

  /// The result of a function `{"params", "stream"}`; its parameters are `ours`.
  func stream(
    of function: Value, _ ours: [String?], _ scope: FunctionScope
  ) throws(Unsayable) -> StreamSketch {
    guard let stream = function.field("stream") else { throw Unsayable("a function that gives no stream") }
    let parameters = (function.field("params")?.elements ?? []).compactMap(\.text)
    return try self.stream(stream, scope.entering(parameters, as: ours))
  }

  /// The operators of a field `operators`, where the function returns its parameter with operators, or another stream.
  func operators(
    of function: Value, _ scope: FunctionScope, inner: [(String, String)] = []
  ) throws(Unsayable) -> Value {
    let parameters = (function.field("params")?.elements ?? []).compactMap(\.text)
    guard let stream = function.field("stream"), let parameter = parameters.first else {
      throw Unsayable("a function that gives no stream")
    }
    var scope = try scope.hiding(inner.map(\.1)).naming(parameter, .upstream)
    for (name, text) in inner { scope = scope.naming(name, text) }
    return .list(operators(of: try self.stream(stream, scope)))
  }

  private func operators(of sketch: StreamSketch) -> [Value] {
    if sketch.isFed { return sketch.operators }
    // The fed values are ignored.
    return [
      .object(("prefix", .object(("count", 0)))),
      .object(("append", .object(("with", .list([sketch.value]))))),
    ]
  }
}

/// An operator of a vector, or what creates a stream.
struct VectorOperator {
  let name: String
  let arguments: [Value]
  /// Which result, where there are two.
  let output: Int

  init(_ name: String, _ arguments: [Value]) {
    self.name = name
    self.arguments = arguments
    output = 0
  }

  init(_ json: Value) throws(Unsayable) {
    guard let name = json.field("op")?.text else { throw Unsayable("an operator without a name") }
    self.name = name
    arguments = json.field("args")?.elements ?? []
    output = json.field("output") == 1 ? 1 : 0
  }

  /// The argument at this place, if it is there and not null.
  func argument(_ index: Int) -> Value? {
    guard index < arguments.count, arguments[index] != .null else { return nil }
    return arguments[index]
  }

  /// The function at this place.
  func function(_ index: Int) -> Value? {
    argument(index).flatMap { $0.field("cel") == nil ? nil : $0 }
  }

  /// The number at this place.
  func number(_ index: Int) -> Double? { argument(index)?.number }

  func count(_ index: Int) -> Int? { number(index).flatMap(Int.init(exactly:)) }

  /// The member of an argument of options.
  func option(_ name: String, at index: Int = 0) -> Value? {
    argument(index)?.field(name).flatMap { $0 == .null ? nil : $0 }
  }
}
