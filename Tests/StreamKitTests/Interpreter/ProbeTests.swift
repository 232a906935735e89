import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Synchronization
import Testing

/// Probes of operators: what they see, and that nothing else shows.
@Suite struct ProbeTests {
  /// Records what it sees as lines.
  private final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private final class Recorder: ProbeObserver {
    let title: String
    let log: Log

    init(_ title: String, _ log: Log) { (self.title, self.log) = (title, log) }

    func noteStart() { log.add("\(title) starts") }

    func note(_ value: Value, at moment: ProbeMoment) {
      let groups = moment.startingValues.map { " in \($0)" }.joined()
      log.add("\(title) \(value)\(groups) at \(moment.time.seconds)")
    }

    func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {
      switch completion {
      case .finished: log.add("\(title) finished")
      case .failure(let failure): log.add("\(title) failed: \(failure.code)")
      }
    }
  }

  private static func model(_ text: String) throws -> StreamModel {
    try StreamModel(json: try JSONDocument(reading: Array(text.utf8), file: "m").value)
  }

  /// Compiles with probes, sends numbers, and returns the outputs and what the probes saw.
  private func run(_ text: String, observing names: [String], _ numbers: ClosedRange<Int64>) throws -> (
    output: [Value], log: [String]
  ) {
    let log = Log()
    let selection = ProbeSelection(names) { Recorder($0.title, log) }
    var options = CompileOptions()
    options.probes = selection.choose
    let pipeline = try Self.model(text).compile(options)
    try selection.checkNames(option: "--tap")
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    var output: [Value] = []
    func drain() { while let event = execution.next() { if case .value(let value) = event { output.append(value) } } }
    for number in numbers {
      execution.send(.int(number), to: 0, at: StreamTime(nanoseconds: number * 1_000_000_000))
      drain()
    }
    execution.finish(0, at: execution.time)
    drain()
    return (output, log.lines)
  }

  private static let chain = """
    {"inputs": {"n": {}}, "source": {"input": {"name": "n"}}, "operators": [
      {"filter": {"expression": "value % 2 == 0"}, "id": "even"},
      {"map": {"expression": "value * 10"}},
      {"scan": {"initialValue": 0, "expression": "acc + value"}, "id": "sum"}]}
    """

  @Test("A probe sees the values that its operator publishes, and the end")
  func chain() throws {
    let (output, log) = try run(Self.chain, observing: ["even", "/operators/1"], 1...4)
    #expect(output == [20, 60])
    #expect(
      log == [
        "/operators/1 starts", "even starts", "even 2 at 2.0", "/operators/1 20 at 2.0", "even 4 at 4.0",
        "/operators/1 40 at 4.0", "even finished", "/operators/1 finished",
      ])
  }

  @Test("Probes of all operators see those of inner streams, with the key of the group")
  func groups() throws {
    let (output, log) = try run(
      """
      {"inputs": {"n": {}}, "source": {"input": {"name": "n"}}, "operators": [
        {"groupBy": {"key": "value % 2", "operators": [{"count": {}, "id": "number"}]}}]}
      """, observing: ["*"], 1...3)
    #expect(output.count == 2)
    #expect(log.filter { $0.hasPrefix("number ") && $0.contains(" in ") }.count == 2)
    #expect(log.contains { $0.hasPrefix("number 2 in 1") })
  }

  @Test("A failure is seen where it passes")
  func failure() throws {
    let (_, log) = try run(
      """
      {"inputs": {"n": {}}, "source": {"input": {"name": "n"}}, "operators": [
        {"map": {"expression": "1 / (value - 2)"}, "id": "quotient"}, {"replaceError": {"with": 0}, "id": "last"}]}
      """, observing: ["*"], 1...3)
    #expect(log.contains("quotient failed: S402"))
    #expect(log.suffix(2) == ["last 0 at 2.0", "last finished"])
  }

  @Test("Without a choice there is no probe, and the operators run as one program")
  func none() throws {
    let (output, log) = try run(Self.chain, observing: [], 1...4)
    #expect(output == [20, 60])
    #expect(log.isEmpty)
  }

  @Test("A name without an operator is refused, with the nearest one")
  func unknown() throws {
    let error = #expect(throws: Diagnostics.self) { try run(Self.chain, observing: ["evn"], 1...1) }
    #expect(error?.all.first?.message == "--tap: the stream has no operator 'evn'")
    #expect(error?.all.first?.help == "did you mean 'even'?")
  }

  @Test("A state saved with probes continues without them, and the reverse, with the same text")
  func snapshots() throws {
    let model = try Self.model(Self.chain)
    var options = CompileOptions()
    let plain = try model.compile(options)
    options.probes = { _ in Recorder("", Log()) }
    let observed = try model.compile(options)
    var execution = Execution(plain)
    let reference = Execution(plain)
    var (output, expected): ([Value], [Value]) = ([], [])
    for number in 0..<20 {
      for (which, each) in [execution, reference].enumerated() {
        each.request(.unlimited)
        each.send(.int(Int64(number)), to: 0, at: .zero)
        while case .value(let value)? = each.next() {
          if which == 0 { output.append(value) } else { expected.append(value) }
        }
      }
      let saved = try execution.snapshot()
      let (text, wanted) = (try saved.text(), try reference.snapshot().text())
      #expect(text == wanted)
      execution = try Execution(number % 2 == 0 ? observed : plain, restoring: Snapshot(text: text))
    }
    #expect(output == expected)
    #expect(output.count == 10)
  }

  @Test("With probes of all operators, an example says the same", arguments: ExampleStream.running)
  func examples(_ stream: ExampleStream) throws {
    let model = try StreamModel(json: stream.stream())
    let problem = try FusionLaw.problem(observing: model, stream.options, stream.inputs())
    #expect(problem == nil)
  }
}
