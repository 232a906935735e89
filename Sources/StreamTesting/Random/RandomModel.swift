package import StreamCore
package import StreamKit

/// Random stream files composed from the examples of all operators and sources.
///
/// All are valid: they can be read as models and compile for a host that accepts everything. A seed reproduces the same
/// files.
package struct RandomModel {
  /// The generator, also for other random choices of a test.
  package var generator: SeededGenerator
  /// Number of operator ids and stream names assigned so far.
  var nameCount = 0

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The next file, with items or another source, operators, named streams, inputs, tests and the author's members.
  package mutating func model() -> StreamModel {
    // Operators that do not fit the types of their neighbors are removed, at worst all of them.
    for attempt in 0..<20 {
      if let model = Self.valid(json(operatorLimit: 8 - attempt / 3)) { return model }
    }
    return StreamModel(source: .items([StreamItem(.int(Int64(generator.below(100))))]))
  }

  /// The model of a JSON value, if it is valid.
  package static func valid(_ json: Value) -> StreamModel? {
    guard let model = try? StreamModel(json: json), (try? model.compile(CompileOptions(host: .any))) != nil else {
      return nil
    }
    return model
  }

  /// The inputs that every file declares: the examples refer to them.
  static let inputNames = ["a", "b", "c", "d"]

  /// The members of a file, valid or not.
  private mutating func json(operatorLimit: Int) -> Value {
    nameCount = 0
    var members: [(Value, Value)] = []
    if generator.happens(oneIn: 3) { members.append(("format", 1)) }
    if generator.happens(oneIn: 4) { members.append(("id", .string(uuid()))) }
    if generator.happens(oneIn: 2) { members.append(("name", .string(text()))) }
    if generator.happens(oneIn: 3) { members.append(("description", .string(text()))) }
    if generator.happens(oneIn: 8) { members.append(("requires", ["map", "scan"])) }
    members.append(("inputs", inputs()))
    let streams = namedStreams()
    if !streams.isEmpty { members.append(("streams", .map(ValueMap(streams)))) }
    members.append(source(among: streams.compactMap { if case .string(let name) = $0.0 { name } else { nil } }))
    var operators = operators(upTo: operatorLimit)
    if !operators.isEmpty, generator.happens(oneIn: 4) { members += definitions(from: &operators) }
    if !operators.isEmpty { members.append(("operators", .list(operators))) }
    let tests = (0..<generator.below(3)).map { _ in test() }
    if !tests.isEmpty { members.append(("tests", .list(tests))) }
    members += extensions()
    return .map(ValueMap(members))
  }

  private mutating func inputs() -> Value {
    var inputs: [(Value, Value)] = []
    for name in Self.inputNames {
      var declaration: [(Value, Value)] = []
      if generator.happens(oneIn: 5) {
        declaration.append(("initialValue", .int(Int64(generator.below(10)))))
        if generator.happens(oneIn: 2) { declaration.append(("type", "int")) }
      }
      if generator.happens(oneIn: 6) {
        let policy = generator.pick(["dropOldest", "dropNewest", "fail"])
        declaration.append(
          ("buffer", ["capacity": .int(Int64(1 + generator.below(9))), "whenFull": .string(policy)]))
      }
      declaration += extensions()
      inputs.append((.string(name), .map(ValueMap(declaration))))
    }
    return .map(ValueMap(inputs))
  }

  private mutating func namedStreams() -> [(Value, Value)] {
    (0..<generator.below(3)).map { number in
      var members = [source(among: [])]
      let operators = operators(upTo: 2)
      if !operators.isEmpty { members.append(("operators", .list(operators))) }
      if generator.happens(oneIn: 4) { members.append(("description", .string(text()))) }
      return (.string("stream\(number)"), .map(ValueMap(members)))
    }
  }

  /// Moves some of the operators to a definition with a parameter, which `apply` replaces.
  private mutating func definitions(from operators: inout [Value]) -> [(Value, Value)] {
    let start = generator.below(operators.count)
    let end = start + 1 + generator.below(operators.count - start)
    let count = Value.int(Int64(1 + generator.below(5)))
    var moved = Array(operators[start..<end])
    moved.append(["prefix": ["count": ["parameter": "limit"]]])
    var definition: [(Value, Value)] = [
      ("parameters", ["limit": generator.happens(oneIn: 2) ? ["type": "int", "default": count] : ["type": "int"]]),
      ("operators", .list(moved)),
    ]
    if generator.happens(oneIn: 3) {
      definition.append(
        (
          "tests",
          [
            [
              "name": "part", "parameters": ["limit": 1], "inputs": ["values": ["values": [1]]],
              "expect": ["values": []],
            ]
          ]
        ))
    }
    let limit: Value = generator.happens(oneIn: 2) ? ["parameter": "most"] : count
    operators.replaceSubrange(start..<end, with: [["apply": ["definition": "part", "limit": limit]]])
    return [
      ("parameters", ["most": ["type": "int", "default": count]]),
      ("definitions", ["part": .map(ValueMap(definition))]),
    ]
  }

  private mutating func uuid() -> String {
    let digits = Array("0123456789ABCDEF")
    return [8, 4, 4, 4, 12].map { count in
      String((0..<count).map { _ in generator.pick(digits) })
    }.joined(separator: "-")
  }
}
