import StreamCore
import StreamEngine
import StreamKit
import Testing

@Suite("Functions and hooks of the host")
struct HostServicesTests {
  struct Project: Codable, Sendable, Hashable {
    var name: String
    var size: Int
  }

  private let calling = """
    {"stream": [{"value": {"name": "a", "size": 1}}, {"value": {"name": "b", "size": 2}}],
     "operators": [{"flatMap": {"stream": {"source": {"call": {"function": "test", "argument": "outer"}}},
                                "strategy": "concat"}}]}
    """

  @Test("An async closure answers a call, typed")
  func functions() async throws {
    var services = HostServices()
    services.function("test") { (project: Project) in project.size * 10 }
    var values: [Int] = []
    for try await value in try StreamModel(parsing: calling).values(of: Int.self, services: services) {
      values.append(value)
    }
    #expect(values == [10, 20])
  }

  @Test("Functions without an argument, without a result, and without either")
  func plainFunctions() async throws {
    let seen = Recorder<String>()
    for (number, expected) in [Value.int(7), .null, .null].enumerated() {
      var services = HostServices()
      switch number {
      case 0: services.function("test") { 7 }
      case 1: services.function("test") { (project: Project) in seen.append(project.name) }
      default: services.function("test") { seen.append("no argument") }
      }
      var values: [Value] = []
      for try await value in try StreamModel(parsing: calling).values(services: services) { values.append(value) }
      #expect(values == [expected, expected])
    }
    #expect(seen.values == ["a", "b", "no argument", "no argument"])
  }

  @Test("A function of two arguments takes a list of two values, each of its type")
  func twoArguments() async throws {
    var services = HostServices(coding: ValueCoding(keys: .snakeCase))
    struct Part: Codable, Sendable { var unitSize: Int }
    services.function("test") { (part: Part, count: Int) in Part(unitSize: part.unitSize * count) }
    func result(of argument: String) async throws -> Value? {
      let model = try StreamModel(
        parsing: #"{"source": {"call": {"function": "test", "argument": "\#(argument)"}}}"#)
      var values: [Value] = []
      for try await value in model.values(services: services) { values.append(value) }
      return values.first
    }
    #expect(try await result(of: "[{'unit_size': 3}, 4]") == ["unit_size": 12])
    for (argument, message) in [
      ("[3]", "the function 'test' takes a list of two values; found an array"),
      ("3", "the function 'test' takes a list of two values; found an integer"),
      ("[{'unit_size': 3}, 'a']", "a value does not fit Int: expected an integer, found a string"),
    ] {
      let failure = await #expect(throws: StreamFailure.self) { try await result(of: argument) }
      #expect(failure?.message == message)
    }
  }

  @MainActor private final class Labels { var texts: [String] = [] }

  @Test("A hook runs on the main actor, in the order of its messages")
  @MainActor func mainActorHook() async throws {
    let labels = Labels()
    let model = try StreamModel(
      parsing: """
        {"source": {"range": {"from": 1, "through": 100}},
         "operators": [{"map": {"expression": "string(value)"}}, {"handleEvents": {"receiveOutput": "show"}}]}
        """)
    var services = HostServices()
    services.hook("show", on: .shared) { (text: String) in labels.texts.append(text) }
    for try await _ in model.values(services: services) {}
    while labels.texts.count < 100 { await Task.yield() }
    let texts = labels.texts
    #expect(texts == (1...100).map(String.init))
  }

  enum NetworkError: String, Error, Codable { case unreachable }

  @Test("An error of a function is the failure of its call")
  func throwing() async throws {
    var services = HostServices()
    services.function("test") { (project: Project) -> Int in throw NetworkError.unreachable }
    let model = try StreamModel(parsing: calling)
    do {
      for try await _ in model.values(services: services) {}
      Issue.record("it should have failed")
    } catch let failure as StreamFailure {
      #expect(failure.code == "S413")
      #expect(failure.message == "the function 'test' failed: unreachable")
      #expect(failure.payload == "unreachable")
      #expect(failure.value == ["name": "a", "size": 1])
    }
  }

  @Test("An argument that does not fit fails the call")
  func misfittingArgument() async throws {
    var services = HostServices()
    services.function("test") { (text: String) in text }
    let model = try StreamModel(parsing: calling)
    await #expect(throws: StreamFailure.self) { for try await _ in model.values(services: services) {} }
  }

  @Test("A function that is not registered is refused when the model is compiled")
  func unregistered() throws {
    let model = try StreamModel(parsing: calling)
    #expect(throws: Diagnostics.self) { try LiveStream(model) }
  }

  @Test("A function whose result is no longer needed is canceled")
  func canceling() async throws {
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    var services = HostServices()
    services.function("wait") { (value: Int) -> Int in
      continuation.yield("called")
      await withTaskCancellationHandler {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      } onCancel: {
        continuation.yield("canceled")
      }
      return value
    }
    let model = try StreamModel(parsing: #"{"source": {"call": {"function": "wait", "argument": "1"}}}"#)
    let values = model.values(of: Int.self, services: services)
    let task = Task {
      for try await _ in values {}
    }
    var heard: [String] = []
    for await event in events {
      heard.append(event)
      if event == "called" { task.cancel() } else { break }
    }
    #expect(heard == ["called", "canceled"])
  }

  @Test("Hooks receive the events, and a message of the wrong type is reported")
  func hooks() async throws {
    let cached = Recorder<[Project]>()
    let reported = Recorder<String>()
    let lines = Recorder<String>()
    var services = HostServices()
    services.hook("fillCache") { (projects: [Project]) in cached.append(projects) }
    services.report = { reported.append("\($0.code) \($0.pointer)") }
    services.print = { if case .string(let line) = $0.message { lines.append(line) } }
    let model = try StreamModel(
      parsing: """
        {"stream": [{"value": [{"name": "a", "size": 1}]}, {"value": 5}, {"value": []}],
         "operators": [{"handleEvents": {"receiveOutput": "fillCache"}}, {"print": {"label": "items"}}]}
        """)
    for try await _ in model.values(services: services) {}
    #expect(cached.values == [[Project(name: "a", size: 1)], []])
    #expect(reported.values == ["S414 /operators/0"])
    #expect(
      lines.values.filter { $0.contains("receive") } == [
        "items: receive subscription", #"items: receive value: ([{"name":"a","size":1}])"#, "items: receive value: (5)",
        "items: receive value: ([])", "items: receive finished",
      ])
  }

  @Test("A line of print has its label once, and a line without a label has none")
  func lines() async throws {
    let events = Recorder<HookEvent>()
    var services = HostServices()
    services.print = { events.append($0) }
    let model = try StreamModel(
      parsing: #"{"stream": [{"value": 1}], "operators": [{"print": {"label": "p"}}, {"print": {}}]}"#)
    for try await _ in model.values(services: services) {}
    let lines = events.values.filter { $0.text.hasSuffix("receive value: (1)") }
    #expect(lines.map(\.text) == ["p: receive value: (1)", "receive value: (1)"])
    #expect(lines.map(\.message) == ["p: receive value: (1)", "receive value: (1)"])
    #expect(lines.map(\.name) == ["p", ""])
    let hook = HookEvent(.hook, name: "seen", message: ["a": 1], pointer: JSONPointer())
    #expect(hook.text == #"seen: {"a":1}"#)
  }

  @Test("Values that were dropped are reported at the end")
  func drops() async throws {
    let reported = Recorder<String>()
    var services = HostServices()
    services.report = { reported.append("\($0.code) \($0.pointer)") }
    let model = try StreamModel(
      parsing: """
        {"source": {"range": {"from": 1, "through": 100}},
         "operators": [{"rateLimit": {"count": 5, "seconds": 600, "whenFull": "drop"}}]}
        """)
    var count = 0
    for try await _ in model.values(services: services) { count += 1 }
    #expect(count == 5)
    #expect(reported.values == ["S418 /operators/0"])
  }

  @Test("Values that were skipped are reported")
  func skipped() async throws {
    let reported = Recorder<String>()
    var services = HostServices()
    services.report = { reported.append($0.code) }
    let model = try StreamModel(
      parsing: #"""
        {"stream": [{"value": 1}, {"value": 0}, {"value": 2}],
         "operators": [{"map": {"expression": "2 / value"}, "onError": "skip"}]}
        """#)
    var values: [Int] = []
    for try await value in model.values(of: Int.self, services: services) { values.append(value) }
    #expect(values == [2, 1])
    #expect(reported.values == ["S402"])
  }
}
