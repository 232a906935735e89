import Foundation
import Programs
import StreamCore
import StreamEditing
import StreamEngine
import StreamKit
import Testing

/// The examples in the comments of StreamKit's public types.
@Suite("Examples of StreamKit's types", .timeLimit(.minutes(1)))
struct KitExampleTests {
  private final class Label: @unchecked Sendable {  // used on one thread
    var text = ""
    func set(_ text: String) { self.text = text }
  }

  @Test("OperatorSpec")
  func operatorSpecExample() throws {
    let spec = Operator.specs.first { $0.name == "debounce" }
    let summary = spec?.summary

    #expect(summary?.hasSuffix(".") == true)
  }

  @Test("FieldSpec")
  func fieldSpecExample() throws {
    let fields: [FieldSpec] = [
      .required("factor", .number(0...1), "Weight of the new number, from 0 to 1."),
      .optional("count", .count(1...100), "Number of values."),
    ]

    #expect(fields.map(\.isRequired) == [true, false])
  }

  @Test("StreamChange")
  func streamChangeExample() throws {
    var lines: [String] = []
    let old = StreamModel(stream: [StreamItem(1)], operators: [.map("value * 2")])
    var new = old
    new.operators[0] = .map("value * 3")

    for change in StreamDiff(from: old, to: new).changes {
      lines.append("\(change.kind.rawValue) \(change.name): \(change.fields.map(\.name))")
    }

    #expect(lines == [#"changed map: ["expression"]"#])
  }

  @Test("FileFormat")
  func fileFormatExample() throws {
    let format = FileFormat(ofFile: "readings.csv")

    #expect(format?.rawValue == "csv")
  }

  @Test("CompileOptions")
  func compileOptionsExample() throws {
    let model = StreamModel(stream: [StreamItem(1)], operators: [.map("value + 0.5")])

    var options = CompileOptions(host: StreamHost(operators: [Change.self]))
    options.numbers = .strict

    #expect(throws: Diagnostics.self) { try model.compile(options) }
  }

  @Test("StreamHost")
  func streamHostExample() throws {
    let text = #"{"source": {"call": {"function": "server.has"}}}"#

    let host = StreamHost(functions: .only(["server.has"]), operators: [Change.self])
    let model = try StreamModel(checking: text, options: CompileOptions(host: host))

    #expect(model.operators.isEmpty)
  }

  @Test("StreamFile")
  func streamFileExample() throws {
    let text = #"{"stream": [{"value": 1}]}"#

    let file = try StreamFile(JSONDocument(reading: text, file: "one.json"), identity: "one.json")
    let outcomes = try TestRunner(file).run()

    #expect(outcomes.isEmpty)
  }

  @Test("History")
  func historyExample() throws {
    let model = StreamModel(
      inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.delay(seconds: 1)])

    let run = VirtualRun(Execution(try model.compile()))
    run.feed([(0, History([.value(7, at: 0), .finished(at: 3)]))])
    let history = run.run()

    #expect(history == History([.value(7, at: 1), .finished(at: 4)]))
  }

  @Test("Marbles")
  func marblesExample() throws {
    let history = try Marbles("-a-b|", values: ["a": 1, "b": 2]).history()

    #expect(history.values == [1, 2])
  }

  @Test("InputDeclaration")
  func inputDeclarationExample() throws {
    let model = StreamModel(
      inputs: ["name": InputDeclaration(type: .string, initialValue: "")], source: .input("name"))

    #expect(model.inputs["name"]?.initialValue == "")
  }

  @Test("Members")
  func membersExample() throws {
    var lines: [String] = []
    var model = StreamModel(source: .input("name"))

    model.inputs["name"] = InputDeclaration(type: .string, initialValue: "")
    for (name, input) in model.inputs { lines.append("\(name): \(input.declaredType)") }

    #expect(lines == ["name: string"])
  }

  @Test("PlacedOperator")
  func placedOperatorExample() throws {
    var total = PlacedOperator.scan(0, "acc + value")
    total.id = "total"

    #expect(total.json == ["id": "total", "scan": ["initialValue": 0, "expression": "acc + value"]])
  }

  @Test("StreamFilePart")
  func streamFilePartExample() throws {
    let data = try JSONEncoder().encode(PlacedOperator.delay(seconds: 1))
    let decoded = try JSONDecoder().decode(PlacedOperator.self, from: data)

    #expect(decoded == .delay(seconds: 1))
  }

  @Test("StreamItem")
  func streamItemExample() throws {
    let model = StreamModel(stream: [1, 2, 3].map { StreamItem($0, operators: [.delay(seconds: 1)]) })

    #expect(model.operators.isEmpty)
  }

  @Test("StreamModel")
  func streamModelExample() throws {
    let model = StreamModel(
      inputs: ["query": InputDeclaration(type: .string)], source: .input("query"),
      operators: [.filter("size(value) > 2"), .debounce(seconds: 0.3), .removeDuplicates()])
    let pipeline = try model.compile()

    #expect(pipeline.inputs.count == 1)
  }

  @Test("StreamReference")
  func streamReferenceExample() throws {
    let named: StreamReference = "other"
    let inline = StreamReference.model(StreamModel(source: .range(1...3)))

    #expect(named == .name("other"))
    #expect(inline.json == ["source": ["range": ["from": 1, "through": 3]]])
  }

  @Test("StreamReferences")
  func streamReferencesExample() throws {
    let merged = PlacedOperator.merge(with: ["other", .model(StreamModel(source: .range(1...3)))])

    #expect(merged.operator.name == "merge")
  }

  @Test("StreamTest")
  func streamTestExample() throws {
    var model = StreamModel(inputs: ["in": InputDeclaration()], source: .input("in"), operators: [.map("value * 2")])

    model.tests = [
      StreamTest(
        name: "doubles", inputs: ["in": StreamTest.EventScript(.values([1, 2]))],
        expect: StreamTest.EventScript(.values([2, 4])))
    ]

    let file = try StreamFile(JSONDocument(reading: JSONWriter.text(of: model.json), file: "a"), identity: "a")
    let outcomes = try TestRunner(file).run()
    #expect(outcomes.map(\.hasPassed) == [true])
  }

  @Test("TypeDeclaration")
  func typeDeclarationExample() throws {
    let name = InputDeclaration(type: .string, initialValue: "")
    let point = InputDeclaration(type: ["x": .double, "y": .double])
    let counts = InputDeclaration(type: "map(string, int)")

    #expect(
      [name, point, counts].map { "\($0.declaredType)" } == ["string", "{x: double, y: double}", "map(string, int)"])
  }

  @Test("InnerOperators")
  func innerOperatorsExample() async throws {
    let orders: [Value] = [["shop": 1, "price": 2], ["shop": 2, "price": 3]]

    let totals = PlacedOperator.groupBy("value.shop", operators: [.map("value.price"), .scan(0, "acc + value")])

    let model = StreamModel(stream: orders.map { StreamItem($0) }, operators: [totals])
    var values: [Value] = []
    for try await value in model.values() { values.append(value) }
    #expect(values.count == 2)
  }

  @Test("InnerStream")
  func innerStreamExample() throws {
    let items = StreamModel(source: .sequence(.init(expression: "outer.items")))
    let flat = PlacedOperator.flatMap(InnerStream(items))

    #expect(flat.operator.name == "flatMap")
  }

  @Test("OperatorShorthand")
  func operatorShorthandExample() throws {
    let operators: [PlacedOperator] = [.filter("value != 3"), .map("value * 2"), .scan(0, "acc + value")]

    #expect(operators.map(\.operator.name) == ["filter", "map", "scan"])
  }

  @Test("Operator")
  func operatorExample() throws {
    var lines: [String] = []
    let placed = PlacedOperator.debounce(seconds: 0.3)

    switch placed.operator {
    case .debounce(let debounce): lines.append("waits \(debounce.seconds ?? 0) s")
    default: lines.append(placed.operator.name)
    }

    #expect(lines == ["waits 0.3 s"])
  }

  @Test("AnyInputFeed")
  func anyInputFeedExample() throws {
    let inputs: [AnyInputFeed] = [StreamInput("Ada"), PassthroughInput<Int>()]
    for input in inputs { input.finish() }

    let areEnded = inputs.allSatisfy(\.isEnded)
    #expect(areEnded)
  }

  @Test("BufferingPolicy")
  func bufferingPolicyExample() async throws {
    var lines: [String] = []
    let input = PassthroughInput<Int>()
    let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
    let live = try LiveStream(model, inputs: ["in": input])
    input.finish()

    for try await number in live.values(of: Int.self, bufferingPolicy: .newest(1)) { lines.append("\(number)") }

    #expect(lines.isEmpty)
  }

  @Test("HostServices")
  func hostServicesExample() async throws {
    let (network, cache) = (Network(), Cache())

    var services = HostServices()
    services.function("testServer") { (name: String) async throws -> Bool in try await network.test(name) }
    services.hook("fillCache") { (items: [String]) in cache.fill(items) }

    let model = try StreamModel(
      parsing: #"{"source": {"call": {"function": "testServer", "argument": "'a'"}}}"#)
    for try await isUp in model.values(of: Bool.self, services: services) { #expect(isUp) }
  }

  @Test("InputFeed")
  func inputFeedExample() throws {
    func connect<Content>(_ input: InputFeed<Content>, to label: Label) -> StreamToken {
      input.observe { content in label.set("\(content)") }
    }

    let (input, label) = (StreamInput(7), Label())
    let token = connect(input, to: label)
    #expect(label.text == "7")
    token.cancel()
  }

  @Test("LiveStream")
  func liveStreamExample() async throws {
    let model = StreamModel(inputs: ["text": InputDeclaration(type: .string)], source: .input("text"))

    let text = StreamInput("Ada")
    let live = try LiveStream(model, inputs: ["text": text])
    var texts = live.values(of: String.self).makeAsyncIterator()

    let first = try await texts.next()
    #expect(first == "Ada")
  }

  @Test("PassthroughInput")
  func passthroughInputExample() async throws {
    let model = StreamModel(inputs: ["taps": InputDeclaration(type: .int)], source: .input("taps"))

    let taps = PassthroughInput<Int>()
    var values = model.values(of: Int.self, inputs: ["taps": taps]).makeAsyncIterator()
    taps.send(1)

    let first = try await values.next()
    #expect(first == 1)
  }

  @Test("StreamState")
  func streamStateExample() async throws {
    let model = StreamModel(
      inputs: ["taps": InputDeclaration(type: .int)], source: .input("taps"), operators: [.scan(0, "acc + value")])
    let taps = PassthroughInput<Int>()

    var live = try LiveStream(model, inputs: ["taps": taps])
    live.state = StreamState()
    var counts = live.values(of: Int.self).makeAsyncIterator()
    // When the app goes to the background:
    let stored = try JSONEncoder().encode(try await live.state?.save())
    // At the next start:
    live.state = StreamState(restoring: try JSONDecoder().decode(Snapshot.self, from: stored))

    taps.send(1)
    let first = try await counts.next()
    #expect(first == 1)
  }

  @Test("StreamToken")
  func streamTokenExample() throws {
    let log = Recorder<String>()
    let input = StreamInput(1)

    let token = input.observe { number in log.append("\(number)") }
    input.value = 2
    token.cancel()

    input.value = 3
    #expect(log.values == ["1", "2"])
  }

  @Test("StreamValues")
  func streamValuesExample() async throws {
    var lines: [String] = []
    let model = StreamModel(source: .range(1...3))

    for try await number in model.values(of: Int.self) { lines.append("\(number)") }

    #expect(lines == ["1", "2", "3"])
  }

  @Test("TestOutcome and TestRunner")
  func testOutcomeExample() throws {
    var lines: [String] = []
    let text = """
      {"stream": [{"value": 1}], "tests": [{"name": "publishes one", "expect": {"values": [1]}}]}
      """
    let file = try StreamFile(JSONDocument(reading: text, file: "one.json"), identity: "one.json")

    for outcome in try TestRunner(file).run() {
      lines.append("\(outcome.name): \(outcome.hasPassed ? "passed" : "\(outcome.differences)")")
    }

    #expect(lines == ["publishes one: passed"])
  }

  @Test("VirtualRun")
  func virtualRunExample() throws {
    let model = StreamModel(source: .timer(every: 3_600, count: 24))

    let history = VirtualRun(Execution(try model.compile())).run()
    let end = history.events.last?.time

    #expect(end == StreamTime(seconds: 86_400))
  }

  @Test("RunLimits")
  func runLimitsExample() throws {
    var services = HostServices()
    services.limits = RunLimits(budget: 1_000_000, memory: 64_000_000)

    #expect(services.limits.memory == 64_000_000)
  }

  @MainActor @Test("ObservableOutput")
  func observableExample() async throws {
    let rules = try StreamModel(
      checking: """
        {"inputs": {"name": {"type": "string"}}, "source": {"input": {"name": "name"}},
         "operators": [{"map": {"expression": "value != ''"}}]}
        """)

    let name = StreamInput("")
    let stream = try LiveStream(rules, inputs: ["name": name])
    let isValid = ObservableOutput(stream.values(of: Bool.self, bufferingPolicy: .newest(1)))

    while isValid.value == nil { await Task.yield() }
    #expect(isValid.value == false)
    name.value = "Ada"
    while isValid.value == false { await Task.yield() }
    #expect(isValid.value == true)
  }

  @Test("Source")
  func sourceExample() throws {
    let numbers = StreamModel(source: .range(1...3))
    let ticks = StreamModel(source: .timer(every: 1, count: 10))
    let texts = StreamModel(inputs: ["text": InputDeclaration(type: .string)], source: .input("text"))

    #expect(numbers.source == .range(1...3))
    #expect(ticks.source != texts.source)
  }

  @Test("ChangingStream")
  func changingStreamExample() async throws {
    let (model, input) = (RunningTotal.rules(factor: 1), PassthroughInput<Int>())
    let newModel = RunningTotal.rules(factor: 10)

    let stream = try ChangingStream(model, inputs: ["amounts": input])
    var totals = stream.values(of: Int.self).makeAsyncIterator()
    let report = try await stream.swap(to: newModel)

    input.send(2)
    let total = try await totals.next()
    #expect(total == 20)
    #expect(report != nil)
  }

  @Test("StreamSwap")
  func streamSwapExample() throws {
    let old = try StreamVersion(RunningTotal.rules(factor: 1))
    let new = try StreamVersion(RunningTotal.rules(factor: 10))
    let execution = Execution(old.pipeline)

    let swap = try StreamSwap(of: execution.snapshot(), from: old, to: new)
    let next = try Execution(new.pipeline, restoring: swap.snapshot)

    #expect(next.time == .zero)
  }

  @Test("StreamVersion")
  func streamVersionExample() throws {
    let old = try StreamVersion(RunningTotal.rules(factor: 1))
    let execution = Execution(old.pipeline)

    #expect(!execution.isEnded)
  }

  @Test("SwapReport")
  func swapReportExample() async throws {
    var lines: [String] = []
    let stream = try ChangingStream(RunningTotal.rules(factor: 1), inputs: ["amounts": StreamInput(1)])
    var totals = stream.values(of: Int.self).makeAsyncIterator()
    _ = try await totals.next()
    let newModel = RunningTotal.rules(factor: 10)

    let report = try await stream.swap(to: newModel)
    for part in report?.parts ?? [] where part.outcome == .kept { lines.append("kept \(part.name)") }

    #expect(lines.contains("kept scan"))
  }
}
