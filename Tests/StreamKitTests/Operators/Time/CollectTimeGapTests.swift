import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Intervals without values cost nothing, and change nothing.
@Suite struct CollectTimeGapTests {
  private static let day: Double = 86_400

  /// Runs a stream with values of its input at these seconds. Returns the lists, and the number of steps.
  private func run(
    _ fields: String, at times: [Double], before: String = "", savesEachStep: Bool = false
  ) throws -> (history: [String], steps: Int) {
    let pipeline = try stream(
      #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [\#(before) {"collectTime": {\#(fields)}}]}
      """#
    ).compile()
    var execution = Execution(pipeline)
    var texts: [String] = []
    execution.request(.unlimited)
    func listen() throws {
      while true {
        switch execution.step(atMost: 1) {
        case .idle: return
        case .unfinished: break
        case .event(let event): texts.append("\(execution.time.seconds.shortText) \(event.text())")
        }
        if savesEachStep { execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text())) }
      }
    }
    for (number, time) in times.enumerated() {
      while let deadline = execution.nextDeadline, deadline < StreamTime(seconds: time) {
        execution.advance(to: deadline)
        try listen()
      }
      execution.send(.int(Int64(number)), to: 0, at: StreamTime(seconds: time))
      try listen()
    }
    execution.finish(0, at: execution.time)
    try listen()
    // The completion is delivered by the scheduler, at the same instant.
    execution.advance(to: execution.time)
    try listen()
    return (texts, execution.stepCount)
  }

  @Test("A value that was due before the interval started is part of it", arguments: [false, true])
  func endsInterval(saves: Bool) throws {
    let pipeline = try stream(
      """
      {"source": {"marbles": {"diagram": "7ms a", "values": {"a": 1}}},
       "operators": [{"collectTime": {"seconds": 0.002, "startEvery": 0.005}}]}
      """
    ).compile()
    var recorder = HistoryRecorder(Execution(pipeline))
    try recorder.run([]) { saves ? try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) : $0 }
    #expect(recorder.history.texts(.messages) == ["[1]@7"])
  }

  @Test(
    "A value at the end of a list that overlaps others is part of it if it was due before the list started",
    arguments: ["20ms a", "5ms a", "20ms a 6ms b", "3ms a 11ms b 3ms c"], [false, true])
  func endsOverlapping(_ diagram: String, saves: Bool) throws {
    func texts(_ fields: String) throws -> [String] {
      let pipeline = try stream(
        #"""
        {"source": {"marbles": {"diagram": "\#(diagram)-----|"}},
         "operators": [{"collectTime": {"seconds": 0.0035, "startEvery": 0.0015\#(fields)}}]}
        """#
      ).compile()
      var recorder = HistoryRecorder(Execution(pipeline))
      try recorder.run([]) { saves ? try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) : $0 }
      return recorder.history.texts(.messages).filter { !$0.hasPrefix("[]") }
    }
    #expect(try texts("") == texts(#", "emitEmpty": true"#))
  }

  @Test(
    "A value is part of an overlapping list that ends now only if its timer was set before the list started",
    arguments: [(delay: 2.5, lists: 2), (delay: 4.5, lists: 3), (delay: 3.4, lists: 2), (delay: 3.6, lists: 3)],
    [nil, 3.1, 4.1])
  func dependsOnTheTimer(_ value: (delay: Double, lists: Int), tick: Double?) throws {
    // The value comes at 6.5 s, as the list from 3 s ends.
    func run(_ fields: String, saves: Bool) throws -> [String] {
      let pipeline = try stream(
        #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
         "operators": [{"delay": {"seconds": \#(value.delay)}},
                       {"collectTime": {"seconds": 3.5, "startEvery": 1.5\#(fields)}}]}
        """#
      ).compile()
      var execution = Execution(pipeline)
      var texts: [String] = []
      func drain() throws {
        while let event = execution.next() {
          if case .value(let list) = event, list != .list([]) { texts.append("\(execution.time.seconds.shortText)") }
        }
        if saves { execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text())) }
      }
      func advance(to time: Double) throws {
        execution.advance(to: StreamTime(seconds: time))
        try drain()
      }
      execution.request(.unlimited)
      try drain()
      let sent = 6.5 - value.delay
      if let tick, tick < sent { try advance(to: tick) }
      execution.send(.int(1), to: 0, at: StreamTime(seconds: sent))
      try drain()
      if let tick, tick > sent { try advance(to: tick) }
      try advance(to: 12)
      return texts
    }
    let expected = ["6.5", "8", "9.5"].suffix(value.lists)
    #expect(try run(#", "emitEmpty": true"#, saves: false) == Array(expected))
    #expect(try run("", saves: false) == Array(expected))
    #expect(try run("", saves: true) == Array(expected))
  }

  @Test(
    "A gap of fifty years is skipped in one step", arguments: [#""seconds": 2"#, #""seconds": 2, "startEvery": 1"#])
  func skips(_ fields: String) throws {
    let years = 50 * 365 * Self.day
    let (history, steps) = try run(fields, at: [0, years, years + 1])
    #expect(steps < 1_000)
    if !fields.contains("startEvery") {
      #expect(history == ["2 [0]", "1576800000 [1]", "1576800001 [2]", "1576800001 |"])
    }
  }

  @Test("A list begins at a multiple of the interval, whatever the gap, and a value at its end belongs to it")
  func aligns() throws {
    let times: [Double] = [0.5, 3, 7, 10, 10.5, 100, 100.5, 1_000.25]
    for savesEachStep in [false, true] {
      let (history, _) = try run(#""seconds": 1"#, at: times, savesEachStep: savesEachStep)
      #expect(
        history == [
          "1 [0]", "3 [1]", "7 [2]", "10 [3]", "11 [4]", "100 [5]", "101 [6]", "1000.25 [7]", "1000.25 |",
        ])
    }
  }

  @Test("A stream that only waits for such intervals has no timer")
  func hasNoTimer() throws {
    let pipeline = try stream(
      #"{"source": {"never": {}}, "operators": [{"collectTime": {"seconds": 1}}]}"#
    ).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    #expect(execution.nextDeadline == nil)
  }

  /// The lists without gaps are those of `emitEmpty`, which ticks, without the empty ones.
  @Test("Lists are the same as those of intervals that are counted one by one")
  func equalsTicking() throws {
    for (before, fields) in [
      (
        #"{"flatMap": {"stream": {"source": {"timer": {"every": 1, "count": 9}}, "operators": [{"filter": {"expression": "value % 4 == 3"}}]}}},"#,
        #""seconds": 2"#
      ),
      (
        #"{"flatMap": {"stream": {"source": {"timer": {"every": 2, "count": 9}}, "operators": [{"filter": {"expression": "value % 4 == 3"}}]}}},"#,
        #""seconds": 2"#
      ),
      (#"{"delay": {"seconds": 4}},"#, #""seconds": 2"#),
      (#"{"delay": {"seconds": 3}},"#, #""seconds": 2, "count": 2"#),
      (#"{"delay": {"seconds": 1}}, {"collectTime": {"seconds": 3}},"#, #""seconds": 2"#),
    ] {
      for times: [Double] in [[0, 1, 9], [0, 6, 30], [4, 5, 6, 20], [1.5, 40]] {
        let (skipping, _) = try run(fields, at: times, before: before)
        let (ticking, _) = try run(fields + #", "emitEmpty": true"#, at: times, before: before)
        #expect(skipping == ticking.filter { !$0.hasSuffix("[]") }, "\(before) \(fields) \(times)")
      }
    }
  }
}
