import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Synchronization
import TestSupport
import Testing

/// Streams within streams to the limit of depth, through their whole life on a thread with 512 KB of stack.
@Suite struct NestedStreamTests {
  /// Stack that must be left over.
  private static let spare = 48 * 1024

  @Test("Every field that holds a stream has an example from which a form of nesting is made")
  func coverage() {
    #expect(NestingForm.missing == [])
    #expect(!NestingForm.all.isEmpty)
  }

  @Test("Every operator nests to the limit, with expressions and without", arguments: NestingForm.all.indices)
  func alone(_ number: Int) throws {
    let form = NestingForm.all[number]
    for (place, upstream) in NestingForm.Upstream.allCases.enumerated() {
      // A short run has one of both for each upstream, and the other one with the next form.
      for readsValues in [false, true] where PropertyCount.isLong || readsValues == ((number + place) % 2 == 0) {
        let used = try Self.live(NestingForm.file([form], over: upstream, readsValues: readsValues))
        #expect(used <= SmallStack.usualBytes - Self.spare, "\(form) over \(upstream), \(readsValues)")
      }
    }
  }

  @Test("All operators nest in each other to the limit", arguments: 0..<8)
  func mixed(_ start: Int) throws {
    // Neighbors differ with each step, so that forms stand within many others.
    let count = NestingForm.all.count
    let step = [1, 3, 5, 7][start % 4]
    let forms = (0..<count).map { NestingForm.all[(start * count / 8 + $0 * step) % count] }
    for upstream in NestingForm.Upstream.allCases {
      let used = try Self.live(NestingForm.file(forms, over: upstream, readsValues: start % 2 == 0))
      #expect(used <= SmallStack.usualBytes - Self.spare)
    }
  }

  /// Reads, compares, compiles, runs, saves, restores and releases a file. Returns the bytes of stack that this took.
  private static func live(_ file: Value) throws -> Int {
    let bytes = Array(JSONWriter.compact(file).utf8)
    return try SmallStack.run { () throws -> Bool in
      let stream = try StreamFile(JSONDocument(reading: bytes, file: "nested.json"), identity: "nested.json")
      try same(stream.model, StreamModel(json: stream.model.json))
      let pipeline = try stream.compile(CompileOptions(files: ValueFilesInMemory.examples, host: .any))
      for end in End.allCases {
        let execution = Execution(pipeline)
        execution.request(.unlimited)
        work(execution)
        let copy = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
        for run in [execution, copy] {
          for input in pipeline.inputs.indices {
            switch end {
            case .finish: run.finish(input, at: run.time)
            case .fail: run.fail(input, StreamFailure(.streamFailed, "over"), at: run.time)
            case .value: run.send(2, to: input, at: run.time)
            }
          }
          work(run)
        }
        execution.cancel()
      }
      return true
    }.usedBytes
  }

  /// Operators over values that nest, each with one form of nesting in a short run.
  static let nestedValues: [(String, String)] = {
    let forms = ["[value]", "{'a': value}", "{'a': [value]}"]
    let operators = [
      #"{"removeDuplicates":{}}"#, #"{"distinct":{}}"#, #"{"encode":{}},{"decode":{}}"#,
      #"{"filter":{"expression":"value == value && !(value in [1]) && type(value) != int"}}"#,
      #"{"map":{"expression":"{'v': value, 't': toJSON(value)}"}}"#, #"{"collect":{"count":40}}"#,
      #"{"scan":{"initialValue":[],"expression":"[acc, 1]"}}"#, #"{"share":{"replay":10}}"#, #"{"materialize":{}}"#,
      #"{"prefix":{"count":250}},{"max":{"by":"1"}}"#,
      #"{"prefix":{"count":250}},{"sort":{"by":"1","limit":1000}}"#,
    ]
    return operators.enumerated().flatMap { number, operators in
      (PropertyCount.isLong ? forms : [forms[number % forms.count]]).map { ($0, operators) }
    }
  }()

  @Test(
    "Values that nest to the limit are made, compared, hashed, converted, printed, saved and released",
    arguments: nestedValues)
  func values(_ next: String, _ operators: String) throws {
    let text =
      #"{"source":{"generate":{"initialValue":7,"next":"\#(next)"}},"operators":[{"prefix":{"count":530}},\#(operators)]}"#
    let count = Mutex(0)
    let used = try SmallStack.run { () throws -> Bool in
      let pipeline = try stream(text).compile()
      var executions = [Execution(pipeline)]
      executions[0].request(.unlimited)
      var values: [Value] = []
      var seen = 0
      for step in 0..<20_000 {
        if step == 400 {
          executions.append(try Execution(pipeline, restoring: Snapshot(text: executions[0].snapshot().text())))
        }
        for execution in executions {
          guard case .event(let event) = execution.step(atMost: 3) else { continue }
          guard case .value(let value) = event else { continue }
          // Some of all depths, and those at the limit.
          seen += 1
          if seen % 40 == 1 || seen > 508 && seen < 516 || seen < 20 {
            values.append(value)
            _ = "\(event)"
          }
        }
        if executions.allSatisfy(\.isEnded) { break }
      }
      for value in values.suffix(2) {
        _ = JSONWriter.compact(value)
        _ = JSONWriter.pretty(value)
      }
      let copies = values.map { try? JSONDocument(reading: JSONWriter.compact($0), file: "value").value }
      let unequal = zip(copies, values).count { $0 != nil && $0 != $1 }
      guard unequal == 0, Set(values).count <= values.count else { throw Difference() }
      count.withLock { $0 = values.count }
      return true
    }.usedBytes
    #expect(used <= SmallStack.usualBytes - Self.spare)
    #expect(count.withLock { $0 } > 0)
  }

  @Test(
    "Files whose values and types nest to the limit are read, written, compiled and run",
    arguments: [
      #"{"stream":[{"value":V}],"operators":[{"map":{"expression":"value"}},{"removeDuplicates":{}}]}"#,
      #"{"source":{"sequence":{"values":[V,V]}},"operators":[{"filter":{"expression":"value == value"}}]}"#,
      #"{"inputs":{"a":{"type":T,"initialValue":V}},"source":{"input":{"name":"a"}},"operators":[{"distinct":{}}]}"#,
      #"{"inputs":{"a":{"type":R}},"source":{"input":{"name":"a"}},"operators":[{"map":{"expression":"value"}}]}"#,
      #"{"source":{"record":{"events":[{"at":0,"value":V}]}},"operators":[{"replaceEmpty":{"with":V}}]}"#,
      #"{"stream":[{"value":1}],"tests":[{"name":"t","expect":{"values":[V]}}],"x-own":V}"#,
      #"{"stream":[{"value":1}],"operators":[{"replaceNil":{"with":V}},{"prefix":{"count":1},"x-own":V}]}"#,
    ])
  func deepValues(_ form: String) throws {
    func nested(_ opening: String, _ inner: String, _ closing: String, count: Int = 500) -> String {
      String(repeating: opening, count: count) + inner + String(repeating: closing, count: count)
    }
    // The most levels of a declared type.
    let levels = 31
    let text = form.replacing(":V", with: ":" + nested("[", "1", "]"))
      .replacing("[V", with: "[" + nested(#"{"a":"#, "1", "}")).replacing(",V", with: "," + nested("[", "2", "]"))
      .replacing(":T", with: ":" + nested("[", #""dyn""#, "]", count: levels)).replacing(
        ":R", with: ":" + nested(#"{"a":"#, #""int""#, "}", count: levels))
    let used = try SmallStack.run { () throws -> Bool in
      let stream = try stream(text)
      try Self.same(stream.model, StreamModel(json: stream.model.json))
      let pipeline = try stream.compile()
      _ = "\(try stream.outputType())"
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      Self.work(execution)
      _ = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      for outcome in try TestRunner(stream).run() { _ = outcome.differences }
      return true
    }.usedBytes
    #expect(used <= SmallStack.usualBytes - Self.spare)
  }

  @Test("Expressions of any legal size are planned and run", arguments: ["+", "(", "?", "["])
  func expressions(_ kind: String) throws {
    let expression =
      switch kind {
      case "+": Array(repeating: "1", count: 240).joined(separator: " + ")
      case "(": String(repeating: "(", count: 249) + "value" + String(repeating: ")", count: 249)
      case "?": String(repeating: "value > 9 ? 1 : ", count: 120) + "2"
      default: String(repeating: "[", count: 240) + "value" + String(repeating: "]", count: 240)
      }
    // Within nested streams, where part of the stack is used already.
    var text = #"{"stream":[{"value":1}],"operators":[{"map":{"expression":"\#(expression)"}}]}"#
    for _ in 0..<60 { text = #"{"stream":[{"value":1}],"operators":[{"flatMap":{"stream":\#(text)}}]}"# }
    let file = text
    let used = try SmallStack.run { () throws -> Bool in
      let pipeline = try stream(file).compile()
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      Self.work(execution)
      return true
    }.usedBytes
    #expect(used <= SmallStack.usualBytes - Self.spare)
  }

  private enum End: CaseIterable {
    case finish, fail, value
  }

  private struct Difference: Error {}

  private static func same(_ first: StreamModel, _ second: StreamModel) throws {
    guard first == second, first.hashValue == second.hashValue else { throw Difference() }
  }

  /// A bounded number of steps: some of the streams have no end.
  private static func work(_ execution: Execution) {
    for _ in 0..<400 {
      switch execution.step(atMost: 20) {
      case .event, .unfinished: continue
      case .idle:
        guard let deadline = execution.nextDeadline, !execution.isEnded else { return }
        execution.advance(to: deadline)
      }
    }
  }
}
