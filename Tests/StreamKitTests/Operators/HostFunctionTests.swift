import CEL
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Synchronization
import TestSupport
import Testing

/// Functions of the host, which `call` names, and hooks, which `handleEvents` names, seen from the host.
@Suite struct HostFunctionTests {
  static let host = StreamHost(
    functions: .only(["server.has"]), hooks: .only(["seen", "asked", "ended", "gone", "here"]))

  /// A subscription to a stream that calls for each word; `operator` is the operator that starts the calls.
  private func execution(_ name: String = "flatMap") throws -> (Execution, Pipeline) {
    let pipeline = try stream(
      """
      {"requires": ["server.has"], "inputs": {"words": {}}, "source": {"input": {"name": "words"}},
       "operators": [{"\(name)": {"stream": {
         "source": {"call": {"function": "server.has", "argument": "outer + '!'"}},
         "operators": [{"map": {"expression": "[outer, value]"}}]}}}]}
      """
    ).compile(CompileOptions(host: Self.host))
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    return (execution, pipeline)
  }

  /// All that the execution has to say now.
  private func drain(_ execution: Execution) -> [ExecutionEvent] {
    var events: [ExecutionEvent] = []
    while let event = execution.next() { events.append(event) }
    return events
  }

  private func calls(_ events: [ExecutionEvent]) -> [Call] {
    events.compactMap { if case .call(let call) = $0 { call } else { nil } }
  }

  @Test("The host answers when it can, in any order")
  func answers() throws {
    let (execution, _) = try execution()
    execution.send("a", to: 0, at: .zero)
    execution.send("b", to: 0, at: .zero)
    let made = calls(drain(execution))
    #expect(made.map(\.function) == ["server.has", "server.has"])
    #expect(made.map(\.argument) == ["a!", "b!"])
    #expect(made.map { "\($0.pointer)" } == Array(repeating: "/operators/0/flatMap/stream/source/call", count: 2))
    execution.resolve(made[1].id, with: .success(true), at: StreamTime(seconds: 1))
    execution.resolve(made[0].id, with: .success(false), at: StreamTime(seconds: 2))
    let events = drain(execution)
    #expect(events == [.value(["b", true]), .value(["a", false])])
    #expect(execution.time == StreamTime(seconds: 2))
    execution.resolve(made[0].id, with: .success(false), at: StreamTime(seconds: 3))
    let again = drain(execution)
    #expect(again.isEmpty, "a call is answered once")
  }

  @Test("A function that fails fails the stream that called it")
  func failure() throws {
    let (execution, _) = try execution()
    execution.send("a", to: 0, at: .zero)
    let made = calls(drain(execution))
    let failure = StreamFailure(code: "acme.offline", message: "the server does not answer")
    execution.resolve(made[0].id, with: .failure(failure), at: .zero)
    let events = drain(execution)
    guard case .failure(let found)? = events.last else {
      Issue.record("found \(events)")
      return
    }
    #expect(found.code == "acme.offline")
    #expect(found.message == "the server does not answer")
  }

  @Test("A call whose result is no longer needed is canceled")
  func canceled() throws {
    let (execution, _) = try execution("switchMap")
    execution.send("a", to: 0, at: .zero)
    let first = calls(drain(execution))
    execution.send("b", to: 0, at: StreamTime(seconds: 1))
    let second = calls(drain(execution))
    let taken = execution.takeCanceledCalls()
    #expect(taken == first.map(\.id))
    #expect(execution.openCalls == second)
    execution.resolve(first[0].id, with: .success(1), at: StreamTime(seconds: 2))
    let ignored = drain(execution)
    #expect(ignored.isEmpty)
    execution.cancel()
    let rest = execution.takeCanceledCalls()
    #expect(rest == second.map(\.id))
    #expect(execution.openCalls.isEmpty)
  }

  @Test("A snapshot keeps the calls that are open: they are made again, or answered, elsewhere")
  func restored() throws {
    let (execution, pipeline) = try execution()
    execution.send("a", to: 0, at: .zero)
    let made = calls(drain(execution))
    let restored = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    #expect(restored.openCalls == made)
    restored.resolve(made[0].id, with: .success(true), at: StreamTime(seconds: 1))
    restored.send("b", to: 0, at: StreamTime(seconds: 2))
    let events = drain(restored)
    #expect(events.first == .value(["a", true]))
    #expect(calls(events).map(\.id) == [made[0].id + 1], "numbers are not given twice")
  }

  @Test("A function or a hook that the host has not registered is refused where it is named")
  func notRegistered() throws {
    func problem(_ json: String) -> Diagnostic? {
      do throws(Diagnostics) {
        _ = try stream(json).compile(CompileOptions(host: Self.host))
        return nil
      } catch {
        return error.all.first
      }
    }
    let function = problem(#"{"source": {"call": {"function": "server.hat"}}}"#)
    #expect(function?.code == .notRegistered)
    #expect(function.map { "\($0.pointer)" } == "/source/call/function")
    #expect(function?.help == "did you mean 'server.has'?")
    let hook = problem(#"{"stream": [], "operators": [{"handleEvents": {"receiveOutput": "sean"}}]}"#)
    #expect(hook?.code == .notRegistered)
    #expect(hook.map { "\($0.pointer)" } == "/operators/0/handleEvents/receiveOutput")
    #expect(hook?.help == "did you mean 'seen'?")
  }

  @Test("A test in the file answers calls by argument, after a while, with a value, an expression or a failure")
  func testsAnswer() throws {
    let file = """
      {"inputs": {"words": {}}, "source": {"input": {"name": "words"}},
       "operators": [{"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}],
       "tests": [
         {"name": "answers", "inputs": {"words": {"marbles": "ab---|"}},
          "calls": {"f": [{"argument": "a", "after": 0.003, "value": "late"}, {"expression": "argument + '?'"}]},
          "expect": {"marbles": "-x-y-|", "values": {"x": "b?", "y": "late"}}},
         {"name": "fails", "inputs": {"words": {"marbles": "a---|"}},
          "calls": {"f": {"after": 0.001, "failure": {"message": "no"}}}, "expect": {"events": [{"at": 0.001, "failure": {"message": "no"}}]}},
         {"name": "forgets", "inputs": {"words": {"marbles": "a|"}}, "expect": {"values": []}}]}
      """
    let outcomes = try TestRunner(stream(file)).run()
    #expect(outcomes.map(\.hasPassed) == [true, true, false])
    #expect(outcomes[2].differences.contains(#"no result for f("a"): add one to 'calls'"#))
  }

  @Test("A host answers calls and hooks as they come") func hostLoop() throws {
    let json = """
      {"source": {"call": {"function": "server.has", "argument": "'a'"}},
       "operators": [{"handleEvents": {"receiveOutput": "seen"}}]}
      """
    let document = try JSONDocument(reading: json, file: "a.json")
    let known: Set<Value> = ["a", "b"]
    var shown: [Value] = []
    var seen: [Value] = []
    func show(_ value: Value) { shown.append(value) }

    let host = StreamHost(functions: .only(["server.has"]), hooks: .only(["seen"]))
    let pipeline = try StreamModel(json: document.value).compile(CompileOptions(host: host))
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while let event = execution.next() {
      switch event {
      case .value(let value): show(value)
      case .call(let call):
        // Resolved at once; an asynchronous function is resolved when it has finished.
        execution.resolve(call.id, with: .success(.bool(known.contains(call.argument))), at: execution.time)
      case .noted(let note) where note.kind == .hook: seen.append(note.message)
      case .finished, .failure, .skipped, .noted: break
      }
    }

    #expect(shown == [true])
    #expect(seen == [true])
    #expect(execution.isEnded)
  }

  @Test("A function of the host's own in expressions is checked like any other") func expressionFunction() throws {
    var host = StreamHost()
    host.expressionFunctions = [
      FunctionDeclaration(name: "acme.celsius", overloads: [Signature("acme.celsius", [.double], .double)]) {
        arguments throws(EvaluationError) in
        guard case .double(let fahrenheit) = arguments[0] else { return .null }
        return .double((fahrenheit - 32) / 1.8)
      }
    ]

    func run(_ expression: String) throws -> [Value] {
      let json = #"{"stream": [{"value": 212.0}], "operators": [{"map": {"expression": "\#(expression)"}}]}"#
      return VirtualRun(Execution(try stream(json).compile(CompileOptions(host: host)))).run().values
    }
    let values = try run("acme.celsius(value)")
    #expect(values == [100.0])
    #expect(throws: Diagnostics.self) { try run("acme.celsius('warm')") }
    #expect(throws: Diagnostics.self) { try run("acme.kelvin(value)") }
  }

  @Test(
    "An expression calls a function of the host once for each value",
    arguments: [
      #"{"map": {"expression": "acme.see(value)"}}"#, #"{"compactMap": {"expression": "acme.see(value)"}}"#,
      #"{"filter": {"expression": "acme.see(value) > 2"}}"#, #"{"validate": {"expression": "acme.see(value) < 9"}}"#,
      #"{"scan": {"initialValue": 0, "expression": "acc + acme.see(value)"}}"#,
      #"{"reduce": {"initialValue": 0, "expression": "acc + acme.see(value)"}}"#,
      #"{"prefixWhile": {"expression": "acme.see(value) < 9"}}"#,
      #"{"dropWhile": {"expression": "acme.see(value) < 9"}}"#,
      #"{"removeDuplicates": {"key": "acme.see(value) % 2"}}"#, #"{"count": {"expression": "acme.see(value) > 2"}}"#,
      #"{"withPrevious": {"initialValue": 0, "expression": "acme.see(value) - previous"}}"#,
      #"{"first": {"expression": "acme.see(value) > 9"}}"#, #"{"findIndex": {"expression": "acme.see(value) > 9"}}"#,
      #"{"contains": {"expression": "acme.see(value) > 9"}}"#,
      #"{"allSatisfy": {"expression": "acme.see(value) < 9"}}"#,
      #"{"last": {"expression": "acme.see(value) > 2"}}"#, #"{"sum": {"expression": "acme.see(value)"}}"#,
      #"{"average": {"expression": "acme.see(value)"}}"#, #"{"min": {"by": "acme.see(value)"}}"#,
    ])
  func callsOnce(_ operation: String) throws {
    final class Calls: Sendable { let count = Mutex(0) }
    let calls = Calls()
    var host = StreamHost()
    host.expressionFunctions = [
      FunctionDeclaration(name: "acme.see", overloads: [Signature("acme.see", [.dyn], .dyn)]) {
        arguments throws(EvaluationError) in
        calls.count.withLock { $0 += 1 }
        return arguments[0]
      }
    ]
    func run(_ operation: String) throws -> [Value] {
      let json = """
        {"source": {"sequence": {"values": [3, 1, 4, 2]}},
         "operators": [\(operation), {"map": {"expression": "[value]"}}]}
        """
      return VirtualRun(Execution(try stream(json).compile(CompileOptions(host: host)))).run().values
    }
    let values = try run(operation)
    #expect(calls.count.withLock { $0 } == 4)
    #expect(try values == run(operation.replacing("acme.see(value)", with: "value")))
  }

  static let watched = """
    {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
     "operators": [{"handleEvents": {"receiveSubscription": "here", "receiveRequest": "asked",
       "receiveOutput": "seen", "receiveCompletion": "ended", "receiveCancel": "gone"}}]}
    """

  @Test("Hooks are sent before the event continues; the end is not a cancellation")
  func hooks() throws {
    let execution = Execution(try stream(Self.watched).compile(CompileOptions(host: Self.host)))
    execution.request(Demand(2))
    execution.send(7, to: 0, at: .zero)
    execution.finish(0, at: .zero)
    let told = drain(execution).map { $0.text(.messages) }
    #expect(told == ["note here null", "note asked 2", "note seen 7", "7", #"note ended {"finished":true}"#, "|"])
    let more = execution.cancel()
    #expect(more.isEmpty)
  }

  @Test("The hook of cancellation is sent when the host cancels, and when an operator does")
  func cancelHook() throws {
    let pipeline = try stream(Self.watched).compile(CompileOptions(host: Self.host))
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    _ = drain(execution)
    let told = execution.cancel()
    #expect(told.map(\.name) == ["gone"])
    #expect(told.map { "\($0.pointer)" } == ["/operators/0"])
    let cut = Self.watched.replacing("\"gone\"}}]", with: "\"gone\"}}, {\"prefix\": {\"count\": 1}}]")
    let other = Execution(try stream(cut).compile(CompileOptions(host: Self.host)))
    other.request(Demand(1))
    other.send(7, to: 0, at: .zero)
    let events = drain(other).map { $0.text(.messages) }
    #expect(events == ["note here null", "note asked 1", "note seen 7", "note gone null", "7", "|"])
  }
}
