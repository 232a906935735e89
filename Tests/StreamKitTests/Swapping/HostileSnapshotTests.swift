import Foundation
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Snapshots that an attacker has changed. Each is refused with a reason, or restored; and no run of a restored
/// snapshot traps or touches freed memory.
///
/// `PROPERTIES=100000` tries so many. A trap ends the process: with `HOSTILE_LOG=FILE` the file then has the number of the
/// case and what was changed, and `HOSTILE_CASE=NUMBER` runs that case alone.
@Suite struct HostileSnapshotTests {
  private static let count = Int(PropertyCount.cases(byDefault: 200))
  /// So many cases share the stream, the run that is saved, and the snapshots of it.
  private static let batchSize = 16

  /// A stream, fused and unfused, and what was saved of a run of it.
  private struct Batch {
    let name: String
    let version: StreamVersion
    let plain: StreamVersion
    let longer: StreamVersion
    let snapshots: [Value]

    init(_ number: Int) throws {
      var random = RandomModel(seed: UInt64(number) &* 7_919 &+ 11)
      let model: StreamModel
      var options = CompileOptions(host: .any)
      if number % 4 == 3 {
        model = random.model()
        name = "random model \(number)"
      } else {
        // Every example in turn.
        let stream = ExampleStream.running[(number - number / 4) % ExampleStream.running.count]
        model = try StreamModel(json: stream.stream())
        options = stream.options
        name = stream.description
      }
      var more = model
      more.operators += try StreamModel(json: ["stream": [], "operators": [["map": ["expression": "value"]]]]).operators
      version = try StreamVersion(model, options)
      longer = try StreamVersion(more, options)
      options.fuses = false
      plain = try StreamVersion(model, options)
      var run = HostileRun(Execution(number % 2 == 0 ? version.pipeline : plain.pipeline), random.generator)
      run.execution.request(number % 3 == 0 ? Demand(2) : .unlimited)
      var snapshots: [Value] = []
      try run.run(12) { execution in
        snapshots.append(try JSONDocument(reading: execution.snapshot().text(), file: "snapshot").value)
      }
      self.snapshots = snapshots
    }
  }

  /// The outcomes of the cases.
  private struct Tally {
    var refused = 0
    var restored = 0
    var swapped = 0
    var gaveUp = 0
  }

  @Test("No run of a damaged snapshot traps")
  func damaged() throws {
    var tally = Tally()
    let only = getenv("HOSTILE_CASE").flatMap { Int(String(cString: $0)) }
    let log = CaseLog()
    for number in (only ?? 0) / Self.batchSize..<((only ?? Self.count - 1) / Self.batchSize + 1) {
      let batch = try Batch(number)
      for place in 0..<Self.batchSize where !batch.snapshots.isEmpty {
        let number = number * Self.batchSize + place
        guard only == nil ? number < Self.count : number == only else { continue }
        try run(number, of: batch, &tally, log)
      }
    }
    if only == nil { log.tell("done: \(tally)") }
    guard only == nil else { return }
    #expect(tally.refused > Self.count / 10)
    #expect(tally.restored > Self.count / 10)
    #expect(tally.swapped > 0)
    #expect(tally.gaveUp < Self.count / 50)
  }

  private func run(_ number: Int, of batch: Batch, _ tally: inout Tally, _ log: CaseLog) throws {
    var generator = SeededGenerator(seed: UInt64(number) &* 104_729 &+ 5)
    var damage = SnapshotDamage(SeededGenerator(seed: generator.next()), others: batch.snapshots)
    let value = damage.damaged(generator.pick(batch.snapshots))
    log.tell("case \(number): \(batch.name)\n\(damage.changes.joined(separator: "\n"))\n\(JSONWriter.compact(value))")
    guard let snapshot = try? Snapshot(text: JSONWriter.compact(value)) else {
      tally.refused += 1
      return
    }
    let seed = generator.next()
    if generator.happens(oneIn: 4) {
      let new = generator.pick([batch.version, batch.longer, batch.plain])
      guard let swap = try? StreamSwap(of: snapshot, from: batch.version, to: new) else { return tally.refused += 1 }
      tally.swapped += 1
      let swapped = try Execution(new.pipeline, restoring: swap.snapshot)
      try finish(swapped, new.pipeline, seed, &tally)
    } else {
      let pipelines = [batch.version.pipeline, batch.plain.pipeline]
      let executions = pipelines.map { pipeline -> Execution? in
        do throws(Diagnostics) {
          return try Execution(pipeline, restoring: snapshot)
        } catch {
          #expect(error.all.first?.message.isEmpty == false, "case \(number)")
          return nil
        }
      }
      #expect((executions[0] == nil) == (executions[1] == nil), "case \(number), \(batch.name): \(damage.changes)")
      for case (let execution?, let pipeline) in zip(executions, pipelines) {
        try finish(execution, pipeline, seed, &tally)
      }
      if executions[0] == nil { tally.refused += 1 } else { tally.restored += 1 }
    }
  }

  /// Runs an execution to the end; what is saved on the way, and restored, runs too.
  private func finish(_ execution: Execution, _ pipeline: Pipeline, _ seed: UInt64, _ tally: inout Tally) throws {
    var run = HostileRun(execution, SeededGenerator(seed: seed))
    try run.run(16)
    let again = try execution.snapshot()
    run.finish()
    if run.gaveUp { tally.gaveUp += 1 }
    guard seed % 8 == 0, let restored = try? Execution(pipeline, restoring: again) else { return }
    var second = HostileRun(restored, SeededGenerator(seed: seed))
    second.finish()
  }

  // MARK: Cases

  /// Returns a pipeline, and the snapshot of a run after values on its inputs, in turn.
  private static func saved(
    _ json: String, sending values: [Value], fuses: Bool = true
  ) throws -> (pipeline: Pipeline, text: String) {
    var options = CompileOptions()
    options.fuses = fuses
    let pipeline = try stream(json).compile(options)
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    for (number, value) in values.enumerated() {
      execution.send(value, to: number % pipeline.inputs.count, at: .zero)
      while execution.next() != nil {}
    }
    return (pipeline, try execution.snapshot().text())
  }

  /// The same with one text replaced by another.
  private static func changed(
    _ json: String, sending values: [Value], _ old: String, to new: String, fuses: Bool = true
  ) throws -> (pipeline: Pipeline, snapshot: Snapshot) {
    let (pipeline, text) = try saved(json, sending: values, fuses: fuses)
    let changed = text.replacing(old, with: new)
    #expect(changed != text, "\(text)")
    return (pipeline, try Snapshot(text: changed))
  }

  private static func refusal(_ pipeline: Pipeline, _ snapshot: Snapshot) -> Diagnostics? {
    do throws(Diagnostics) {
      _ = try Execution(pipeline, restoring: snapshot)
      return nil
    } catch {
      return error
    }
  }

  /// A stream over the input `a`.
  private static func over(input operators: String) -> String {
    #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(operators)]}"#
  }

  /// A stream over inputs `a` and `b`.
  private static func over(_ operators: String) -> String {
    #"{"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(operators)]}"#
  }

  private static let flatMap = over(
    #"{"flatMap": {"stream": {"source": {"input": {"name": "b"}}, "operators": [{"map": {"expression": "outer + value"}}]}}}"#
  )
  private static let combineLatest = over(#"{"combineLatest": {"with": ["b"]}}"#)

  @Test(
    "Broken invariants of a run are refused with a reason",
    arguments: [
      (flatMap, #""portFrame":1"#, #""portFrame":null"#, "is in the frame of another stream"),
      (flatMap, #""portFrame":1"#, #""portFrame":0"#, "started in the frame of another operator"),
      (flatMap, #""last":1"#, #""last":9223372036854775807"#, "ports that were never allocated"),
      (combineLatest, #""port":1"#, #""port":7"#, "no operator receives"),
      (combineLatest, #""values":[1,2]"#, #""values":[1]"#, "1 values for 2 streams"),
      (combineLatest, #""missing":[]"#, #""missing":[2]"#, "names streams that do not exist"),
      (over(#"{"prefix": {"count": 5}}"#), #""state":4"#, #""state":-4"#, "expects -4 more values"),
      (over(#"{"map": {"expression": "index"}}"#), #""state":1"#, #""state":9223372036854775807"#, "counts to"),
      (over(#"{"count": {}}"#), #""index":1"#, #""index":-1"#, "expected 0 to"),
      (over(#"{"share": {}}"#), #""subscribers":[0]"#, #""subscribers":[2]"#, "has invalid subscribers"),
      (window, #""port":2"#, #""port":4"#, "has windows without a stream"),
      (flatMapToJust, #""active":[]"#, #""active":[1]"#, "a port that is both free and in use"),
    ])
  func refused(_ json: String, _ old: String, _ new: String, _ reason: String) throws {
    for fuses in [true, false] {
      let (pipeline, snapshot) = try Self.changed(json, sending: [1, 2], old, to: new, fuses: fuses)
      let message = Self.refusal(pipeline, snapshot)?.all.first?.message
      #expect(message?.contains(reason) == true, "\(message ?? "restored")")
    }
  }

  // Groups become rows with the next value: nothing may refer to their stages then.

  private static let window = over(
    input: #"{"window": {"count": 3, "operators": [{"scan": {"expression": "acc + value"}}]}}"#)
  private static let flatMapToJust = over(
    input: #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}, "operators": [{"enumerated": {}}]}}}"#
  )
  private static let scan = over(
    #"{"groupBy": {"key": "value % 2", "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}}"#)
  private static let counts = over(
    #"{"groupBy": {"key": "value % 2", "operators": [{"count": {}}, {"max": {}}, {"map": {"expression": "[key, value]"}}]}}"#
  )

  /// An `input` for the feed of the first group, and above it a value that the input publishes to `groupBy`.
  private static func work(feed: Int, input: Int) -> String {
    let rest = #""number":0,"upstream":0,"demand":0"#
    return #""work":[{"kind":10,"stage":\#(feed),"value":5,\#(rest)},{"kind":0,"stage":\#(input),"value":3,\#(rest)}]"#
  }

  @Test(
    "Groups and windows of a damaged snapshot run without a trap",
    arguments: [
      (scan, #""acc":1,"index":1"#, #""acc":1,"index":4611686018427387904"#, nil),
      (scan, #""timers":[]"#, #""timers":[{"timer":2,"deadline":5,"ticket":1}]"#, "groupBy"),
      (scan, #""timers":[]"#, #""timers":[{"timer":3999999,"deadline":5,"ticket":1}]"#, "groupBy"),
      (scan, #""timers":[]"#, #""timers":[{"timer":1,"deadline":5,"ticket":1}]"#, "groupBy"),
      (scan, #""timers":[]"#, #""timers":[{"timer":0,"deadline":5,"ticket":1}]"#, "scan"),
      (scan, #""timers":[]"#, #""timers":[{"timer":0,"deadline":5,"ticket":1}]"#, "feed"),
      (scan, #""work":[]"#, work(feed: 3, input: 1), nil), (counts, #""work":[]"#, work(feed: 5, input: 1), nil),
      (window, #""windowCount":2"#, #""windowCount":4611686018427387904"#, nil),
      (window, #""index":4"#, #""index":4611686018427387904"#, nil),
      (window, #""count":1"#, #""count":4611686018427387904"#, nil), (window, #""count":1"#, #""count":3"#, nil),
      (window, #""work":[]"#, work(feed: 3, input: 1), nil),
      (window, #""timers":[]"#, #""timers":[{"timer":4,"deadline":5,"ticket":1}]"#, "window"),
      (window, #""timers":[]"#, #""timers":[{"timer":0,"deadline":5,"ticket":1}]"#, "scan"),
      (flatMapToJust, #""index":4"#, #""index":4611686018427387904"#, nil),
      (flatMapToJust, #""timers":[]"#, #""timers":[{"timer":1,"deadline":5,"ticket":1}]"#, "flatMap"),
    ] as [(String, String, String, String?)])
  func damagedStreams(_ json: String, _ old: String, _ new: String, of stage: String?) throws {
    let names = stage.map { #""name":"\#($0)""# }
    for fuses in [true, false] {
      let (pipeline, text) = try Self.saved(json, sending: [1, 1, 2, 1], fuses: fuses)
      let start = names.flatMap { text.range(of: $0)?.upperBound } ?? text.startIndex
      let place = try #require(text.range(of: old, range: start..<text.endIndex))
      let snapshot = try Snapshot(text: text.replacingCharacters(in: place, with: new))
      let execution = try Execution(pipeline, restoring: snapshot)
      for round in 0..<3 {
        while execution.next() != nil {}
        execution.send(1, to: 0, at: StreamTime(nanoseconds: Int64(round * 4)))
        while execution.next() != nil {}
        execution.advance(to: StreamTime(nanoseconds: Int64(round * 4 + 2)))
        while execution.next() != nil {}
        _ = try execution.snapshot().text()
      }
      execution.finish(0, at: StreamTime(nanoseconds: 20))
      while execution.next() != nil {}
      #expect(execution.stageCount == 0)
    }
  }

  @Test("Frames that nest without end are refused: they would be released recursively")
  func nestedFrames() throws {
    let pipeline = try stream(Self.over(#"{"map": {"expression": "value"}}"#)).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    let document = try JSONDocument(reading: execution.snapshot().text(), file: "snapshot")
    guard case .map(let map) = document.value, case .list(let frames)? = map["frames"] else {
      Issue.record("a snapshot has frames")
      return
    }
    let more = (0..<200_000).map { ["outer": .int($0), "values": [], "feeders": []] as Value }
    let nested = ValueMap(map.pairs.map { ($0, $0 == "frames" ? .list(frames + more) : $1) })
    let snapshot = try Snapshot(text: JSONWriter.compact(.map(nested)))
    let message = Self.refusal(pipeline, snapshot)?.all.first?.message
    #expect(message?.contains("are nested more than") == true, "\(message ?? "restored")")
  }

  @Test("Two stages in one place, and two last stages, are refused")
  func samePlace() throws {
    let json = #"""
      {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["b"]}}]}
      """#
    let pipeline = try stream(json).compile()
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    let text = try execution.snapshot().text()
    for (old, new) in [(#""port":1"#, #""port":0"#), (#""downstream":0"#, #""downstream":null"#)] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      let snapshot = try Snapshot(text: changed)
      #expect(throws: Diagnostics.self) { _ = try Execution(pipeline, restoring: snapshot) }
    }
  }
}
