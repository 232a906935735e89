import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// A test reads its input as `run` does: values are converted to the declared type, read when the stream wants them, and
/// ordered by event time.
@Suite struct FedValueTests {
  private func file(_ type: String, _ feed: String, _ expect: String = #"{"values": []}"#) -> String {
    #"""
    {"inputs": {"a": {"type": \#(type)}}, "source": {"input": {"name": "a"}},
     "tests": [{"name": "t", "inputs": {"a": \#(feed)}, "expect": \#(expect)}]}
    """#
  }

  /// A type, a value that it refuses, and the place in the value.
  static let refused: [(type: String, value: String, place: String)] = [
    (#""int""#, #""x""#, ""), (#""int""#, "1.5", ""), (#""bool""#, "1", ""), (#""uint""#, "-1", ""),
    (#""timestamp""#, #""soon""#, ""), (#""duration""#, "5", ""), (#"["int"]"#, #"[1, "x"]"#, "/1"),
    (#"{"a": "int", "b": "string"}"#, #"{"a": 1}"#, ""), (#"{"a": {"b": "int"}}"#, #"{"a": {"b": null}}"#, "/a/b"),
  ]

  @Test("A value that the declared type refuses is refused at its place, in each form", arguments: refused)
  func refuses(_ type: String, _ value: String, _ place: String) {
    for (feed, path) in [
      (#"{"values": [\#(value)]}"#, "values/0"), (#"{"events": [{"at": 0, "value": \#(value)}]}"#, "events/0/value"),
      (#"{"marbles": "a|", "values": {"a": \#(value)}}"#, "values/a"),
    ] {
      for check in [{ _ = try $0.run() }, { try $0.validate() }] as [(TestRunner) throws -> Void] {
        let found = #expect(throws: Diagnostics.self) { try check(TestRunner(stream(file(type, feed)))) }
        #expect(
          found?.all.map { "\($0.code.rawValue) \($0.pointer)" } == ["S304 /tests/0/inputs/a/\(path)\(place)"],
          "\(feed)")
        #expect(found?.all.first?.location != nil)
      }
    }
  }

  @Test("All errors of all tests are found at once, and validating the file finds them, too")
  func all() throws {
    let broken = try stream(
      #"""
      {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
       "tests": [{"name": "1", "inputs": {"a": {"values": [1, "x", "y"]}, "b": {"values": []}}, "expect": {"values": []}},
                 {"name": "2", "inputs": {"a": {"marbles": "x|"}}, "expect": {"values": []}},
                 {"name": "3", "calls": {"f.g": {"expression": "1 +"}}, "expect": {"values": []}}]}
      """#)
    let places = [
      "S304 /tests/0/inputs/a/values/1", "S304 /tests/0/inputs/a/values/2", "S116 /tests/0/inputs/b",
      "S304 /tests/1/inputs/a/marbles", "S201 /tests/2/calls/f.g/expression",
    ]
    let found = #expect(throws: Diagnostics.self) { try broken.validate() }
    #expect(found?.all.map { "\($0.code.rawValue) \($0.pointer)" } == places)
    #expect(throws: Diagnostics.self) { try TestRunner(broken).run() }
  }

  @Test("Values are converted to the declared type, as those of a line are")
  func converts() throws {
    for (type, value, expression, result) in [
      (#""timestamp""#, #""2024-01-01T00:00:00Z""#, "value.getFullYear()", "2024"),
      (#""double""#, "1", "string(value)", #""1""#), (#""duration""#, #""90s""#, "value.getMinutes()", "1"),
      (#""uint""#, "7", "type(value) == uint", "true"),
    ] {
      let outcome = try TestRunner(
        stream(
          #"""
          {"inputs": {"a": {"type": \#(type)}}, "source": {"input": {"name": "a"}},
           "operators": [{"map": {"expression": "\#(expression)"}}],
           "tests": [{"name": "t", "inputs": {"a": {"values": [\#(value)]}}, "expect": {"values": [\#(result)]}}]}
          """#)
      ).run()
      #expect(outcome.map(\.differences) == [[]])
    }
  }

  @Test("Values without times are read when the stream wants them: none is dropped, none waits in a queue")
  func pace() throws {
    let outcome = try TestRunner(
      stream(
        #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
         "operators": [{"flatMap": {"maxPublishers": 1, "limit": 1,
           "stream": {"stream": [{"value": 1}], "operators": [{"delay": {"seconds": 1}}]}}}, {"count": {}}],
         "tests": [{"name": "t", "inputs": {"a": {"values": [1, 2, 3, 4, 5, 6]}}, "expect": {"values": [6]}}]}
        """#)
    ).run()
    #expect(outcome.map(\.differences) == [[]])
  }

  @Test("Several inputs without times are read in turn")
  func turns() throws {
    let outcome = try TestRunner(
      stream(
        #"""
        {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["b"]}}],
         "tests": [{"name": "t", "inputs": {"a": {"values": [1, 2, 3]}, "b": {"values": [10, 20]}},
                    "expect": {"values": [1, 10, 2, 20, 3]}}]}
        """#)
    ).run()
    #expect(outcome.map(\.differences) == [[]])
  }

  // MARK: Event time

  private func partition(_ fields: String, _ feed: String, _ expect: String) throws -> [String] {
    try TestRunner(
      stream(
        #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
         "partition": {"key": "value.k", "time": "value.t"\#(fields)},
         "operators": [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}],
         "tests": [{"name": "t", "inputs": {"a": \#(feed)}, "expect": \#(expect)}]}
        """#)
    ).run()[0].differences
  }

  private static let records = [(1000, 1), (9000, 2), (2000, 4), (8000, 8)].map {
    #"{"k": 1, "t": \#($0.0), "v": \#($0.1)}"#
  }

  @Test("Lateness and late values act in a test")
  func lateness() throws {
    let values = "{\"values\": [\(Self.records.joined(separator: ", "))]}"
    #expect(try partition(#", "lateness": 2, "late": "drop""#, values, #"{"values": [1, 9, 11]}"#) == [])
    #expect(try partition(#", "lateness": 2, "late": "output""#, values, #"{"values": [1, 9, 11]}"#) == [])
    #expect(try partition(#", "lateness": 10"#, values, #"{"values": [1, 5, 13, 15]}"#) == [])
    #expect(try partition("", values, #"{"values": [1, 3, 7, 15]}"#) == [])
    let times = #"[{"at": 0, "value": 1}, {"at": 7, "value": 9}, {"at": 8, "value": 11}, {"at": 8, "finished": true}]"#
    #expect(try partition(#", "lateness": 2, "late": "drop""#, values, #"{"events": \#(times)}"#) == [])
  }

  @Test("The events of an input arrive in the order of their times, and happen when the partition says")
  func events() throws {
    let events = Self.records.enumerated().map { #"{"at": \#($0.offset), "value": \#($0.element)}"# }
    let feed = #"{"events": [\#(events.joined(separator: ", ")), {"at": 4, "finished": true}]}"#
    #expect(try partition(#", "lateness": 2, "late": "drop""#, feed, #"{"values": [1, 9, 11]}"#) == [])
    let open = #"{"events": [\#(events.joined(separator: ", "))]}"#
    let lines = try partition(#", "lateness": 2, "late": "drop""#, open, #"{"values": [1, 9, 11], "finished": false}"#)
    #expect(lines.contains("2 of the values wait for 'lateness': the input 'a' is not finished"))
    #expect(lines.contains("1 value arrived more than 2 s late, and was dropped"))
  }

  @Test("The calendar of a test is that of its data")
  func calendar() throws {
    let outcome = try TestRunner(
      stream(
        #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "1", "time": "value.t"},
         "operators": [{"map": {"expression": "string(now())"}}],
         "tests": [{"name": "t", "inputs": {"a": {"values": [{"t": 1700000000000}, {"t": 1700000001000}]}},
                    "expect": {"values": ["2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z"]}}]}
        """#)
    ).run()
    #expect(outcome.map(\.differences) == [[]])
  }

  @Test("A value without a valid time is refused at its place")
  func invalidTime() throws {
    for (value, place) in [(#"{"k": 1, "t": "soon", "v": 1}"#, 0), (#"{"k": 1, "v": 1}"#, 0)] {
      let found = #expect(throws: Diagnostics.self) {
        try partition("", #"{"values": [\#(value)]}"#, #"{"values": []}"#)
      }
      #expect(found?.all.map { "\($0.code.rawValue) \($0.pointer)" } == ["S305 /tests/0/inputs/a/values/\(place)"])
    }
  }
}
