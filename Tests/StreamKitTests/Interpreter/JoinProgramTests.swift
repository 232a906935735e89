import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Expressions over values of several streams run as programs, without a visible difference.
@Suite struct JoinProgramTests {
  /// Expressions over two streams, named and not, that succeed, fail, and read more than one element.
  static let expressions = [
    "values[0] + values[1]", "values[1]", "values[0] == values[1] ? values : [values[0]]", "values.size() + 1",
    "values[0] + values[2]", "values[-1]", "left + right", "left > right ? left : values[1]", "{'sum': left + right}",
    "values.map(value, value)", "left / right", "values[left]", "[values[0], left]", "1",
    "values[0] + 9223372036854775800",
  ]

  static let operators = ["zip", "combineLatest", "withLatestFrom", "forkJoin"]

  /// Inputs whose values are mostly numbers of one type.
  private static func inputs(_ seed: UInt64) -> [History] {
    var generator = SeededGenerator(seed: seed)
    return (0..<2).map { _ in
      var events: [History.Event] = []
      var time: Int64 = 0
      for _ in 0..<9 {
        time += Int64.random(in: 0...2, using: &generator)
        let number = Int64.random(in: -2...5, using: &generator)
        let value: Value =
          switch generator.below(8) {
          case 0: generator.pick(["x", .null, .list([1]), .uint(7), true])
          case 1: .double(Double(number))
          default: .int(number)
          }
        events.append(History.Event(StreamTime(nanoseconds: time * 1_000_000), .value(value)))
      }
      return History(events + [History.Event(StreamTime(nanoseconds: time * 1_000_000), .finished)])
    }
  }

  private static func model(_ name: String, _ expression: String, _ policy: String) -> Value {
    let fields: Value = ["with": ["b"], "names": ["left", "right"], "expression": .string(expression)]
    let joining: Value = .map(ValueMap([(.string(name), fields), ("onError", .string(policy))]))
    return [
      "inputs": ["a": [:], "b": [:]], "source": ["input": ["name": "a"]],
      "operators": .list([joining, ["enumerated": [:]]]),
    ]
  }

  @Test("As a program an expression gives what its plan gives", arguments: operators, expressions)
  func sameFused(_ name: String, _ expression: String) throws {
    for (seed, policy) in [(1, "skip"), (2, "fail")] {
      let model = Self.model(name, expression, policy)
      let law = try FusionLaw(StreamModel(json: model), CompileOptions(), Self.inputs(UInt64(seed)))
      let problem = try law.problem()
      #expect(problem == nil, "\(name) by \(expression)")
    }
  }

  @Test("Values that come to be of another type for good are taken as what they are", arguments: operators.dropLast())
  func otherTypes(_ name: String) throws {
    let model = Self.model(name, "values[0] + values[1]", "skip")
    var options = CompileOptions()
    var heard: [[ExecutionEvent]] = []
    for fuses in [true, false] {
      options.fuses = fuses
      let execution = Execution(try StreamModel(json: model).compile(options))
      execution.request(.unlimited)
      var events: [ExecutionEvent] = []
      for place in 0..<600 {
        let number = Int64(place % 7)
        let value: Value = place < 150 || place > 450 ? .int(number) : place < 300 ? .double(Double(number)) : "x"
        if let event = execution.next(sending: value, to: place % 2, at: .zero) { events.append(event) }
      }
      heard.append(events)
    }
    #expect(heard[0].count > 290)
    #expect(heard[0] == heard[1])
  }

  /// Operators after a join, while values, their types, failures, ends and demand change.
  static let behind: [String] = [
    #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
    #"{"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "[value, 12 / (value - 4)]"}, "onError": "skip"}"#,
    #"{"map": {"expression": "100 / (value - 6)"}}, {"enumerated": {}}"#,
    #"{"removeDuplicates": {}}, {"prefix": {"count": 9}}"#,
    #"{"drop": {"count": 3}}, {"count": {}}"#,
    #"{"map": {"expression": "value"}}, {"delay": {"seconds": 0.001}}"#,
  ]

  private static func model(
    _ name: String, _ expression: String, with other: String = #""b""#, behind: String
  ) throws -> StreamModel {
    try stream(
      #"""
      {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"\#(name)": {"with": [\#(other)], "expression": "\#(expression)"}, "onError": "skip"}, \#(behind)]}
      """#
    ).model
  }

  @Test("A join and the operators after it run as one program, without a visible difference", arguments: behind)
  func together(_ behind: String) throws {
    for name in Self.operators.dropLast() {
      let model = try Self.model(name, "60 / (values[0] - 2) + values[1]", behind: behind)
      for seed in 1...3 {
        let problem = try FusionLaw(model, CompileOptions(), Self.inputs(UInt64(seed))).problem()
        #expect(problem == nil, "\(name), seed \(seed)")
      }
      let heard = try [true, false].map { try Self.play(model, fuses: $0) }
      #expect(heard[0] == heard[1], "\(name)")
    }
  }

  /// How two streams take turns: which of them the value at a place is of.
  enum Turns: CaseIterable {
    case each, pairs, ahead, random, behindAnother

    func stream(_ place: Int) -> Int {
      switch self {
      case .each, .behindAnother: place % 2
      case .pairs: place / 2 % 2
      // The first is ahead for a while, then the second catches up and goes ahead.
      case .ahead: place % 64 < 20 || (place % 64 < 28 && place % 2 == 0) ? 0 : 1
      case .random: place &* 2_654_435_761 >> 7 & 1
      }
    }

    /// The other stream, as the operator refers to it.
    var reference: String {
      guard self == .behindAnother else { return #""b""# }
      return #"{"source": {"input": {"name": "b"}}, "operators": [{"buffer": {"capacity": 4}}]}"#
    }
  }

  @Test(
    "A join and the operators after it run as one program, whichever stream is ahead",
    arguments: Turns.allCases)
  func ahead(_ turns: Turns) throws {
    for name in Self.operators.dropLast() {
      for behind in [Self.behind[0], Self.behind[1], Self.behind[4]] {
        let model = try Self.model(name, "60 / (values[0] - 2) + values[1]", with: turns.reference, behind: behind)
        let heard = try [true, false].map { try Self.play(model, turns, fuses: $0) }
        #expect(heard[0].count > 5)
        #expect(heard[0] == heard[1], "\(name)")
      }
    }
  }

  /// The events for values in turns, some of other types, with occasional snapshots and limited demand.
  private static func play(_ model: StreamModel, _ turns: Turns = .each, fuses: Bool) throws -> [String] {
    var options = CompileOptions()
    options.fuses = fuses
    let pipeline = try model.compile(options)
    var execution = Execution(pipeline)
    execution.request(.unlimited)
    var heard: [String] = []
    func handle(_ event: ExecutionEvent?) {
      var next = event
      while let event = next {
        heard.append("\(event)")
        next = execution.next()
      }
    }
    handle(execution.next())
    for place in 0..<400 where !execution.isEnded {
      let number = Int64(place % 11)
      let value: Value = place % 97 == 96 ? "x" : place / 60 % 2 == 0 ? .int(number) : .double(Double(number))
      let time = StreamTime(nanoseconds: Int64(place) * 1_000)
      handle(execution.next(sending: value, to: turns.stream(place), at: time))
      if place % 150 == 148 {
        heard.append(try execution.snapshot().text())
        execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      }
    }
    let end = StreamTime(nanoseconds: 1_000_000)
    execution.finish(0, at: end)
    execution.finish(1, at: end)
    execution.advance(to: StreamTime(nanoseconds: 10_000_000))
    handle(execution.next())
    return heard
  }

  @Test("An expression within a stream that a value starts sees that value, whichever it is")
  func captures() throws {
    let texts = try run(
      #"""
      {"source": {"sequence": {"values": [10, 2.5, "x"]}},
       "operators": [{"flatMap": {"stream": {
         "source": {"sequence": {"values": [1, 2]}},
         "operators": [{"zip": {"with": [{"stream": [{"value": 5}, {"value": 6}]}],
                                "expression": "string(outer) + string(values[0] + values[1])"}}]}}}]}
      """#)
    #expect(
      texts == ["\"106\"@0", "\"108\"@0", "\"2.56\"@0", "\"2.58\"@0", "\"x6\"@0", "\"x8\"@0", "|@0"])
  }

  @Test("Values of any types wait for their instant, and are saved while they wait")
  func late() throws {
    let json = #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"delay": {"seconds": 1}}]}
      """#
    let pipeline = try stream(json).compile()
    let values: [Value] = [1, 2, 2.5, "x", 3, .null, 4.5, 5]
    for first in values.indices {
      var execution = Execution(pipeline)
      execution.request(.unlimited)
      let sent = values[first...] + values[..<first]
      for (place, value) in sent.enumerated() {
        let event = execution.next(sending: value, to: 0, at: StreamTime(nanoseconds: Int64(place)))
        #expect(event == nil)
        if place % 3 == 1 {
          execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
        }
      }
      execution.advance(to: StreamTime(seconds: 2))
      var heard: [Value] = []
      while case .value(let value)? = execution.next() { heard.append(value) }
      #expect(heard == Array(sent))
    }
  }

  @Test("Values of any types wait for those of the other stream, and are saved while they wait")
  func waiting() throws {
    let json = #"""
      {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"zip": {"with": ["b"]}}]}
      """#
    let pipeline = try stream(json).compile()
    var execution = Execution(pipeline)
    execution.request(.unlimited)
    let values: [Value] = [1, 2, 2.5, "x", 3, .null, 4.5]
    for value in values {
      execution.send(value, to: 0, at: .zero)
      while execution.next() != nil {}
      execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    }
    let pairs = values.map { _ in execution.next(sending: 0, to: 1, at: .zero) }
    #expect(pairs == values.map { .value(.list([$0, 0])) })
  }

  @Test("A skipped failure keeps the value before it")
  func undone() throws {
    let json = #"""
      {"inputs": {"a": {"type": "int"}, "b": {"type": "int"}}, "source": {"input": {"name": "a"}},
       "operators": [{"combineLatest": {"with": ["b"], "expression": "12 / values[0] + values[1]"}, "onError": "skip"}]}
      """#
    let execution = Execution(try stream(json).compile())
    execution.request(.unlimited)
    while execution.next() != nil {}
    var events: [ExecutionEvent?] = []
    for (value, input) in [(3, 0), (1, 1), (0, 0), (2, 1), (4, 0)] as [(Value, Int)] {
      events.append(execution.next(sending: value, to: input, at: .zero))
    }
    #expect(events[1] == .value(5))
    guard case .skipped(let failure)? = events[2] else {
      Issue.record("\(String(describing: events[2]))")
      return
    }
    #expect(failure.value == [0, 1])
    // The 0 has not taken the place of the 3.
    #expect(events[3] == .value(6))
    #expect(events[4] == .value(5))
  }
}
