import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Groups as rows of one program, beside groups as stages of their own.
@Suite struct KeyedRowTests {
  private static let inner = [
    #"{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"scan": {"expression": "acc + value"}}, {"map": {"expression": "{'user': key, 'total': value, 'index': index}"}}"#,
    #"{"count": {}}"#, #"{"count": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}, {"map": {"expression": "{'user': key, 'total': value}"}}, {"scan": {"initialValue": [], "expression": "acc + [value]"}}"#,
    #"{"first": {}}, {"map": {"expression": "[key, value]"}}"#,
    #"{"sum": {}}, {"filter": {"expression": "value % 2 == 0"}}, {"count": {}}, {"enumerated": {}}"#,
    #"{"last": {}}, {"map": {"expression": "10 / (value % 3)"}, "onError": "skip"}"#,
    #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, #"{"first": {}}"#,
    #"{"prefix": {"count": 2}}, {"map": {"expression": "value"}}"#, #"{"last": {}}"#, #"{"max": {}}"#,
    #"{"removeDuplicates": {}}"#,
    #"{"drop": {"count": 1}}, {"withPrevious": {"expression": "[key, previous, value]"}}"#,
    #"{"map": {"expression": "value % 3 == 0 ? string(value) : value"}}, {"scan": {"expression": "value"}}"#,
    #"{"map": {"expression": "10 / (value % 4)"}, "onError": "skip"}, {"enumerated": {}}"#,
    #"{"map": {"expression": "10 / (value % 40)"}}"#, #"{"prefixWhile": {"expression": "value < 50"}}"#,
    #"{"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "index"}}"#,
    #"{"map": {"expression": "value + offset"}}"#,
    #"{"scan": {"initialValue": 9223372036854775000, "expression": "acc + value"}}"#,
  ]
  private static let keys = [
    "value % 7", "string(value % 5)", "value % 2 == 0", "value % 3 == 0 ? dyn('x') : dyn(value % 4)",
    "double(value % 6) / 2.0", "[value % 3]", "index % 4", "10 / (value % 11)",
  ]

  private static func model(_ generator: inout SeededGenerator) -> String {
    let inner = generator.pick(inner)
    let skips = generator.happens(oneIn: 3) ? #", "onError": "skip""# : ""
    let limit = generator.happens(oneIn: 6) ? #", "limit": 3"# : ""
    let type = generator.happens(oneIn: 2) ? #"{"type": "int"}"# : "{}"
    let idle = generator.happens(oneIn: 2) ? #", "idle": 0.004"# : ""
    let grouping =
      #"{"groupBy": {"key": "\#(generator.pick(keys))", "operators": [\#(inner.replacing("offset", with: "1"))]\#(limit)\#(idle)}\#(skips)}"#
    let before = generator.pick([
      "", #"{"map": {"expression": "value * 3"}}, "#, #"{"filter": {"expression": "value != 5"}}, "#,
    ])
    let behind = generator.pick(["", #", {"map": {"expression": "[value]"}}"#, #", {"prefix": {"count": 20}}"#])
    return
      #"{"inputs": {"a": \#(type)}, "source": {"input": {"name": "a"}}, "operators": [\#(before)\#(grouping)\#(behind)]}"#
  }

  /// Returns the events of a stream for values; with a generator, the run is occasionally saved and restored.
  private static func told(
    by pipelines: [Pipeline], _ values: [Value], _ demand: Demand, restoring generator: SeededGenerator?
  ) throws -> [String] {
    var (execution, told, generator) = (Execution(pipelines[0]), [String](), generator)
    func drain() { while let event = execution.next() { told.append(event.text(.all)) } }
    execution.request(demand)
    drain()
    var time = StreamTime.zero
    for (number, value) in values.enumerated() {
      // Now and then most groups have been idle for long enough.
      time = time + Interval(nanoseconds: Int64(number * 37 % 11 < 9 ? number % 2 : 3) * 1_000_000)
      if number % 5 == 0 {
        execution.advance(to: time)
        drain()
      }
      if let event = execution.next(sending: value, to: 0, at: time) { told.append(event.text(.all)) }
      drain()
      guard generator?.happens(oneIn: 12) == true, let next = generator?.pick(pipelines) else { continue }
      execution = try Execution(next, restoring: Snapshot(text: execution.snapshot().text()))
    }
    execution.finish(0, at: time)
    drain()
    return told
  }

  @Test("Groups as rows say the same as groups as stages, saved and restored anywhere", arguments: 0..<20)
  func saysTheSame(_ block: UInt64) throws {
    var generator = SeededGenerator(seed: block)
    for _ in 0..<PropertyCount.cases(byDefault: 40) {
      let text = Self.model(&generator)
      let model = try StreamModel(parsing: text)
      var options = CompileOptions()
      let fused: Pipeline
      do throws(Diagnostics) {
        fused = try model.compile(options)
      } catch {
        #expect(error.all.map(\.code).allSatisfy(Differential.misfits.contains), "\(text): \(error)")
        continue
      }
      options.fuses = false
      let plain = try model.compile(options)
      let values: [Value] = (0..<generator.pick([1, 5, 60, 200])).map { _ in
        text.contains("{}") && generator.happens(oneIn: 60)
          ? generator.pick([.null, "t", 2.5, [1]]) : .int(Int64(generator.below(60)))
      }
      let demand = generator.happens(oneIn: 4) ? Demand(30) : .unlimited
      let expected = try Self.told(by: [plain], values, demand, restoring: nil)
      #expect(try Self.told(by: [fused], values, demand, restoring: nil) == expected, "\(text)")
      #expect(
        try Self.told(by: [fused, plain], values, demand, restoring: SeededGenerator(seed: block)) == expected,
        "\(text)")
      // At the end of each both have the same snapshot.
      let snapshots = try [fused, plain].map { pipeline in
        let execution = Execution(pipeline)
        execution.request(.unlimited)
        while execution.next() != nil {}
        for value in values.prefix(9) {
          execution.send(value, to: 0, at: .zero)
          while execution.next() != nil {}
        }
        // An input without a current value owes none, whatever it says.
        return try execution.snapshot().text().replacing("\"owesCurrent\":true", with: "\"owesCurrent\":false")
      }
      #expect(snapshots[0].count == snapshots[1].count, "\(text):\n\(snapshots[0])\n\(snapshots[1])")
    }
  }
}
