import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport

/// A stream that runs in virtual time, and continues as other versions.
struct SwapRun {
  private(set) var execution: Execution
  private var version: StreamVersion
  private let loader: (any StreamLoader)?
  private(set) var said: [String] = []
  private(set) var report = ""
  private(set) var parts: [SwapReport.Part] = []
  private(set) var canceledCalls: [Int64] = []

  /// - Parameter demand: what is asked for at once.
  init(_ json: String, loader: (any StreamLoader)? = nil, demand: Demand = .unlimited) throws {
    self.loader = loader
    version = try Self.version(json, loader)
    execution = Execution(version.pipeline)
    execution.request(demand)
    drain()
  }

  private static func version(_ json: String, _ loader: (any StreamLoader)?) throws -> StreamVersion {
    try StreamVersion(stream(json), CompileOptions(loader: loader, host: .any))
  }

  /// Continues as another version.
  mutating func swap(_ json: String, loader: (any StreamLoader)? = nil, demand: Demand? = nil) throws {
    let next = try Self.version(json, loader ?? self.loader)
    let swap = try StreamSwap(
      of: Snapshot(text: execution.snapshot().text()), from: version, to: next, demand: demand)
    execution = try Execution(next.pipeline, restoring: swap.snapshot)
    version = next
    report = swap.report.description
    parts = swap.report.parts
    canceledCalls = swap.canceledCalls
    drain()
  }

  /// Advances time to a number of milliseconds after the start.
  mutating func advance(_ milliseconds: Int64) {
    let time = StreamTime(nanoseconds: milliseconds * 1_000_000)
    while !execution.isEnded, let deadline = execution.nextDeadline, deadline <= time {
      execution.advance(to: deadline)
      drain()
    }
    execution.advance(to: time)
    drain()
  }

  mutating func send(_ value: Value, to input: String = "a") {
    guard let number = version.pipeline.input(named: input) else { return }
    execution.send(value, to: number, at: execution.time)
    drain()
  }

  mutating func finish(_ input: String = "a") {
    guard let number = version.pipeline.input(named: input) else { return }
    execution.finish(number, at: execution.time)
    drain()
  }

  mutating func request(_ count: Int) {
    execution.request(Demand(count))
    drain()
  }

  mutating func resolve(_ value: Value) {
    for call in execution.openCalls { execution.resolve(call.id, with: .success(value), at: execution.time) }
    drain()
  }

  /// The events since the last call.
  mutating func take() -> [String] {
    defer { said = [] }
    return said
  }

  private mutating func drain() {
    while let event = execution.next() {
      said.append(History.Event(execution.time, event).text())
    }
  }
}

/// A stream of input `a` with these operators, and beside them these members.
func fed(_ operators: String, _ members: String = #""inputs": {"a": {}, "b": {}}"#) -> String {
  #"{\#(members), "source": {"input": {"name": "a"}}, "operators": [\#(operators)]}"#
}
