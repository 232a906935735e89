import StreamCore
import StreamEngine
import StreamKit
import Testing

/// An execution driven by a host with its own clock.
@Suite struct EmbeddingTests {
  @Test("An execution receives events with their times")
  func embedding() throws {
    let text = """
      {
        "inputs": { "gravity": { "type": { "x": "double", "y": "double", "z": "double" } } },
        "source": { "input": { "name": "gravity" } },
        "operators": [
          { "map": { "expression": "value.z > 0.25 ? 'tiltedDown' : 'notTilted'" } },
          { "debounce": { "seconds": 0.25 } }
        ]
      }
      """
    var events: [ExecutionEvent] = []
    func print(_ event: ExecutionEvent) { events.append(event) }

    let document = try JSONDocument(reading: text, file: "stream.json")
    let pipeline = try StreamModel(json: document.value).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    execution.send(["x": 0.1, "y": 0.2, "z": 0.9], to: 0, at: .zero)
    execution.advance(to: StreamTime(seconds: 1))
    while let event = execution.next() { print(event) }

    #expect(events == [.value("tiltedDown")])
  }

  @Test("A model goes through any coder, and one pipeline serves many executions")
  func coding() throws {
    let document = try JSONDocument(reading: #"{"stream": [{"value": 1}], "operators": [{"count": {}}]}"#, file: "a")
    let model = try StreamModel(json: document.value)
    let decoded = try ValueDecoder().decode(StreamModel.self, from: ValueEncoder().encode(model))
    let pipeline = try model.compile()
    let first = VirtualRun(Execution(pipeline)).run()
    let second = VirtualRun(Execution(pipeline)).run()
    #expect(decoded == model)
    #expect(first == second)
    #expect(first.values == [1])
  }
}
