import CEL
import Foundation
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A model coded by any coder is the file format, and nothing in a file is lost on the way through a model.
@Suite struct ModelCodingTests {
  /// Notes of an author that look like the tagged forms of snapshots.
  private static let note: Value = [
    "$uint": "5", "list": [["$oid": "507f"], ["$map": []], ["$double": "NaN"]] as Value,
  ]

  @Test("A model through JSONEncoder and JSONDecoder is the same model", arguments: ExampleStream.running)
  func throughFoundation(_ stream: ExampleStream) throws {
    var model = try StreamModel(json: stream.stream())
    model.extensions = ValueMap([(.string("x-note"), Self.note)])
    let data = try JSONEncoder().encode(model)
    // Foundation writes a file with the same meaning as the model's own text.
    let file = try JSONDocument(reading: Array(data), file: "f.json").value
    #expect(Self.withoutFractions(file) == Self.withoutFractions(model.json))
    let again = try JSONDecoder().decode(StreamModel.self, from: data)
    #expect(Self.withoutFractions(again.json) == Self.withoutFractions(model.json))
    _ = try again.compile(CompileOptions(files: ValueFilesInMemory.examples, host: .any))
  }

  @Test("Each part of a model has the form of the file", arguments: ExampleStream.running)
  func parts(_ stream: ExampleStream) throws {
    let model = try StreamModel(json: stream.stream())
    try Self.check(model.source)
    for placed in model.operators {
      try Self.check(placed)
      try Self.check(placed.operator)
    }
    for (_, input) in model.inputs { try Self.check(input) }
    for (_, named) in model.streams { try Self.check(named.source) }
    guard case .items(let items) = model.source else { return }
    for item in items { try Self.check(item) }
  }

  private static func check<Part: StreamFilePart>(_ part: Part) throws {
    let data = try JSONEncoder().encode([part])
    let file = try JSONDocument(reading: Array(data), file: "f.json").value
    #expect(withoutFractions(file) == withoutFractions(.list([part.json])))
    let again = try JSONDecoder().decode([Part].self, from: data)
    #expect(again.map { withoutFractions($0.json) } == [withoutFractions(part.json)])
    #expect(try Part(json: part.json) == part)
  }

  @Test("A value of a wrong kind is not a part")
  func wrongParts() throws {
    #expect(throws: Diagnostics.self) { try JSONDecoder().decode(Operator.self, from: Data("3".utf8)) }
    #expect(throws: Diagnostics.self) { try JSONDecoder().decode(Source.self, from: Data("3".utf8)) }
    #expect(throws: Diagnostics.self) { try JSONDecoder().decode(StreamItem.self, from: Data("{}".utf8)) }
    let error = #expect(throws: Diagnostics.self) {
      try JSONDecoder().decode(Operator.self, from: Data(#"{"delay": {"seconds": -1}}"#.utf8))
    }
    #expect(error?.all.first?.pointer == JSONPointer(["delay", "seconds"]))
    // Members beside an operator are a PlacedOperator's.
    let placed = Data(#"{"id": "a", "delay": {"seconds": 1}}"#.utf8)
    let alone = #expect(throws: Diagnostics.self) { try JSONDecoder().decode(Operator.self, from: placed) }
    #expect(alone?.all.first?.pointer == JSONPointer(["id"]))
    #expect(try JSONDecoder().decode(PlacedOperator.self, from: placed).id == "a")
  }

  @Test("A type that is null or a number is refused, in files and by decoders", arguments: ["null", "3"])
  func noType(_ type: String) throws {
    let text =
      #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {}}, "operators": [{"decode": {"type": \#(type)}}]}"#
    let read = #expect(throws: Diagnostics.self) { try StreamModel(parsing: text) }
    let decoded = #expect(throws: Diagnostics.self) {
      try JSONDecoder().decode(StreamModel.self, from: Data(text.utf8))
    }
    for error in [read, decoded] {
      #expect(error?.all.map(\.code) == [.wrongType])
      #expect(error?.all.first?.pointer == JSONPointer(["operators", "0", "decode", "type"]))
    }
  }

  @Test("Objects whose keys begin with $ are objects, to a model in every coder")
  func dollarKeys() throws {
    let text = #"{"stream": [{"value": {"$oid": "507f"}}, {"value": {"$uint": "5"}}, {"value": {"$map": [[1, 2]]}}]}"#
    let model = try StreamModel(parsing: text)
    let decoded = try JSONDecoder().decode(StreamModel.self, from: Data(text.utf8))
    #expect(decoded == model)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(model)
    #expect(String(decoding: data, as: UTF8.self) == text.replacing(" ", with: ""))
    #expect(try ValueDecoder().decode(StreamModel.self, from: ValueEncoder().encode(model)) == model)
    // An operator's fields alone are plain, too.
    let scan = Operator.Scan(initialValue: ["$uint": "5"], expression: "acc")
    #expect(
      String(decoding: try encoder.encode(scan), as: UTF8.self) == #"{"expression":"acc","initialValue":{"$uint":"5"}}"#
    )
    #expect(try JSONDecoder().decode(Operator.Scan.self, from: encoder.encode(scan)) == scan)
  }

  @Test(
    "A double without a fraction comes out of Foundation as itself, as it does out of the text")
  func wholeDoubles() throws {
    let model = try StreamModel(parsing: #"{"stream": [{"value": 1.0}, {"value": 1}, {"value": 0.5}]}"#)
    let decoded = try JSONDecoder().decode(StreamModel.self, from: JSONEncoder().encode(model))
    guard case .items(let items) = decoded.source else { throw Diagnostic(.wrongType, "no items") }
    #expect(items.map(\.value) == [.double(1), .int(1), .double(0.5)])
    #expect(try StreamModel(parsing: JSONWriter.pretty(model.json)) == model)
  }

  @Test("A decoder reports the errors of a file like a reader")
  func problems() throws {
    let text = #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": -1}}, {"mop": {}}]}]}"#
    let read = #expect(throws: Diagnostics.self) { try StreamModel(json: JSONDocument(reading: text, file: "f").value) }
    let decoded = #expect(throws: Diagnostics.self) {
      try JSONDecoder().decode(StreamModel.self, from: Data(text.utf8))
    }
    #expect(decoded == read)
    #expect(read?.all.count == 2)
  }

  @Test("Inputs are the same by their names, in whatever order a coder gives them back")
  func inputsByName() throws {
    let names = ["q", "b", "zz", "a", "m"]
    let inputs = names.map { "\"\($0)\": {}" }.joined(separator: ", ")
    let with = names.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
    let model = try StreamModel(
      parsing:
        #"{"inputs": {\#(inputs)}, "source": {"input": {"name": "q"}}, "operators": [{"combineLatest": {"with": [\#(with)]}}]}"#
    )
    let decoded = try JSONDecoder().decode(StreamModel.self, from: JSONEncoder().encode(model))
    for model in [model, decoded] {
      let execution = Execution(try model.compile())
      execution.request(.unlimited)
      for name in names { try execution.send(.string(name), to: name, at: .zero) }
      #expect(execution.next() == .value(.list(names.map(Value.string))))
      let error = #expect(throws: Diagnostic.self) { try execution.send(1, to: "zzz", at: .zero) }
      #expect(error?.code == .unknownInput)
      #expect(error?.help == "did you mean 'zz'?")
      try execution.finish("a", at: .zero)
      try execution.fail("q", StreamFailure(payload: "over"), at: .zero)
      #expect(execution.next()?.isFailure == true)
    }
  }

  // MARK: The author's own members

  @Test(
    "A member of the author's own in any object is kept, or refused where it stands", arguments: ExampleStream.running)
  func authorsMembers(_ stream: ExampleStream) throws {
    try Self.checkMembers(of: stream.stream())
  }

  @Test("A member of the author's own is kept in every object of a file that has all there is")
  func authorsMembersEverywhere() throws {
    let text = """
      {"$schema": "https://example.org/s.json", "format": 1, "name": "n",
       "inputs": {"a": {"type": "int", "buffer": {"capacity": 2, "whenFull": "fail"}, "time": {"expression": "value"}}},
       "streams": {"s": {"source": {"just": {"value": 1}}}},
       "source": {"merge": {}},
       "operators": [{"id": "m", "flatMap": {"stream": {"source": {"range": {"from": 1, "through": 2}}}}}],
       "tests": [{"name": "t", "inputs": {"a": {"events": [{"at": 0, "value": {"k": 1}}, {"at": 1, "finished": true}]}},
         "calls": {"f": [{"argument": 1, "value": 2}, {"failure": "no"}]}, "expect": {"marbles": "-a|", "values": {"a": 1}}}]}
      """.replacing(#"{"merge": {}}"#, with: #"{"input": {"name": "a"}}"#)
    let file = try JSONDocument(reading: text, file: "f.json").value
    let kept = try Self.checkMembers(of: file)
    #expect(kept >= 18)
    #expect(try StreamModel(json: file).json == file)
    #expect(try StreamModel(json: file).schema == "https://example.org/s.json")
  }

  /// Puts a member into each object of the file; gives how many of the files are accepted.
  @discardableResult
  private static func checkMembers(of file: Value) throws -> Int {
    var kept = 0
    for place in objects(in: file) {
      let changed = file.replacing(place) { object in
        .map(ValueMap(object.pairs.map { ($0, $1) } + [(.string("x-note"), note)]))
      }
      let model: StreamModel
      do throws(Diagnostics) {
        model = try StreamModel(json: changed)
      } catch {
        // If the keys are names, it is one of them, and its value has the wrong type.
        #expect(error.all.allSatisfy { $0.pointer.description.hasPrefix("\(place)/x-note") }, "\(error.all)")
        continue
      }
      kept += 1
      #expect(model.json == changed, "at \(place)")
      let decoded = try JSONDecoder().decode(StreamModel.self, from: JSONEncoder().encode(model))
      #expect(withoutFractions(decoded.json) == withoutFractions(changed))
    }
    return kept
  }

  private static func objects(in value: Value, at pointer: JSONPointer = JSONPointer()) -> [JSONPointer] {
    switch value {
    case .map(let map):
      [pointer]
        + map.pairs.flatMap { key, value -> [JSONPointer] in
          if case .string(let name) = key { objects(in: value, at: pointer.appending(name)) } else { [] }
        }
    case .list(let items): items.enumerated().flatMap { objects(in: $1, at: pointer.appending(String($0))) }
    default: []
    }
  }

  private static func withoutFractions(_ value: Value) -> Value {
    switch value {
    case .double(let number): Int64(exactly: number).map(Value.int) ?? value
    case .list(let items): .list(items.map(withoutFractions))
    case .map(let map): .map(ValueMap(map.pairs.map { ($0, withoutFractions($1)) }))
    default: value
    }
  }
}

extension Value {
  /// The value with an object in it replaced.
  fileprivate func replacing(_ place: JSONPointer, _ change: (ValueMap) -> Value) -> Value {
    guard let token = place.tokens.first else {
      if case .map(let map) = self { return change(map) }
      return self
    }
    let rest = JSONPointer(Array(place.tokens.dropFirst()))
    switch self {
    case .map(let map):
      return .map(ValueMap(map.pairs.map { ($0, $0 == .string(token) ? $1.replacing(rest, change) : $1) }))
    case .list(let items):
      return .list(items.enumerated().map { String($0) == token ? $1.replacing(rest, change) : $1 })
    default: return self
    }
  }
}

extension ExecutionEvent {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
