import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// Sources that make their values as they are asked for.
@Suite struct PullSourceTests {
  @Test("Sources without an end give as many values as are taken")
  func endless() throws {
    let repeated = try run(
      #"{"source": {"repeatElement": {"value": 1}}, "operators": [{"prefix": {"count": 5000}}, {"count": {}}]}"#)
    #expect(repeated == ["5000@0", "|@0"])
    let generated = try run(
      #"{"source": {"generate": {"initialValue": 1, "next": "value + 1"}}, "operators": [{"prefix": {"count": 5000}}, {"count": {}}]}"#
    )
    #expect(generated == ["5000@0", "|@0"])
  }

  @Test("What generate makes is made one by one: nothing is evaluated that nobody has asked for")
  func lazy() throws {
    let texts = try run(
      #"{"source": {"generate": {"initialValue": 3, "next": "value - 1", "output": "6 / value"}}, "operators": [{"prefix": {"count": 3}}]}"#
    )
    #expect(texts == ["2@0", "3@0", "6@0", "|@0"])
  }

  @Test("A value of generate that is due and that nobody has asked for waits, and the next comes after it")
  func paced() throws {
    let model = try stream(#"{"source": {"generate": {"initialValue": 0, "next": "value + 1", "seconds": 1}}}"#)
    let execution = Execution(try model.compile())
    execution.request(Demand(1))
    execution.advance(to: StreamTime(seconds: 5))
    #expect(execution.next() == .value(0))
    #expect(execution.next() == nil)
    execution.request(Demand(1))
    #expect(execution.next() == .value(1))
    #expect(execution.next() == nil)
    #expect(execution.nextDeadline == StreamTime(seconds: 6))
  }

  @Test("What generate nests deeper and deeper fails the stream")
  func nesting() throws {
    let texts = try run(
      #"{"source": {"generate": {"initialValue": [], "next": "[value]"}}, "operators": [{"ignoreAll": {}}]}"#
        .replacing(#"{"ignoreAll": {}}"#, with: #"{"filter": {"expression": "false"}}"#))
    #expect(texts == ["#S409@0"])
  }

  @Test("A computed sequence is evaluated once for each subscription, and must give a list")
  func computed() throws {
    let texts = try run(
      #"{"source": {"sequence": {"expression": "dyn([1, null, 'x'])"}}, "operators": [{"append": {"with": [{"source": {"sequence": {"expression": "dyn(1)"}}}]}}]}"#
    )
    #expect(texts == ["1@0", "null@0", "\"x\"@0", "#S408@0"])
  }

  @Test("iif chooses at each subscription")
  func chooses() throws {
    let texts = try run(
      """
      {"source": {"timer": {"every": 0.001, "count": 3}},
       "operators": [{"flatMap": {"stream": {"source": {"iif": {
         "condition": "now() < timestamp('1970-01-01T00:00:00.002Z')",
         "then": {"source": {"just": {"value": "early"}}}, "else": {"source": {"just": {"value": "late"}}}}}}}}]}
      """)
    #expect(texts == ["\"early\"@1", "\"late\"@2", "\"late\"@3", "|@3"])
  }

  @Test("iif tells all that is wrong with it at once, and fails with its condition")
  func wrong() throws {
    let found = problems(#"{"source": {"iif": {"condition": "x", "then": "y", "else": "z"}}}"#)
    #expect(found == ["S109 /source/iif/then", "S109 /source/iif/else", "S202 /source/iif/condition"])
    let texts = try run(
      #"{"source": {"iif": {"condition": "1 / 0 > 1", "then": {"stream": []}}}}"#)
    #expect(texts == ["#S402@0"])
  }
}
