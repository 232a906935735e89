import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Inner streams that run one after another as one program, beside such streams as stages.
@Suite struct SerialStreamTests {
  private static let steps = [
    "", #"{"map": {"expression": "value + 1"}}"#, #"{"filter": {"expression": "value % 3 != 0"}}"#,
    #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#, #"{"scan": {"expression": "acc + value"}}"#,
    #"{"prefix": {"count": 2}}"#, #"{"prefix": {"count": 1}}"#, #"{"prefixWhile": {"expression": "value < 40"}}"#,
    #"{"prefixWhile": {"expression": "value < 40", "inclusive": true}}"#, #"{"removeDuplicates": {}}"#,
    #"{"drop": {"count": 1}}"#, #"{"enumerated": {}}, {"map": {"expression": "value.index + value.value"}}"#,
    #"{"map": {"expression": "10 / (value % 4)"}, "onError": "skip"}"#,
    #"{"map": {"expression": "100 / (value % 40)"}}"#,
    #"{"map": {"expression": "value + index"}}"#, #"{"withPrevious": {"expression": "value"}}"#,
    #"{"validate": {"expression": "value % 7 != 0"}, "onError": "skip"}"#,
    #"{"validate": {"expression": "value % 59 != 0"}}"#,
    #"{"map": {"expression": "value % 3 == 0 ? string(value) : value"}}, {"scan": {"expression": "value"}}, {"map": {"expression": "1"}}"#,
    #"{"scan": {"initialValue": 9223372036854775000, "expression": "acc + value * 20"}}"#,
  ]
  private static let summaries = [
    "", "", #"{"sum": {}}"#, #"{"count": {}}"#, #"{"last": {}}"#, #"{"first": {}}"#, #"{"max": {}}"#,
    #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#,
    #"{"contains": {"value": 7}}"#,
    #"{"sum": {}}, {"map": {"expression": "VARIABLE"}}"#,
    #"{"count": {}}, {"filter": {"expression": "value % 2 == 0"}}, {"map": {"expression": "10 / (value % 4)"}, "onError": "skip"}"#,
    #"{"last": {}}, {"map": {"expression": "10 / (value % 9)"}}"#,
    #"{"last": {}}, {"prefix": {"count": 1}}, {"count": {}}"#,
  ]

  private static func inner(_ generator: inout SeededGenerator, _ variable: String) -> String {
    var parts = [generator.pick(steps), generator.pick(steps), generator.pick(summaries)]
    if generator.happens(oneIn: 3) { parts.append(#"{"map": {"expression": "[value, VARIABLE]"}}"#) }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ").replacing("VARIABLE", with: variable)
  }

  private static func serial(_ generator: inout SeededGenerator) -> String {
    if generator.happens(oneIn: 2) {
      let inner = inner(&generator, "windowIndex")
      return #"{"window": {"count": \#(generator.pick([1, 2, 3, 10])), "operators": [\#(inner)]}}"#
    }
    let source = generator.pick([
      #"{"expression": "outer"}"#, #"{"expression": "outer + outerIndex"}"#, #"{"expression": "100 / (outer % 30)"}"#,
      #"{"value": 3}"#, #"{"expression": "outer % 5 == 0 ? dyn('t') : dyn(outer)"}"#,
    ])
    let operators = inner(&generator, "outer")
    let stream =
      #""stream": {"source": {"just": \#(source)}, "operators": [\#(operators)]}"#
    return generator.pick([
      #"{"flatMap": {\#(stream)}}"#, #"{"flatMap": {\#(stream), "strategy": "concat"}}"#,
      #"{"flatMap": {\#(stream), "maxPublishers": 3, "limit": 2}}"#, #"{"switchMap": {\#(stream)}}"#,
      #"{"exhaustMap": {\#(stream)}}"#, #"{"flatMap": {\#(stream), "strategy": "latest"}}"#,
    ])
  }

  private static func model(_ generator: inout SeededGenerator) -> String {
    let type = generator.happens(oneIn: 2) ? #"{"type": "int"}"# : "{}"
    let before = generator.pick([
      "", #"{"map": {"expression": "value * 3"}}, "#, #"{"filter": {"expression": "value != 5"}}, "#,
      #"{"prefix": {"count": 23}}, "#, #"{"prefix": {"count": 0}}, "#,
    ])
    let behind = generator.pick([
      "", #", {"map": {"expression": "[value]"}}"#, #", {"prefix": {"count": 20}}"#, #", {"print": {}}"#,
    ])
    var serial = serial(&generator)
    // Within another stream, whose variables the operators capture.
    if generator.happens(oneIn: 4) {
      serial =
        #"{"groupBy": {"key": "value % 3", "operators": [\#(serial.replacing("+ 1", with: "+ key"))]}}"#
    }
    return
      #"{"inputs": {"a": \#(type)}, "source": {"input": {"name": "a"}}, "operators": [\#(before)\#(serial)\#(behind)]}"#
  }

  @Test("Inner streams in a program say the same as stages, saved and restored anywhere", arguments: 0..<20)
  func saysTheSame(_ block: UInt64) throws {
    // A window whose stream ends before it uses other ports, and the values of requests differ after a failure.
    try FormComparison.checkStreams(
      PropertyCount.cases(byDefault: 60), seed: block, comparesSnapshots: false, Self.model)
  }

  @Test(
    "Both forms have the same snapshots",
    arguments: [
      #"{"window": {"count": 4, "operators": [{"scan": {"expression": "acc + value"}}]}}"#,
      #"{"window": {"count": 9, "operators": [{"sum": {}}]}}"#,
      #"{"window": {"count": 1, "operators": [{"count": {}}]}}"#,
      #"{"window": {"count": 3, "operators": [{"count": {}}, {"map": {"expression": "value + windowIndex"}}]}}"#,
      #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}}}}"#,
      #"{"switchMap": {"stream": {"source": {"just": {"value": 1}}, "operators": [{"count": {}}]}}}"#,
      #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer"}}}, "strategy": "concat"}}"#,
    ])
  func snapshots(_ serial: String) throws {
    let text = #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(serial)]}"#
    for count in 1..<10 {
      #expect(try FormComparison.check(text, (0..<count).map { .int(Int64($0)) }, .unlimited, seed: 1))
      // Before anything is requested.
      let pipelines = try [true, false].map { fuses in
        var options = CompileOptions()
        options.fuses = fuses
        return try StreamModel(parsing: text).compile(options)
      }
      let saved = try pipelines.map { pipeline in
        let execution = Execution(pipeline)
        execution.request(.none)
        while execution.next() != nil {}
        return try execution.snapshot().text()
      }
      let told = try saved.flatMap { snapshot in
        try pipelines.map { pipeline in
          let execution = try Execution(pipeline, restoring: Snapshot(text: snapshot))
          var told: [String] = []
          execution.request(.unlimited)
          while let event = execution.next() { told.append(event.text(.all)) }
          for value in 0..<count {
            execution.send(.int(Int64(value)), to: 0, at: .zero)
            while let event = execution.next() { told.append(event.text(.all)) }
          }
          execution.finish(0, at: .zero)
          while let event = execution.next() { told.append(event.text(.all)) }
          return told
        }
      }
      #expect(told.allSatisfy { $0 == told[0] }, "\(serial): \(told)")
    }
  }
}
