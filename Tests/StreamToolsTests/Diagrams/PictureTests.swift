import StreamCore
import StreamEngine
import StreamTesting
import TestSupport
import Testing

@testable import StreamKit
@testable import StreamTools

/// Every kind of picture shows the events of a run.
@Suite struct PictureTests {
  private static func loaded(_ example: ExampleStream) throws -> (stream: StreamFile, options: CompileOptions) {
    let text = JSONWriter.compact(try example.stream())
    let stream = try StreamFile(JSONDocument(reading: text, file: "example.json"), identity: "/example.json")
    return (stream, CompileOptions(files: ValueFilesInMemory.examples, host: .any))
  }

  /// The example's inputs as a test feeds them.
  private static func test(_ example: ExampleStream) throws -> StreamTest {
    var inputs: Members<StreamTest.EventScript> = [:]
    for (name, history) in zip(["a", "b", "c", "d"], try example.inputs()) {
      inputs[name] = StreamTest.EventScript(
        .events(
          history.events.filter { $0.time >= .zero }.compactMap { event in
            switch event.event {
            case .value(let value): Source.Record.Event(at: event.time.seconds, .value(value))
            case .finished: Source.Record.Event(at: event.time.seconds, .finished)
            case .failure(let failure): Source.Record.Event(at: event.time.seconds, .failure(failure.errorValue))
            case .skipped, .call, .noted: nil
            }
          }))
    }
    return StreamTest(name: "", inputs: inputs, expect: StreamTest.EventScript(.values([])))
  }

  @Test("Every example of the catalogue can be shown, and with stages says the same", arguments: ExampleStream.running)
  func examples(_ example: ExampleStream) throws {
    let (stream, options) = try Self.loaded(example)
    let test = try Self.test(example)
    var run = PictureRun(stream, options: options)
    run.limit = 200
    run.until = StreamTime(seconds: 10)
    let whole = try run.picture(of: test)
    run.showsStages = true
    let staged = try run.picture(of: test)
    #expect(staged.lanes.last?.events == whole.lanes.last?.events)
    #expect(staged.lanes.count >= whole.lanes.count)
    for picture in [whole, staged] {
      let text = picture.text(isASCII: true)
      for lane in picture.lanes {
        // A long title is cut, and an arrow in it is written in ASCII.
        let beginning = lane.title.prefix { $0 != " " }.prefix(20)
        #expect(text.split(separator: "\n").contains { $0.hasPrefix(beginning) }, "\(lane.title) in \(text)")
      }
      let svg = picture.svg(title: example.title)
      #expect(SVGCheck.problem(in: svg) == nil)
    }
  }

  @Test("Every example of the catalogue can be drawn as a graph and explained", arguments: ExampleStream.running)
  func graphs(_ example: ExampleStream) throws {
    let (stream, options) = try Self.loaded(example)
    let outline = StreamOutline(stream.model, host: options.host)
    let graph = StreamGraph(outline)
    #expect(SVGCheck.problem(in: graph.svg(title: example.title)) == nil)
    #expect(outline.tree().contains(example.name))
    let explanation = try StreamExplanation(stream, options: options)
    let part = explanation.parts.first {
      $0.name.hasSuffix(example.name) || $0.pointer == example.place.appending(example.name)
    }
    let reference = ["input", "stream"].contains(example.name)
    #expect(reference || part?.text.isEmpty == false)
    #expect(explanation.text(listsPrograms: true).contains("plan: "))
  }

  @Test("Every operator has its line with its events, fused or not")
  func stages() throws {
    let json = #"""
      {"source": {"range": {"from": 1, "through": 4}},
       "operators": [{"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "value * 10"}}, {"count": {}}]}
      """#
    let stream = try StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json")
    var run = PictureRun(stream)
    run.showsStages = true
    let picture = try run.picture(of: StreamTest(name: "", expect: StreamTest.EventScript(.values([]))))
    #expect(picture.lanes.map(\.title) == ["range", "filter", "map", "count → output"])
    let values = picture.lanes.map { History($0.events).values }
    #expect(values == [[1, 2, 3, 4], [2, 4], [20, 40], [2]])
    #expect(picture.lanes.allSatisfy { $0.events.last?.event == .finished })
    #expect(!picture.isCut)
  }

  @Test("A run ends with the last value that has room, also where nothing comes out")
  func limits() throws {
    for operators in [#"[]"#, #"[{"ignoreOutput": {}}]"#] {
      let json = #"{"source": {"range": {"from": 0, "through": 100000000}}, "operators": \#(operators)}"#
      let stream = try StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json")
      var run = PictureRun(stream)
      run.showsStages = true
      run.limit = 5
      let picture = try run.picture(of: StreamTest(name: "", expect: StreamTest.EventScript(.values([]))))
      #expect(picture.isCut)
      #expect(picture.lanes.allSatisfy { $0.events.count <= 5 })
      #expect(picture.text().hasSuffix("(it goes on)"))
    }
  }

  @Test("Events after the end of a picture are announced, and events at its last instant are drawn")
  func untilAndInstants() throws {
    let json =
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value"}}]}"#
    let stream = try StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json")
    let events = (0..<6).map { Source.Record.Event(at: Double($0 / 2), .value(.int(Int64($0)))) }
    let test = StreamTest(
      name: "", inputs: ["a": StreamTest.EventScript(.events(events))], expect: StreamTest.EventScript(.values([])))
    var run = PictureRun(stream)
    run.until = StreamTime(seconds: 1)
    let cut = try run.picture(of: test)
    #expect(cut.isCut)
    #expect(cut.lanes.map { History($0.events).values } == [[0, 1, 2, 3], [0, 1, 2, 3]])
    run.until = StreamTime(seconds: 2)
    #expect(try !run.picture(of: test).isCut)
    run.limit = 3
    run.showsStages = true
    let full = try run.picture(of: test)
    #expect(full.lanes.map { History($0.events).values } == [[0, 1, 2], [0, 1, 2]])
  }

  @Test("Many values at one instant are counted, and the end stays")
  func manyAtOnce() {
    let events = (1...40).map { History.Event.value(.int($0), at: 1) } + [.finished(at: 1)]
    let picture = TimelineDiagram(lanes: [.init(.output, title: "output", events: events)])
    #expect(picture.text().split(separator: "\n").first?.hasSuffix("[1 2 3 4 5 6 7 8 9 10 +30 |]") == true)
  }

  @Test("With --ascii nothing else is drawn")
  func ascii() {
    let events = [
      History.Event.value(["a": "long enough for a letter"], at: 0), .value(2, at: 100), .value(3, at: 101),
    ]
    let picture = TimelineDiagram(
      lanes: [.init(.input, title: "in", events: events), .init(.output, title: "output", events: [.finished(at: 0)])])
    #expect(picture.text(width: 40, isASCII: true).utf8.allSatisfy { $0 < 0x80 })
    #expect(picture.text(width: 40).contains("─▶"))
  }

  @Test("An axis names instants shortly")
  func axis() {
    let texts = [0, 0.0005, 0.25, 1, 1.35, 60, 90.5, 3_600, 3_725].map { StreamTime(seconds: $0).axisText }
    #expect(texts == ["0", "0.5ms", "250ms", "1s", "1.35s", "1m", "1m30.5s", "1h", "1h2m5s"])
  }
}
