import StreamCore
import StreamEngine
import StreamKit
import StreamTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
import TestSupport
#endif

/// Runs an execution at random, bounded in everything, and notes what it says.
struct HostileRun {
  let execution: Execution
  private var generator: SeededGenerator
  private(set) var said: [ExecutionEvent] = []
  /// Whether there was work left when it was given up.
  private(set) var gaveUp = false

  private static let values: [Value] = [
    1, 2, 3, 0, -1, .int(.max), 2.5, "a", "b", .null, true, false, ["value": 1], ["id": 1, "kind": "x"], [1, 2],
  ]

  init(_ execution: Execution, _ generator: SeededGenerator) {
    self.execution = execution
    self.generator = generator
  }

  /// - Parameter look: sees the execution between any two actions.
  mutating func run(_ actions: Int, look: (Execution) throws -> Void = { _ in }) rethrows {
    for _ in 0..<actions where !execution.isEnded {
      act()
      // Half done now and then.
      work(generator.happens(oneIn: 3) ? 1 + generator.below(4) : 60)
      try look(execution)
    }
  }

  /// Runs until no work is left, sends the remaining values, and cancels.
  mutating func finish() {
    execution.request(.unlimited)
    work(200)
    for input in execution.pipeline.inputs.indices {
      execution.send(generator.pick(Self.values), to: input, at: execution.time)
      work(60)
      execution.finish(input, at: execution.time)
      work(60)
    }
    for _ in 0..<12 {
      guard let deadline = execution.nextDeadline, !execution.isEnded else { break }
      execution.advance(to: deadline)
      work(60)
    }
    gaveUp = execution.step(atMost: 1) == .unfinished
    _ = execution.cancel()
    _ = execution.takeCanceledCalls()
  }

  private mutating func act() {
    let (input, time) = (generator.below(execution.pipeline.inputs.count + 1), execution.time)
    switch generator.below(16) {
    case 0: execution.finish(input, at: time)
    case 1: execution.fail(input, StreamFailure(payload: "hostile"), at: time)
    case 2, 3: execution.request(generator.pick([Demand(1), Demand(2), .unlimited]))
    case 4, 5, 6: if let deadline = execution.nextDeadline { execution.advance(to: deadline) }
    case 7: execution.advance(to: time + Interval(nanoseconds: 1_500_000))
    case 8: for call in execution.openCalls { execution.resolve(call.id, with: .success(call.argument), at: time) }
    case 9: _ = execution.wants(input)
    default: execution.send(generator.pick(Self.values), to: input, at: time + Interval(nanoseconds: 500_000))
    }
  }

  private mutating func work(_ steps: Int) {
    for _ in 0..<steps {
      let event: ExecutionEvent
      switch execution.step(atMost: 4) {
      case .idle: return
      case .unfinished: continue
      case .event(let next): event = next
      }
      said.append(event)
      if case .call(let call) = event, generator.happens(oneIn: 2) {
        execution.resolve(call.id, with: .success(call.argument), at: execution.time)
      }
    }
  }
}

/// Records the running case outside the process: a trap leaves no other trace.
struct CaseLog {
  private let file: Int32

  /// The file named by `HOSTILE_LOG`; without it nothing is recorded.
  init() { file = getenv("HOSTILE_LOG").map { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) } ?? -1 }

  func tell(_ text: String) {
    guard file >= 0 else { return }
    let bytes = Array((text + "\n").utf8)
    _ = pwrite(file, bytes, bytes.count, 0)
    _ = ftruncate(file, off_t(bytes.count))
  }
}
