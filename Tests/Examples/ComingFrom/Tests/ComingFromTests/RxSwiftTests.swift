import StreamCombine
import StreamKit
import StreamTesting
import Testing

/// The part on RxSwift, whose own code is not compiled here.
@Suite("From RxSwift", .timeLimit(.minutes(1)))
struct RxSwiftTests {
  private static let file = """
    {
      "inputs": { "name": { "type": "string" }, "password": { "type": "string" }, "taps": {} },
      "source": { "input": { "name": "taps" } },
      "operators": [
        { "withLatestFrom": { "with": [ "name", "password" ], "names": [ "tap", "name", "password" ] } },
        { "switchMap": { "stream": {
          "source": { "call": { "function": "signIn", "argument": "outer" } },
          "operators": [ { "replaceError": { "with": "failed" } } ]
        } } }
      ]
    }
    """

  private struct Login: Decodable, Sendable {
    var name: String
    var password: String
  }

  private struct Denied: Error {}

  private struct API: Sendable {
    func signIn(_ name: String, _ password: String) async throws -> String {
      if password != "secret" { throw Denied() }
      return "welcome, \(name)"
    }
  }

  @Test("A tap signs in with the newest name and password")
  func signIn() async throws {
    let (text, api) = (Self.file, API())

    let (name, password) = (StreamInput("Ada"), StreamInput(""))
    let taps = PassthroughInput<Int>()
    var services = HostServices()
    services.function("signIn") { (login: Login) in try await api.signIn(login.name, login.password) }
    let stream = try LiveStream(
      StreamModel(parsing: text), inputs: ["name": name, "password": password, "taps": taps], services: services)

    var messages = stream.values(of: String.self).makeAsyncIterator()
    taps.send(1)
    let first = try await messages.next()
    password.value = "secret"
    taps.send(2)
    let second = try await messages.next()
    #expect(first == "failed")
    #expect(second == "welcome, Ada")
  }

  /// The values of a file's test, whose input is a marble diagram.
  private func differences(_ operators: String, _ input: String, _ output: String) throws -> [String] {
    let text = """
      {"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [\(operators)],
       "tests": [{"name": "a", "inputs": {"in": {"marbles": "\(input)"}}, "expect": {"marbles": "\(output)"}}]}
      """
    let file = try StreamFile(JSONDocument(reading: text, file: "rx.json"), identity: "rx.json")
    return try TestRunner(file).run().flatMap(\.differences)
  }

  @Test(
    "Defaults are Combine's, and fields have RxSwift's",
    arguments: [
      (#"{"debounce": {"seconds": 0.003}}"#, "-a|", "--|"),
      (#"{"debounce": {"seconds": 0.003, "onFinish": "flush"}}"#, "-a|", "--(a|)"),
      (#"{"delay": {"seconds": 0.003}}"#, "-a-#", "----a-#"),
      (#"{"delay": {"seconds": 0.003, "failures": "immediate"}}"#, "-a-#", "---#"),
      (#"{"output": {"at": 2}}"#, "-a|", "--|"),
      (#"{"output": {"at": 2}}, {"failIfEmpty": {"error": "error"}}"#, "-a|", "--#"),
    ])
  func defaults(operators: String, input: String, output: String) throws {
    let differences = try differences(operators, input, output)
    #expect(differences == [])
  }

  @Test("The count of retry is the number of further attempts")
  func retry() async throws {
    let calls = Counter()
    var services = HostServices()
    services.function("fetch") { () async throws -> Int in
      await calls.increment()
      throw Denied()
    }
    let model = try StreamModel(
      checking: #"{"source": {"call": {"function": "fetch"}}, "operators": [{"retry": {"count": 2}}]}"#,
      options: CompileOptions(host: .any))
    await #expect(throws: StreamFailure.self) {
      for try await _ in model.values(services: services) {}
    }
    let count = await calls.count
    #expect(count == 3)
  }

  private actor Counter {
    var count = 0
    func increment() { count += 1 }
  }
}
