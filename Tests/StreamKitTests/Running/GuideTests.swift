import CEL
import Foundation
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The code of StreamKit's documentation, word for word.
@Suite struct GuideTests {
  @Test("Getting started")
  func gettingStarted() async throws {
    let text = """
      {"source": {"range": {"from": 1, "through": 6}},
       "operators": [{"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "value * 10"}}]}
      """

    let model = try StreamModel(parsing: text, file: "numbers.json")

    var numbers: [Int] = []
    for try await number in model.values(of: Int.self) {
      numbers.append(number)
    }

    #expect(numbers == [20, 40, 60])
  }

  @Test("Embedding: models made in Swift, and as JSON")
  func models() throws {
    var model = StreamModel(
      name: "Serial Stream A",
      stream: [
        StreamItem(1, operators: [.delay(seconds: 1)]),
        StreamItem(2, operators: [.delay(seconds: 1)]),
      ],
      operators: [.filter("value != 3"), .map("value * 2"), .scan(0, "acc + value")])
    model.operators.append(.debounce(seconds: 0.3))
    model.inputs["name"] = InputDeclaration(type: .string, initialValue: "")
    model.operators[1].operator = .map(.init(expression: "value * 3"))

    var (waits, starts, names): ([Double], [Value], [String]) = ([], [], [])
    for placed in model.operators {
      switch placed.operator {
      case .debounce(let debounce): waits.append(debounce.seconds ?? 0)
      case .scan(let scan): starts.append(scan.initialValue ?? .null)
      default: names.append(placed.operator.name)
      }
    }
    #expect(waits == [0.3])
    #expect(starts == [0])
    #expect(names == ["filter", "map"])

    let data = try JSONEncoder().encode(model)
    let same = try JSONDecoder().decode(StreamModel.self, from: data)
    let operators = try JSONDecoder().decode([Operator].self, from: Data(#"[{"delay":{"seconds":1}}]"#.utf8))
    #expect(same == model)
    #expect(operators == [.delay(seconds: 1)])

    model.operators[3].operator = .debounce(seconds: -1)
    model.operators[0].operator = .filter("valu != 3")
    let error = #expect(throws: Diagnostics.self) { try model.compile() }
    #expect(
      error?.all.map { "\($0.code.rawValue) \($0.pointer)" } == [
        "S104 /operators/3/debounce/seconds", "S202 /operators/0/filter/expression",
      ])
  }

  final class NameForm {
    @StreamInput var text = "Ada"
  }

  @Test("Embedding: inputs")
  func inputs() async throws {
    let model = try StreamModel(
      parsing: """
        {"inputs": {"text": {"initialValue": ""}}, "source": {"input": {"name": "text"}},
         "operators": [{"map": {"expression": "value.size()"}}]}
        """)
    let seen = Recorder<String>()

    let form = NameForm()
    var lengths = model.values(of: Int.self, inputs: ["text": form.$text]).makeAsyncIterator()
    let first = try await lengths.next()

    let token = form.$text.observe { text in seen.append(text) }
    form.text = "Grace"
    token.cancel()

    form.text = "Edsger"
    let others = try await [lengths.next(), lengths.next()]
    #expect(first == 3)
    #expect(others == [5, 6])
    #expect(seen.values == ["Ada", "Grace"])
  }

  struct Shop: Sendable {
    func price(of item: String) async throws -> Double { Double(item.count) + 0.5 }
  }

  @Test("Embedding: values that are kept while a loop is busy")
  func buffering() async throws {
    let model = try StreamModel(checking: #"{"inputs": {"text": {}}, "source": {"input": {"name": "text"}}}"#)
    let text = StreamInput("a")
    let live = try LiveStream(model, inputs: ["text": text])
    var shown: [String] = []
    text.value = "b"
    text.finish()

    for try await text in live.values(of: String.self, bufferingPolicy: .newest(1)) {
      shown.append(text)
    }
    #expect(shown == ["b"])
  }

  @Test("Embedding: one of several outputs")
  func outputs() async throws {
    let model = try StreamModel(
      checking:
        #"{"outputs": {"alerts": {"stream": {"stream": [{"value": "hot"}]}}, "all": {"stream": {"stream": []}}}}"#)
    let live = try LiveStream(model)
    var shown: [String] = []

    for try await alert in live.values(of: String.self, output: "alerts") { shown.append(alert) }
    #expect(shown == ["hot"])
  }

  @Test("Embedding: saving and restoring")
  func state() async throws {
    let model = try StreamModel(
      checking: """
        {"inputs": {"taps": {}}, "source": {"input": {"name": "taps"}},
         "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}
        """)
    let taps = PassthroughInput<Int>()

    var live = try LiveStream(model, inputs: ["taps": taps])
    live.state = StreamState()
    var counts = live.values(of: Int.self).makeAsyncIterator()
    taps.send(1)
    let first = try await counts.next()
    let stored = try JSONEncoder().encode(try await live.state?.save())
    #expect(first == 1)

    let saved = try JSONDecoder().decode(Snapshot.self, from: stored)
    live.state = StreamState(restoring: saved)
    var restored = live.values(of: Int.self).makeAsyncIterator()
    taps.send(1)
    let second = try await restored.next()
    #expect(second == 2)
  }

  struct Reading: Codable {
    var sensor: String
    var at: Date
  }

  @Test("Embedding: the app's own types")
  func ownTypes() throws {
    let value = try Value(encoding: Reading(sensor: "a", at: Date(timeIntervalSince1970: 0)))
    let sensor = value["sensor"]?.string
    let reading = try value.decoded(as: Reading.self)
    #expect(sensor == "a")
    #expect(value["at"] == .timestamp(Timestamp(seconds: 0)))
    #expect(reading.at == Date(timeIntervalSince1970: 0))
  }

  @MainActor final class Label {
    var text = ""
  }

  @Test("Embedding: functions and hooks")
  @MainActor func services() async throws {
    let shop = Shop()
    let prices = Recorder<Double>()

    var services = HostServices()
    services.function("priceOf") { (item: String) async throws -> Double in
      try await shop.price(of: item)
    }
    services.hook("seen") { (price: Double) in prices.append(price) }

    let label = Label()
    services.hook("status", on: .shared) { (text: String) in label.text = text }

    let model = try StreamModel(
      parsing: """
        {"source": {"call": {"function": "priceOf", "argument": "'tea'"}},
         "operators": [{"handleEvents": {"receiveOutput": "seen"}}]}
        """)
    for try await price in model.values(of: Double.self, services: services) { #expect(price == 3.5) }
    #expect(prices.values == [3.5])
  }

  @Test("Embedding: running it oneself")
  func executions() throws {
    let model = try StreamModel(
      parsing: """
        {"inputs": {"text": {}}, "source": {"input": {"name": "text"}}, "operators": [{"delay": {"seconds": 0.5}}]}
        """)
    var events: [ExecutionEvent] = []

    let execution = Execution(try model.compile())
    execution.request(.unlimited)
    try execution.send("Ada", to: "text", at: .zero)
    execution.advance(to: StreamTime(seconds: 1))
    while let event = execution.next() { events.append(event) }

    let saved = try execution.snapshot()
    let resumed = try Execution(model.compile(), restoring: saved)

    #expect(events == [.value("Ada")])
    #expect(resumed.time == StreamTime(seconds: 1))
  }

  @Test("Testing streams")
  func testing() throws {
    let text = """
      {"inputs": {"text": {"type": "string"}}, "source": {"input": {"name": "text"}},
       "operators": [{"debounce": {"seconds": 0.003}}],
       "tests": [{"name": "a burst becomes its last value", "inputs": {"text": {"marbles": "ab---c----|"}},
                  "expect": {"marbles": "----b---c-|"}}]}
      """
    let diagram = "ab---c----|"

    let stream = try StreamFile(JSONDocument(reading: text, file: "name.json"), identity: "name.json")
    let outcomes = try TestRunner(stream).run()

    let run = VirtualRun(Execution(try stream.model.compile()))
    run.feed([(0, try Marbles(diagram).history())])
    let history = run.run()

    #expect(outcomes.count == 1)
    #expect(history.values == ["b", "c"])
  }
}
