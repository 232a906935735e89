import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A sent value is passed on directly where possible, without a visible difference.
@Suite struct DirectPathTests {
  /// The actions of a host.
  private enum Step {
    case send(Value, Int)
    case finish(Int)
    case fail(Int)
    case request(Int)
    case pass(milliseconds: Int)
  }

  /// Streams over the inputs `a` and `b`, of one stage and of many, including streams that end, fail, cancel or reduce
  /// demand.
  static let operators: [String] = [
    #"{"zip": {"with": ["b"], "expression": "values[0] + values[1]"}}"#,
    #"{"zip": {"with": ["b"], "limit": 2}}, {"enumerated": {}}"#,
    #"{"combineLatest": {"with": ["b"], "expression": "values[0] / values[1]"}, "onError": "skip"}"#,
    #"{"combineLatest": {"with": ["b"], "atomic": true}}"#,
    #"{"withLatestFrom": {"with": ["b"], "names": ["x", "y"], "expression": "x * y"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
    #"{"merge": {"with": ["b"]}}, {"filter": {"expression": "value % 2 == 0"}}"#,
    #"{"merge": {"with": ["b", "a"], "maxPublishers": 2}}, {"prefix": {"count": 7}}"#,
    #"{"append": {"with": ["b"]}}, {"removeDuplicates": {}}"#,
    #"{"map": {"expression": "value + 1"}}, {"zip": {"with": ["b"]}}, {"map": {"expression": "value[0] - value[1]"}}"#,
    #"{"merge": {"with": ["b"]}}, {"delay": {"seconds": 0.003}}, {"withPrevious": {}}"#,
    #"{"delay": {"seconds": 0.002}}, {"delay": {"seconds": 0.002}}, {"zip": {"with": ["b"]}}"#,
    #"{"debounce": {"seconds": 0.002}}, {"combineLatest": {"with": ["b"]}}, {"prefix": {"count": 3}}"#,
    #"{"throttle": {"seconds": 0.004, "latest": true}}, {"merge": {"with": ["b"]}}"#,
    #"{"zip": {"with": ["b"], "expression": "values[0] - values[1]"}}, {"prefixWhile": {"expression": "value < 3"}}"#,
    #"{"zip": {"with": ["a"]}}, {"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}}, "maxPublishers": 1}}"#,
    #"{"share": {}}, {"merge": {"with": ["b"]}}, {"print": {"label": "p"}}"#,
    #"{"buffer": {"capacity": 2, "whenFull": "dropOldest"}}, {"merge": {"with": ["b"]}}"#,
    #"{"combineLatest": {"with": ["b"]}}, {"timeout": {"seconds": 0.02}}, {"measureInterval": {}}"#,
    #"{"flatMap": {"stream": {"source": {"input": {"name": "b"}}}}}, {"prefix": {"count": 9}}"#,
  ]

  private static func steps(_ seed: UInt64, isLimited: Bool) -> [Step] {
    var generator = SeededGenerator(seed: seed)
    var steps: [Step] = [.request(isLimited ? 2 : .max)]
    for _ in 0..<40 {
      switch generator.below(40) {
      case 0: steps.append(.finish(generator.below(2)))
      case 1 where seed % 3 == 0: steps.append(.fail(generator.below(2)))
      case 2..<10: steps.append(.pass(milliseconds: generator.below(4)))
      case 10..<16 where isLimited: steps.append(.request(generator.below(3)))
      case 16 where isLimited && seed % 2 == 0: steps.append(.request(.max))
      default: steps.append(.send(.int(Int64.random(in: -1...4, using: &generator)), generator.below(2)))
      }
    }
    return steps
  }

  /// How values are handed over.
  private enum Way: CaseIterable {
    /// Straight on, where that can be.
    case direct
    /// One delivery after the other.
    case stepwise
    /// Behind an end that comes to nothing, so that they wait with what else the host has said.
    case queued
    /// In an execution that is saved and restored after every step.
    case restored
    /// With a host that sends while events are still waiting.
    case reentrant
  }

  private func run(_ pipeline: Pipeline, _ steps: [Step], _ way: Way) throws -> [String] {
    var execution = Execution(pipeline)
    var heard: [String] = []
    var now: Int64 = 0
    func drain(_ limit: Int = .max) {
      var count = 0
      while count < limit {
        if way == .stepwise {
          switch execution.step(atMost: 1) {
          case .event(let event): heard.append("\(execution.time.nanoseconds) \(event)")
          case .idle: return
          case .unfinished: continue
          }
        } else if let event = execution.next() {
          heard.append("\(execution.time.nanoseconds) \(event)")
        } else {
          return
        }
        count += 1
      }
    }
    for step in steps {
      let time = StreamTime(nanoseconds: now)
      switch step {
      case .send(let value, let input):
        if way == .direct {
          if let event = execution.next(sending: value, to: input, at: time) {
            heard.append("\(execution.time.nanoseconds) \(event)")
          }
        } else {
          if way == .queued { execution.finish(2, at: time) }
          execution.send(value, to: input, at: time)
        }
      case .finish(let input): execution.finish(input, at: time)
      case .fail(let input): execution.fail(input, StreamFailure(payload: "random"), at: time)
      case .request(let count): execution.request(Demand(count))
      case .pass(let milliseconds):
        now += Int64(milliseconds) * 1_000_000
        execution.advance(to: StreamTime(nanoseconds: now))
      }
      if way == .reentrant, case .send = step {
        drain(1)
      } else {
        drain()
      }
      if way == .restored {
        execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      }
    }
    drain()
    execution.advance(to: StreamTime(nanoseconds: now + 100_000_000))
    drain()
    return heard
  }

  @Test("Streams say the same, whichever way values are handed over", arguments: operators)
  func sameEitherWay(_ operators: String) throws {
    let json = #"""
      {"inputs": {"a": {"type": "int"}, "b": {"type": "int"}, "c": {}}, "source": {"input": {"name": "a"}},
       "operators": [\#(operators)]}
      """#
    let pipeline = try stream(json).compile()
    var count = 0
    for seed in 0..<PropertyCount.cases(byDefault: 1) {
      for isLimited in [false, true] {
        let steps = Self.steps(seed, isLimited: isLimited)
        let expected = try run(pipeline, steps, .stepwise)
        count += expected.count
        for way in [Way.direct, .queued, .restored] {
          let actual = try run(pipeline, steps, way)
          #expect(actual == expected, "\(way), seed \(seed), \(isLimited ? "limited" : "unlimited")")
        }
        // Values that wait for other events meet the demand requested in between, and are delivered later.
        if isLimited { continue }
        let late = try run(pipeline, steps, .reentrant).map(Self.what)
        #expect(late == expected.map(Self.what), "reentrant, seed \(seed)")
      }
    }
    #expect(count > 0)
  }

  private static func what(_ line: String) -> Substring { line.drop { $0 != " " } }

  @Test("A host that cancels on an event receives no further event", arguments: operators)
  func canceling(_ operators: String) throws {
    let json = #"""
      {"inputs": {"a": {"type": "int"}, "b": {"type": "int"}}, "source": {"input": {"name": "a"}},
       "operators": [\#(operators)]}
      """#
    let execution = Execution(try stream(json).compile())
    execution.request(.unlimited)
    var heard = 0
    for place in 0..<100 where heard == 0 {
      let time = StreamTime(nanoseconds: Int64(place) * 2_000_000)
      if execution.next(sending: .int(Int64(place % 3)), to: place % 2, at: time) != nil {
        heard += 1
        execution.cancel()
      }
    }
    #expect(heard == 1)
    #expect(execution.next(sending: 1, to: 0, at: execution.time) == nil)
    #expect(execution.next(sending: 1, to: 1, at: execution.time) == nil)
    #expect(execution.stageCount == 0)
    #expect(execution.nextDeadline == nil)
  }
}
