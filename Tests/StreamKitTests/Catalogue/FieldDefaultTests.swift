import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Defaults of fields: nothing takes a field that is left out for one that the file gives.
@Suite struct FieldDefaultTests {
  /// A field with a default that an example leaves out.
  struct Omission: Sendable, CustomTestStringConvertible {
    let stream: ExampleStream
    let spec: OperatorSpec
    let field: FieldSpec

    var testDescription: String { "\(stream), \(field.name)" }

    /// The fields of the example.
    func given() throws -> ValueMap { try #require(try stream.fields().member(stream.name)?.map) }

    /// The fields, and the value written out.
    func written(_ value: Value, among given: ValueMap) -> Value {
      let all = ValueMap(Array(given.pairs) + [(.string(field.name), value)])
      return .map(ValueMap([(.string(stream.name), .map(all))]))
    }
  }

  private static let specs = Dictionary(
    (Source.table.map(\.spec) + Operator.table.map(\.spec)).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first })

  static let omissions = ExampleStream.running.flatMap { stream -> [Omission] in
    guard let spec = specs[stream.name], let given = try? stream.fields().member(stream.name)?.map else { return [] }
    return spec.fields.filter { $0.defaultValue != nil && given[$0.name] == nil }
      .map { Omission(stream: stream, spec: spec, field: $0) }
  }

  /// The errors of a stream whose values a partition without `time` divides.
  private func problemsInPartition(_ stream: ExampleStream, _ fields: Value) throws -> [String] {
    let inputs = #"{"a": {}, "b": {}, "c": {}, "d": {}}"#
    let part = stream.isSource ? #""merge": {"with": [{"source": \#(JSONWriter.compact(fields))}]}"# : nil
    let operators = part.map { "{\($0)}" } ?? JSONWriter.compact(fields)
    let model = try StreamModel(
      parsing: """
        {"inputs": \(inputs), "source": {"input": {"name": "a"}}, "partition": {"key": "1"}, "operators": [\(operators)]}
        """)
    do throws(Diagnostics) {
      _ = try model.compile(stream.options)
      return []
    } catch {
      return error.all.map { "\($0.code.rawValue) \($0.message)" }
    }
  }

  @Test("A default that is written out means the same, or its rule refuses it", arguments: omissions)
  func meansTheSame(_ omission: Omission) throws {
    let (given, stream) = (try omission.given(), omission.stream)
    let plain = try StreamModel(json: stream.stream())
    guard let standard = omission.spec.standardValue(of: omission.field, among: given) else {
      guard case .value(let value)? = omission.field.defaultValue else { return }
      #expect(throws: Diagnostics.self) { try StreamModel(json: stream.stream(omission.written(value, among: given))) }
      return
    }
    let written = omission.written(standard, among: given)
    let same = try StreamModel(json: stream.stream(written))
    #expect(same.behaviorID == plain.behaviorID)
    let (before, after) = (
      try problemsInPartition(stream, stream.fields()), try problemsInPartition(stream, written)
    )
    #expect(before == after)
  }

  @Test("An operator that a partition without times accepts does not depend on times", arguments: ExampleStream.running)
  func waits(_ stream: ExampleStream) throws {
    let problems = try problemsInPartition(stream, stream.fields())
    guard !stream.isSource, problems.isEmpty else { return }
    func values(timesApart factor: Int64) throws -> [ExecutionEvent] {
      var recorder = HistoryRecorder(Execution(try stream.pipeline()))
      recorder.run(
        try stream.inputs().map { history in
          History(
            history.events.map { History.Event(StreamTime(nanoseconds: $0.time.nanoseconds * factor), $0.event) })
        }, betweenSteps: { $0 })
      return recorder.history.events.map(\.event)
    }
    let (near, far) = (try values(timesApart: 1), try values(timesApart: 1_000))
    #expect(near == far)
  }

  @Test(
    "An operator that does not wait runs in a partition without times",
    arguments: [
      #"{"window": {"count": 2, "operators": []}}"#, #"{"window": {"expression": "value > 1", "operators": []}}"#,
      #"{"window": {"stream": "a", "operators": []}}"#, #"{"collectUntil": {"expression": "value > 1"}}"#,
      #"{"collectUntil": {"stream": "a"}}"#, #"{"throttle": {"stream": "a"}}"#, #"{"audit": {"stream": "a"}}"#,
      #"{"delayWhen": {"stream": "a"}}"#, #"{"groupBy": {"key": "value", "operators": []}}"#, #"{"retry": {}}"#,
      #"{"distinct": {"key": "value"}}"#,
      #"{"prepend": {"with": [{"source": {"generate": {"initialValue": 1, "next": "value + 1"}}}]}}"#,
      #"{"prepend": {"with": [{"source": {"generate": {"initialValue": 1, "next": "value + 1", "seconds": 0}}}]}}"#,
    ])
  func runs(_ json: String) throws {
    let model = try StreamModel(
      parsing: #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "value"}, "operators": [\#(json)]}
        """#)
    _ = try model.compile()
  }
}
