import Foundation
import Programs
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

@Suite("Lines that every app writes", .timeLimit(.minutes(1)))
struct SnippetTests {
  private static let doubling = StreamModel(
    inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("value * 2")])

  @Test("Publishers that never fail")
  func publishers() throws {
    let input = PassthroughInput<Int>()
    let live = try LiveStream(Self.doubling, inputs: ["in": input])
    let counter = Snippets.Counter()
    var shown: [Int] = []
    var tokens: Set<AnyCancellable> = []
    Snippets.sink(live) { shown.append($0) }.store(in: &tokens)
    counter.assign(live).store(in: &tokens)
    counter.publish(live)
    input.send(1)
    input.send(2)
    Snippets.complete(input)
    input.send(3)
    #expect(shown == [2, 4])
    #expect(counter.total == 4)
    #expect(counter.count == 4)
  }

  @Test("Inputs")
  func inputs() {
    let input = StreamInput(1)
    var tokens: Set<AnyCancellable> = []
    Snippets.store(input, in: &tokens)
    Snippets.increment(input)
    #expect(input.value == 2)
    #expect(tokens.count == 1)
  }

  @Test("Functions without an argument, without a result, and without both; a hook on the main actor")
  @MainActor func services() async throws {
    let (label, logged) = (Snippets.Label(), Recorder<String>())
    var services = HostServices()
    Snippets.register(&services, label) { logged.append($0) }
    let model = try StreamModel(
      parsing: """
        {"source": {"call": {"function": "answer"}},
         "operators": [
           {"flatMap": {"stream": {"source": {"call": {"function": "sum", "argument": "[outer, -2]"}}}}},
           {"map": {"expression": "string(value)"}},
           {"handleEvents": {"receiveOutput": "show"}},
           {"flatMap": {"stream": {"source": {"call": {"function": "log", "argument": "outer"}}}}},
           {"flatMap": {"stream": {"source": {"call": {"function": "reset"}}}}}]}
        """)
    var values: [Value] = []
    for try await value in model.values(services: services) { values.append(value) }
    while label.text.isEmpty { await Task.yield() }
    #expect(values == [.null])
    #expect(logged.values == ["40", "reset"])
    #expect(label.text == "40")
  }

  @Test("A changing stream is published, and followed on the main actor")
  @MainActor func changing() async throws {
    let (input, label) = (PassthroughInput<Int>(), Snippets.Label())
    let stream = try ChangingStream(Self.doubling, inputs: ["in": input])
    let received = Recorder<Int>()
    let token = Snippets.changes(stream)
      .sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
    async let following: Void = Snippets.follow(stream, label)
    // The loop receives the values from its beginning on.
    while label.text.isEmpty {
      input.send(4)
      await Task.yield()
    }
    input.send(completion: .finished)
    try await following
    #expect(label.text == "8")
    #expect(Set(received.values) == [8])
    token.cancel()
  }

  @Test("The state of a live stream")
  func state() async throws {
    var live = try LiveStream(Self.doubling, inputs: ["in": PassthroughInput<Int>()])
    live.state = StreamState()
    let values = live.values().makeAsyncIterator()
    let stored = try await Snippets.save(live)
    let saved = try? JSONDecoder().decode(Snapshot.self, from: stored)
    #expect(saved != nil)
    _ = values
  }

  private struct Reading: Codable, Equatable {
    var name: String
    var celsius: Double?
  }

  @Test("Values")
  func values() throws {
    let value: Value = ["name": "a", "items": [["count": 3]]]
    #expect(Snippets.count(in: value) == 3)
    #expect(Snippets.name(in: value) == "a")
    let reading = Reading(name: "b", celsius: 20.5)
    let encoded = try Snippets.value(of: reading)
    let decoded: Reading = try Snippets.content(of: encoded)
    #expect(encoded == ["name": "b", "celsius": 20.5])
    #expect(decoded == reading)
  }

  @Test("Parts of models")
  func parts() async throws {
    let items = try [Snippets.item(of: Reading(name: "c")), Snippets.item(of: 7)]
    #expect(items == [StreamItem(["name": "c"]), StreamItem(7)])
    #expect(Snippets.delay() == [.delay(seconds: 1), .debounce(seconds: 0.3)])
    #expect(Snippets.second() == StreamTime(nanoseconds: 1_000_000_000))
    var model = Self.doubling
    Snippets.removeInputs(of: &model)
    #expect(model.inputs.isEmpty)
  }

  @Test("The newest value is kept, and an error has a text")
  func newest() async throws {
    let input = PassthroughInput<Int>()
    let live = try LiveStream(Self.doubling, inputs: ["in": input])
    var values = Snippets.newest(live).makeAsyncIterator()
    for value in 1...5 { input.send(value) }
    input.fail(StreamFailure(code: "app.gone", message: "the sensor is gone"))
    let first = try await values.next()
    #expect(first == 10)
    let failure = await #expect(throws: StreamFailure.self) { try await values.next() }
    #expect(failure.map(Snippets.described) == "app.gone: the sensor is gone")
  }
}
