import CEL
import Foundation
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Models that are saved and loaded by Foundation's coders.
@Suite struct SavedModelTests {
  static let models: [StreamModel] = [
    StreamModel(stream: [StreamItem(1.0), StreamItem(3.0)], operators: [.map("value / 2")]),
    StreamModel(source: .sequence(Source.Sequence(values: [[1.0, 2], ["a": 3.0]])), operators: [.map("[value]")]),
    StreamModel(stream: [StreamItem(1)], operators: [.scan(0.0, "acc + value"), .map("value / 2")]),
    StreamModel(
      stream: [StreamItem(1)],
      operators: [.flatMap(InnerStream(StreamModel(stream: [StreamItem([3.0])])))]),
  ]

  @Test("A model that was saved and loaded is equal and publishes the same", arguments: models, [false, true])
  func isKept(_ model: StreamModel, asPropertyList: Bool) throws {
    let decoded: StreamModel
    if asPropertyList {
      let data = try PropertyListEncoder().encode(model)
      decoded = try PropertyListDecoder().decode(StreamModel.self, from: data)
    } else {
      decoded = try JSONDecoder().decode(StreamModel.self, from: JSONEncoder().encode(model))
    }
    #expect(decoded == model)
    let outputs = try [model, decoded].map { try VirtualRun(Execution($0.compile())).run() }
    #expect(outputs[0] == outputs[1])
  }

  @Test("Parts that were saved and loaded are equal")
  func parts() throws {
    let operators: [StreamKit.Operator] = [.scan(0.0, "acc + value"), .delay(seconds: 1)]
    let again = try JSONDecoder().decode([StreamKit.Operator].self, from: JSONEncoder().encode(operators))
    #expect(again == operators)
    let item = StreamItem(["a": [1.0, 2, 2.5]])
    let itemAgain = try JSONDecoder().decode(StreamItem.self, from: JSONEncoder().encode(item))
    #expect(itemAgain == item)
  }

  @Test("The text of a model does not list its doubles", arguments: models)
  func text(_ model: StreamModel) throws {
    let text = JSONWriter.compact(model.json)
    #expect(!text.contains("x-doubles"))
    #expect(try StreamModel(parsing: text) == model)
  }

  @Test("A file that a coder wrote is read with its doubles")
  func file() throws {
    let data = try JSONEncoder().encode(Self.models[0])
    let model = try StreamModel(parsing: String(decoding: data, as: UTF8.self))
    #expect(model == Self.models[0])
  }

  @Test(
    "A wrong list of doubles is an error at its place",
    arguments: [
      (#"["/source/just/value", "/source/just/other"]"#, "/x-doubles/1"), (#"["/source"]"#, "/x-doubles/0"),
      (#"["source"]"#, "/x-doubles/0"), ("[1]", "/x-doubles/0"), ("7", "/x-doubles"),
    ])
  func wrongLists(_ list: String, _ pointer: String) throws {
    let text = #"{"source": {"just": {"value": 1}}, "x-doubles": \#(list)}"#
    let error = #expect(throws: Diagnostics.self) { try StreamModel(parsing: text) }
    #expect(error?.all.map(\.pointer.description) == [pointer])
    #expect(error?.all.first?.code == .wrongType)
    #expect(throws: Diagnostics.self) { try JSONDecoder().decode(StreamModel.self, from: Data(text.utf8)) }
    let part = #"{"map": {"expression": "1"}, "x-doubles": \#(list)}"#
    #expect(throws: Diagnostics.self) { try JSONDecoder().decode(StreamKit.Operator.self, from: Data(part.utf8)) }
  }

  @Test("The errors of a parsed model have lines and columns until it changes")
  func locations() throws {
    var model = try StreamModel(
      parsing: """
        {"stream": [{"value": 1}],
         "operators": [{"map": {"expression": "valu > 1"}}]}
        """)
    var problem = #expect(throws: Diagnostics.self) { try model.compile() }?.all.first
    #expect(problem?.location?.line == 2)
    #expect(problem?.location?.column == 40)
    model.name = "changed"
    problem = #expect(throws: Diagnostics.self) { try model.compile() }?.all.first
    #expect(problem?.location == nil)
  }

  @Test("Coding a value of very many levels fails")
  func depth() {
    var value: Value = .null
    for _ in 0..<5_000 { value = .list([value]) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
  }
}

/// Errors as Foundation and `print` show them.
@Suite struct ErrorTextTests {
  @Test("Errors print their message and their place")
  func text() throws {
    let model = try StreamModel(
      parsing: #"{"stream": [{"value": 0}], "operators": [{"map": {"expression": "1 / value"}}]}"#)
    let history = VirtualRun(Execution(try model.compile())).run()
    guard case .failure(let failure)? = history.completion else { throw Diagnostic(.streamFailed, "no failure") }
    #expect("\(failure)" == "S402: 1 cannot be divided by zero (at /operators/0/map/expression)")
    #expect((failure as any Error).localizedDescription == "\(failure)")
    let problems = #expect(throws: Diagnostics.self) {
      try StreamModel(parsing: #"{"stream": [], "operators": [{"mop": {}}]}"#)
    }
    #expect((problems as (any Error)?)?.localizedDescription.contains("there is no operator 'mop'") == true)
  }
}
