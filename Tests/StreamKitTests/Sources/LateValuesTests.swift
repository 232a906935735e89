import StreamCore
import StreamEngine
import StreamKit
import StreamTools
import Testing

/// Streams of the values of an input that arrive too late.
@Suite struct LateValuesTests {
  private static let clock = #""time": {"expression": "value.t", "unit": "s", "lateness": 2, "late": "output"}"#

  private func file(_ members: String, _ clock: String = Self.clock) throws -> StreamFile {
    let text = #"{"inputs": {"a": {\#(clock)}}, \#(members)}"#
    return try StreamFile(
      try JSONDocument(reading: Array(text.utf8), file: "stream.json"), identity: "stream.json")
  }

  private func problems(_ members: String, _ clock: String = Self.clock) -> [String] {
    do throws(Diagnostics) {
      let text = #"{"inputs": {"a": {\#(clock)}}, \#(members)}"#
      let document = try JSONDocument(reading: Array(text.utf8), file: "s.json")
      _ = try StreamFile(document, identity: "s.json").compile()
      return []
    } catch {
      return error.all.map { "\($0.code.rawValue) \($0.pointer.description): \($0.message)" }
    }
  }

  private static let late = #""source": {"input": {"name": "a", "late": true}}"#

  @Test(
    "An input whose late values are not kept apart has no stream of them",
    arguments: [
      ("", "S111 /source/input/late: no value of the input 'a' is late: it has no 'time'"),
      (
        #""time": {"expression": "value.t"}"#,
        "S111 /source/input/late: late values of the input 'a' are not kept apart from the others"
      ),
      (
        #""time": {"expression": "value.t", "late": "drop"}"#,
        "S111 /source/input/late: late values of the input 'a' are not kept apart from the others"
      ),
    ])
  func refusals(_ clock: String, _ problem: String) { #expect(problems(Self.late, clock) == [problem]) }

  @Test("An unknown input has no late values")
  func unknownInput() {
    let problems = problems(#""source": {"input": {"name": "b", "late": true}}"#)
    #expect(problems == ["S301 /source/input/name: there is no input 'b'"])
  }

  @Test(
    "A partition has no streams of late values",
    arguments: [
      (#"\#(late), "partition": {"key": "value.k"}"#, "/source/input/late"),
      (
        #""source": {"input": {"name": "a"}}, "partition": {"key": "value.k"}, "operators": [{"merge": {"with": [{\#(late)}]}}]"#,
        "/operators/0/merge/with/0/source/input/late"
      ),
    ])
  func partitions(_ members: String, _ place: String) {
    let problems = problems(members)
    #expect(problems.contains { $0.hasPrefix("S123 \(place): ") }, "\(problems)")
  }

  @Test("The stream is an input of its own, which hosts need not feed")
  func pipeline() throws {
    let pipeline = try file(Self.late).compile()
    #expect(pipeline.inputs.map(\.name) == ["a", "a (late)"])
    #expect(pipeline.inputs.map(\.lateOf) == [nil, "a"])
    #expect(pipeline.lateInput(of: 0) == 1)
    #expect(try file(#""source": {"input": {"name": "a"}}"#).compile().lateInput(of: 0) == nil)
  }

  @Test("The stream ends and fails with its input", arguments: [nil, StreamFailure("E", "broken")])
  func ends(_ failure: StreamFailure?) throws {
    let execution = Execution(try file(Self.late).compile())
    execution.request(.unlimited)
    #expect(execution.next() == nil)
    execution.send(["t": 1], to: 1, at: .zero)
    if let failure { execution.fail(0, failure, at: .zero) } else { execution.finish(0, at: .zero) }
    #expect(execution.next() == .value(["t": 1]))
    let end = execution.next()
    #expect(end == failure.map { .failure($0) } ?? .finished)
  }

  @Test("An input that nothing subscribes to is read for its late values, and one that is to wait is not")
  func demand() throws {
    let alone = Execution(try file(Self.late).compile())
    alone.request(.unlimited)
    _ = alone.next()
    #expect(alone.wants(0))
    let slow = Execution(
      try file(
        #"""
        "source": {"input": {"name": "a"}}, "operators": [
          {"flatMap": {"stream": {"source": {"never": {}}}, "maxPublishers": 1, "limit": 1}},
          {"merge": {"with": [{\#(Self.late)}]}}]
        """#
      ).compile())
    slow.request(.unlimited)
    _ = slow.next()
    while slow.wants(0) {
      slow.send(["t": 1], to: 0, at: .zero)
      _ = slow.next()
    }
    #expect(slow.wants(1))
  }

  private static let merged = #"""
    "source": {"input": {"name": "a"}}, "operators": [
      {"map": {"expression": "value.n"}},
      {"merge": {"with": [{"source": {"input": {"name": "a", "late": true}},
        "operators": [{"map": {"expression": "[value.n, now()]"}}]}]}}]
    """#

  @Test("A test feeds the stream in the order of arrival, among values of the same time too")
  func tests() throws {
    // The watermark is 8 when `c` arrives; `d` is on time, at that very instant.
    let values =
      #"[{"t": 7, "n": "a"}, {"t": 10, "n": "b"}, {"t": 3, "n": "c"}, {"t": 8, "n": "d"}, {"t": 7, "n": "e"}]"#
    let expected = #"["a", ["c", "1970-01-01T00:00:08Z"], "d", ["e", "1970-01-01T00:00:08Z"], "b"]"#
    let stream = try file(
      Self.merged
        + #", "tests": [{"name": "t", "inputs": {"a": {"values": \#(values)}}, "expect": {"values": \#(expected)}}]"#)
    let outcomes = try TestRunner(stream).run()
    #expect(outcomes.map(\.differences) == [[]])
    let picture = try PictureRun(stream).picture(of: stream.model.tests[0])
    #expect(picture.lanes.map(\.title) == ["a", "a (late)", "output"])
    #expect(picture.lanes[1].events.count == 3)
  }

  @Test("The late values of an input that another file feeds are none")
  func bound() throws {
    struct Loader: StreamLoader {
      func load(_ path: String, relativeTo file: String?) throws(Diagnostics) -> StreamFile {
        let text = #"{"inputs": {"a": {\#(LateValuesTests.clock)}}, \#(LateValuesTests.late)}"#
        return try StreamFile(try JSONDocument(reading: Array(text.utf8), file: path), identity: path)
      }
    }
    let text = #"{"inputs": {"b": {}}, "source": {"stream": {"file": "x.json", "inputs": {"a": "b"}}}}"#
    let stream = try StreamFile(try JSONDocument(reading: Array(text.utf8), file: "s.json"), identity: "s.json")
    let execution = Execution(try stream.compile(CompileOptions(loader: Loader())))
    execution.request(.unlimited)
    #expect(execution.next() == .finished)
    #expect(execution.pipeline.inputs.map(\.name) == ["b"])
  }
}
