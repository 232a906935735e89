import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// Which fields of an input's records a stream may look at, and that the others make no difference.
@Suite struct InputReadingTests {
  private func fields(_ operators: String, rest: String = "", inputs: String = #""i": {}"#) throws -> Set<String>? {
    let json = """
      {"inputs": {\(inputs)}, \(rest) "source": {"input": {"name": "i"}}, "operators": [\(operators)]}
      """
    return try stream(json).compile().fieldsRead(of: 0)
  }

  @Test(
    "those that expressions name",
    arguments: [
      (#"{"filter": {"expression": "value.z > 1"}}, {"map": {"expression": "{'d': value.d}"}}"#, ["z", "d"]),
      (#"{"filter": {"expression": "has(value.z)"}}"#, ["z"]),
      (#"{"map": {"expression": "value.a.b"}}, {"delay": {"seconds": 1}}"#, ["a"]),
      (#"{"scan": {"initialValue": 0, "expression": "acc + value.n"}}"#, ["n"]),
      (#"{"count": {}}"#, []),
    ])
  func some(_ operators: String, _ expected: [String]) throws {
    #expect(try fields(operators) == Set(expected))
  }

  @Test(
    "everything, where a value is kept, compared, or heard by others",
    arguments: [
      "", #"{"delay": {"seconds": 1}}"#, #"{"removeDuplicates": {}}"#, #"{"map": {"expression": "value"}}"#,
      #"{"filter": {"expression": "value == 1"}}"#,
      #"{"filter": {"expression": "value.a > 1"}}, {"delay": {"seconds": 1}}"#,
      #"{"filter": {"expression": "value.a > 1"}}, {"last": {}}"#,
      #"{"print": {}}, {"map": {"expression": "value.a"}}"#,
      #"{"map": {"expression": "value.a"}}, {"combineLatest": {"with": ["i"]}}"#,
      #"{"filter": {"expression": "value.a > 1"}}, {"toResult": {}}"#,
    ])
  func all(_ operators: String) throws {
    #expect(try fields(operators) == nil)
  }

  @Test("everything of an input that has a current value, and of one that is heard twice")
  func otherInputs() throws {
    let map = #"{"map": {"expression": "value.a"}}"#
    #expect(try fields(map, inputs: #""i": {"initialValue": {"a": 1}}"#) == nil)
    let twice = """
      {"inputs": {"i": {}}, "streams": {"s": {"source": {"input": {"name": "i"}}, "operators": [\(map)]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"merge": {"with": ["s"]}}]}
      """
    #expect(try stream(twice).compile().fieldsRead(of: 0) == nil)
    #expect(try stream(twice).compile().fieldsRead(of: 7) == nil)
  }

  /// A record of which only `n` is known, and what the stream says of it.
  private func hand(_ execution: Execution, _ number: Int64) -> ExecutionEvent? {
    let part = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    part.initialize(to: ["n": .int(number), "other": .null])
    defer {
      part.deinitialize(count: 1)
      part.deallocate()
    }
    var event: ExecutionEvent?
    let whole: Value = ["n": .int(number), "other": "whole"]
    guard execution.hand(part: part, to: 0, at: .zero, &event, whole: { whole }) != .declined else {
      return execution.next(sending: whole, to: 0, at: .zero)
    }
    return event ?? execution.next()
  }

  @Test("A failure tells the whole value, whether or not it is the end")
  func failures() throws {
    for policy in ["skip", "fail"] {
      let json = """
        {"inputs": {"i": {}}, "source": {"input": {"name": "i"}}, "operators": [
          {"filter": {"expression": "value.n != 5"}}, {"onError": "\(policy)", "map": {"expression": "10 / value.n"}}]}
        """
      let execution = Execution(try stream(json).compile())
      execution.request(.unlimited)
      #expect(execution.next() == nil)
      #expect(hand(execution, 2) == .value(5))
      #expect(hand(execution, 5) == nil)
      let event = hand(execution, 0)
      switch event {
      case .skipped(let failure)?, .failure(let failure)?: #expect(failure.value == ["n": 0, "other": "whole"])
      default: Issue.record("no failure: \(String(describing: event))")
      }
      #expect(hand(execution, 1) == (policy == "skip" ? .value(10) : nil))
    }
  }
}
