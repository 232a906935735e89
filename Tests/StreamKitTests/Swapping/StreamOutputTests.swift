import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The outputs of one run, received separately.
@Suite("Several outputs of a stream", .timeLimit(.minutes(1)))
struct StreamOutputTests {
  private static func text(limit: Int) -> String {
    """
    {
      "inputs": {"level": {"type": "int"}},
      "streams": {
        "checked": {"source": {"input": {"name": "level"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"share": {}}]},
        "alerts": {"source": {"stream": {"name": "checked"}}, "operators": [{"filter": {"expression": "value > \(limit)"}}]},
        "the 'count'": {"source": {"stream": {"name": "checked"}}, "operators": [{"count": {}}]}
      },
      "source": {"input": {"name": "level"}}
    }
    """
  }

  private static let count = "the 'count'"

  private static func all<Element>(_ values: ChangingStream.Values<Element>) async throws -> [Element] {
    var all: [Element] = []
    for try await value in values { all.append(value) }
    return all
  }

  @Test("Each output is received with its own type; a swap keeps the state of all")
  func outputs() async throws {
    let level = PassthroughInput<Int>()
    let stream = try ChangingStream(
      StreamModel(parsing: Self.text(limit: 5)), outputs: ["alerts", Self.count], inputs: ["level": level])
    var alerts = stream.values(of: Int.self, output: "alerts").makeAsyncIterator()
    var counts = stream.values(of: Int.self, output: Self.count).makeAsyncIterator()
    let both = stream.values(of: [String: Int].self)
    async let collected = Self.all(both)
    level.send(4)
    level.send(3)
    #expect(try await alerts.next() == 7)
    let report = try await stream.swap(to: StreamModel(parsing: Self.text(limit: 8)))
    #expect(report != nil)
    level.send(1)
    level.send(2)
    level.finish()
    #expect(try await alerts.next() == 10)
    #expect(try await alerts.next() == nil)
    #expect(try await counts.next() == 4)
    #expect(try await counts.next() == nil)
    let all = try await collected
    #expect(all.suffix(2) == [["alerts": 10], [Self.count: 4]])
  }

  @Test("An output that the model lacks is refused, when it is made, swapped and subscribed to")
  func unknown() async throws {
    let model = try StreamModel(parsing: Self.text(limit: 5))
    let refusal = #expect(throws: Diagnostics.self) { try ChangingStream(model, outputs: ["alert"]) }
    #expect(refusal?.all.first?.message == "there is no stream 'alert' among 'streams', which would be an output")
    #expect(refusal?.all.first?.help == "did you mean 'alerts'?")
    let level = StreamInput(1)
    let stream = try ChangingStream(model, outputs: ["alerts"], inputs: ["level": level])
    let failure = await #expect(throws: StreamFailure.self) { try await Self.all(stream.values(output: "alert")) }
    #expect(failure?.message == "the stream has no output 'alert'")
    await #expect(throws: Diagnostics.self) {
      try await stream.swap(to: StreamModel(parsing: #"{"source": {"just": {"value": 1}}}"#))
    }
    let twice = #expect(throws: Diagnostics.self) { try ChangingStream(model, outputs: ["alerts", "alerts"]) }
    #expect(twice?.all.map(\.message) == ["'alerts' is an output twice"])
    var parted = try StreamModel(
      parsing: """
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "value.k"},
         "streams": {"all": {"source": {"input": {"name": "a"}}}}}
        """)
    parted.name = "parted"
    let divided = #expect(throws: Diagnostics.self) { try ChangingStream(parted, outputs: ["all"]) }
    #expect(divided?.all.first?.message == "a partitioned stream has no outputs beside its own")
    let wrong = #expect(throws: Diagnostics.self) {
      try ChangingStream(
        StreamModel(parsing: #"{"source": {"just": {"value": 1}}, "operators": [{"map": {"expression": "valu"}}]}"#),
        outputs: ["a"])
    }
    #expect(wrong?.all.first?.pointer.description == "/operators/0/map/expression")
  }
}
