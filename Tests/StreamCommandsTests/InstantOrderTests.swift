import TestSupport
import Testing

/// Compares the output of the built command with what RxJS, Reactor and RxJava publish when several things happen at one
/// instant: subscriptions in order, values before timers, an index that counts each value.
@Suite struct InstantOrderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var input = ""
    var arguments: [String] = []
    var output: [String]
    /// The code of the failure; nil if the stream finishes.
    var failure: String?

    var testDescription: String { name }
  }

  private static func items(_ values: String, _ operators: String) -> String {
    #"{"source": {"sequence": {"values": [\#(values)]}}, "operators": [\#(operators)]}"#
  }

  private static func input(_ operators: String) -> String {
    #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(operators)]}"#
  }

  private static let failing = #"{"source": {"fail": {"error": 7}}}"#

  private static let cases: [Case] = [
    Case(
      name: "values of one instant come before its timers", file: input(#"{"throttle": {"seconds": 0.05}}"#),
      input: "1\n2\n", arguments: ["--virtual", "--timestamps"], output: [#"{"at":0,"value":2}"#]),
    Case(
      name: "records of one instant come before its timers", file: input(#"{"throttle": {"seconds": 0.05}}"#),
      input: "0\n0\n1\n", arguments: ["--event-time", "value"], output: ["0", "1"]),
    Case(
      name: "a recording at the start comes after the values of the start",
      file: input(#"{"merge": {"with": [{"source": {"record": {"events": [{"at": 0, "value": "r"}]}}}]}}"#),
      input: "1\n2\n", arguments: ["--virtual"], output: ["1", "2", #""r""#]),
    Case(
      name: "a cold stream is published before the next one fails",
      file: items("1, 2", #"{"merge": {"with": [\#(failing)]}}"#), output: ["1", "2"], failure: "7"),
    Case(
      name: "of the first streams, none starts before the one in front of it",
      file: items(
        "true", #"{"merge": {"with": [{"stream": [{"value": 1}]}, {"stream": [{"value": 2}]}], "maxPublishers": 2}}"#),
      output: ["true", "1", "2"]),
    Case(
      name: "the same behind another operator",
      file: items("1, 2", #"{"merge": {"with": [\#(failing)]}}, {"map": {"expression": "value * 2"}}"#),
      output: ["2", "4"], failure: "7"),
    Case(
      name: "a cold stream of join runs to its end before the other one, also behind share",
      file: items(
        "1",
        #"""
        {"join": {"with": [\#(failing)], "left": {"source": {"just": {"value": 1}}}, "right": {"source": {"never": {}}}}},
        {"share": {}}
        """#), output: []),
    Case(
      name: "a cold upstream comes before the signals of window",
      file: items(
        #""a", "b""#,
        #"{"window": {"stream": {"source": {"just": {"value": 1}}}, "operators": [{"collect": {}}]}}"#),
      output: [#"["a","b"]"#]),
    Case(
      name: "a value that a timer asks for is not in the list that ended before",
      file: input(#"{"delaySubscription": {"seconds": 0.05}}, {"collectTime": {"seconds": 0.05, "startEvery": 0.05}}"#),
      input: "true\n", arguments: ["--virtual"], output: ["[true]"]),
    Case(
      name: "a cold upstream comes before the signals of collectUntil",
      file: items("true", #"{"collectUntil": {"stream": \#(failing)}}"#), output: ["[true]"]),
    Case(
      name: "no window follows the last match",
      file: items(#""a""#, #"{"window": {"expression": "true", "operators": [{"count": {}}]}}"#), output: ["1"]),
    Case(
      name: "of streams that publish or end at once, the first wins, also behind a late subscription",
      file: items(
        "1",
        #"""
        {"race": {"with": [{"source": {"empty": {}}}]}},
        {"delaySubscription": {"stream": {"source": {"just": {"value": true}}}}}
        """#), output: ["1"]),
    Case(
      name: "a window's signal is subscribed to before upstream",
      file: #"""
        {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}}},
         "source": {"input": {"name": "a"}},
         "operators": [{"window": {"stream": "s", "each": true, "operators": [{"withLatestFrom": {"with": ["s"]}}]}}]}
        """#, input: "0\n", output: []),
    Case(
      name: "a group that subscribes late for another reason than demand misses values",
      file: items(
        "7",
        #"""
        {"groupBy": {"key": "1", "operators": [
          {"delaySubscription": {"stream": {"source": {"record": {"events": [{"at": 0.02, "finished": true}]}}}}},
          {"groupBy": {"key": "2", "operators": [{"map": {"expression": "key"}}]}}]}}
        """#), arguments: ["--virtual"], output: []),
    Case(
      name: "windows that end at once are as many as downstream takes",
      file: input(
        #"""
        {"window": {"stream": {"source": {"just": {"value": 1}}}, "each": true, "operators": [{"count": {}}]}},
        {"prefix": {"count": 2}}
        """#), input: "1\n", output: ["0", "0"]),
    Case(
      name: "an empty stream has no window up to a match",
      file: items("", #"{"window": {"expression": "true", "operators": [{"count": {}}]}}"#), output: []),
    Case(
      name: "map counts a value that it skips",
      file: items("0, 1, 2", #"{"map": {"expression": "1 / index"}, "onError": "skip"}"#), output: ["1", "0"]),
    Case(
      name: "findIndex counts a value that it skips",
      file: items("0, 1, 2", #"{"findIndex": {"expression": "2 / value == 2"}, "onError": "skip"}"#), output: ["1"]),
    Case(
      name: "removeDuplicates remembers a value that it skips",
      file: items("1, 0, 3, 4, 4", #"{"removeDuplicates": {"by": "12 / value == 12 / previous"}, "onError": "skip"}"#),
      output: ["1", "4"]),
    Case(
      name: "max counts a value that it skips",
      file: items("10, 20, 30", #"{"max": {"by": "6 / index"}, "onError": "skip"}"#), output: ["20"]),
    Case(
      name: "average counts a value that it skips, in its index alone",
      file: items("10, 20, 40", #"{"average": {"expression": "value / index"}, "onError": "skip"}"#),
      output: ["20.0"]),
    Case(
      name: "groupBy counts a value that it skips",
      file: items(
        "1, 2, 3",
        #"{"groupBy": {"key": "6 / index", "operators": [{"map": {"expression": "[key, value]"}}]}, "onError": "skip"}"#
      ),
      output: ["[6,2]", "[3,3]"]),
    Case(
      name: "join publishes no pair for a window that fails at once",
      file: #"""
        {"stream": [{"value": 1}], "operators": [{"join": {"with": [{"source": {"just": {"value": 2}}}],
          "left": {"source": {"never": {}}}, "right": \#(failing)}}]}
        """#, output: [], failure: "7"),
    Case(
      name: "an interval of sample was set before the timers that it meets",
      file: #"""
        {"source": {"record": {"events": [{"at": 0.1, "value": 0.5}, {"at": 0.108, "finished": true}]}},
         "operators": [{"delay": {"seconds": 0}}, {"sample": {"seconds": 0.05}}]}
        """#, arguments: ["--virtual"], output: []),
    Case(
      name: "an input that a timer asks for comes before the other timers of the instant",
      file: input(
        #"""
        {"prepend": {"with": [{"source": {"record": {"events": [
          {"at": 0.014, "value": 0}, {"at": 0.014, "finished": true}]}}}]}}, {"throttle": {"seconds": 0.0035}}
        """#), input: "1\n2\n", arguments: ["--virtual", "--timestamps"], output: [#"{"at":0.014,"value":2}"#]),
    Case(
      name: "a timer that was set before the end of a list is before it",
      file: #"""
        {"source": {"marbles": {"diagram": " 12ms a-----|"}},
         "operators": [{"collectTime": {"seconds": 0.0015, "startEvery": 0.0015}}]}
        """#, arguments: ["--virtual"], output: [#"["a"]"#]),
    Case(
      name: "without a time, time stands still in a partition",
      file: #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "value.k"},
         "operators": [{"map": {"expression": "now()"}}]}
        """#, input: #"{"k":1}"# + "\n" + #"{"k":1}"# + "\n",
      output: [#""1970-01-01T00:00:00Z""#, #""1970-01-01T00:00:00Z""#]),
  ]

  @Test("Events of one instant come in the order of Combine, RxJS and Reactor", arguments: cases)
  func isOrdered(_ example: Case) {
    let folder = Fixture.Folder()
    folder.add("s.json", example.file)
    let result = Subprocess.run(
      ["s.json"] + example.arguments, input: example.input, in: folder.path)
    #expect(result.output.split(separator: "\n").map(String.init) == example.output, "\(result.errors)")
    if let failure = example.failure {
      #expect(result.code == 1)
      #expect(result.errors.contains(failure), "\(result.errors)")
    } else {
      #expect(result.code == 0, "\(result.errors)")
    }
  }
}
