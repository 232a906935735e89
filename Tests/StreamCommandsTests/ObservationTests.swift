import Foundation
import StreamCore
import TestSupport
import Testing

/// The observation of a run: taps, metrics, `streamrun top` and messages as JSON.
@Suite struct ObservationTests {
  static let totals = """
    {
      "inputs": { "n": {} },
      "source": { "input": { "name": "n" } },
      "operators": [
        { "filter": { "expression": "value.n % 2 == 0" }, "id": "even" },
        { "groupBy": { "key": "value.k", "operators": [ { "scan": { "initialValue": 0, "expression": "acc + value.n" }, "id": "sum" } ] } },
        { "map": { "expression": "{'total': value}" }, "id": "total" }
      ]
    }
    """
  static let lines = """
    {"k":"a","n":1}
    {"k":"a","n":2}
    {"k":"b","n":4}
    {"k":"a","n":6}

    """

  /// The commit that `--version` prints; empty if it prints none.
  private static let commit = {
    let version = Subprocess.run(["--version"]).output
    guard let start = version.firstIndex(of: "("), let end = version.firstIndex(of: ",") else { return "" }
    return String(version[version.index(after: start)..<end])
  }()

  private func folder(_ stream: String = totals) -> Fixture.Folder {
    let folder = Fixture.Folder()
    folder.add("s.json", stream)
    folder.add("in.ndjson", Self.lines)
    return folder
  }

  private func run(_ arguments: String..., in folder: Fixture.Folder) -> Outcome {
    Subprocess.run(["s.json"] + arguments, input: Self.lines, in: folder.path)
  }

  // MARK: Taps

  @Test("A tap prints the values of an operator, and changes no result")
  func tap() {
    let folder = folder()
    let plain = run("--virtual", in: folder)
    let outcome = run("--virtual", "--tap", "even,/operators/2", in: folder)
    #expect(outcome.output == plain.output)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == """
        {"id":"even","at":0,"value":{"k":"a","n":2}}
        {"id":"total","at":0,"value":{"total":2}}
        {"id":"even","at":0,"value":{"k":"b","n":4}}
        {"id":"total","at":0,"value":{"total":4}}
        {"id":"even","at":0,"value":{"k":"a","n":6}}
        {"id":"total","at":0,"value":{"total":8}}
        {"id":"even","at":0,"finished":true}
        {"id":"total","at":0,"finished":true}

        """)
  }

  @Test("A tap in a group says its key, and a file is appended to")
  func tapToFile() {
    let folder = folder()
    folder.add("seen.ndjson", "{}")
    let outcome = run("--virtual", "--tap", "sum", "--tap-to", "seen.ndjson", in: folder)
    #expect(outcome.errors == "")
    let seen = Fixture.read(folder.path("seen.ndjson"))
    #expect(
      seen.hasPrefix(
        """
        {}
        {"id":"sum","at":0,"in":["a"],"value":2}
        {"id":"sum","at":0,"in":["b"],"value":4}
        {"id":"sum","at":0,"in":["a"],"value":8}

        """))
  }

  @Test("The event time is printed if there is one")
  func eventTime() {
    let folder = folder()
    let outcome = run("--event-time", "value.n", "--tap", "even", "--limit", "1", in: folder)
    #expect(
      outcome.errors == #"{"id":"even","at":0.001,"time":"1970-01-01T00:00:00.002Z","value":{"k":"a","n":2}}"# + "\n")
  }

  @Test("A tap of an operator that does not exist is refused")
  func unknownTap() {
    let outcome = run("--tap", "evn", in: folder())
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == """
        error S501: --tap: the stream has no operator 'evn'
            = note: the operators are even, /operators/0, sum, /operators/1/groupBy/operators/0, /operators/1, total, /operators/2
            = help: did you mean 'even'?

        """)
  }

  @Test("A file that is an input cannot be tapped to")
  func tapToInput() {
    let outcome = run("--input", "n=in.ndjson", "--tap", "*", "--tap-to", "in.ndjson", in: folder())
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("in.ndjson"))
  }

  // MARK: Metrics

  @Test("The metrics at the end have all figures")
  func metrics() {
    let folder = folder()
    let outcome = run("--virtual", "--metrics", "run.prom", in: folder)
    #expect(outcome.code == 0)
    let text = Fixture.read(folder.path("run.prom"))
    for line in [
      "# TYPE streamrun_values_in_total counter", "streamrun_values_in_total{input=\"n\"} 4",
      "streamrun_values_out_total{output=\"stdout\"} 3", "streamrun_values_skipped_total 0",
      "streamrun_build_info{commit=\"\(Self.commit)\",stream=\"s.json\",version=\"0.1.0\"} 1",
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
  }

  @Test("A path of metrics that leads nowhere is refused")
  func unwritableMetrics() {
    let outcome = run("--virtual", "--metrics", "no/run.prom", in: folder())
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("no/run.prom"))
  }

  // MARK: Messages

  @Test("Messages are JSON objects if that is asked for")
  func log() throws {
    let folder = folder()
    let outcome = Subprocess.run(
      ["s.json", "--skip-errors", "--log", "json"], input: Self.lines + "{x\n{\"n\":1}\n", in: folder.path)
    #expect(outcome.code == 0)
    let messages = outcome.errors.split(separator: "\n")
    #expect(messages.count == 2)
    for (message, level) in zip(messages, ["warning", "note"]) {
      let value = try JSONDocument(reading: Array(message.utf8), file: "log").value
      #expect(value["level"] == .string(level))
      #expect(value["time"] != nil)
      for name in ["code", "message", "place", "help"] { #expect(value[name] != nil) }
    }
    #expect(messages[0].contains(#""code":"S001""#))
    #expect(messages[0].contains(#""place":"<stdin>:5:2""#))
  }

  @Test("Errors in the arguments are JSON objects, too")
  func logOfArguments() {
    let folder = folder()
    let outcome = Subprocess.run(["s.json", "--log", "json", "--nonsense"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("{\"time\":"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  // MARK: top

  @Test("'top' shows the run whose socket is in the directory")
  func top() throws {
    let folder = folder()
    let printed = Subprocess.shell(
      """
      mkfifo in; streamrun s.json --socket run < in > out & exec 3>in; cat in.ndjson >&3
      while [ ! -S run/socket ] || [ "$(wc -l < out)" -lt 3 ]; do sleep 0.05; done
      stat -c %a run/socket; streamrun top run --json --interval 0.1; streamrun top run --interval 0.1
      cat in.ndjson >&3; exec 3>&-; wait; test -e run/socket || echo gone; cat out
      """, in: folder.path)
    let lines = printed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first == "600")
    let report = try JSONDocument(reading: Array(lines[1].utf8), file: "report").value
    #expect(report["inputs"]?[0]?["values"] == 4)
    #expect(report["outputs"]?[0]?["values"] == 3)
    #expect(report["operators"]?[0]?["id"] == "even")
    // Counted since the first request.
    #expect(report["operators"]?[0]?["values"] == 0)
    #expect(printed.contains("INPUT  VALUES  PER SECOND  BEHIND\n"))
    #expect(printed.contains("\neven (filter)  "))
    #expect(
      printed.hasSuffix(
        """
        gone
        {"total":2}
        {"total":4}
        {"total":8}
        {"total":10}
        {"total":8}
        {"total":16}

        """))
  }

  @Test("'top' counts the values of the operators in groups, in all groups together")
  func topOfGroups() throws {
    let folder = folder()
    let printed = Subprocess.shell(
      """
      mkfifo in; streamrun s.json --socket run < in > out & exec 3>in; cat in.ndjson >&3
      while [ ! -S run/socket ] || [ "$(wc -l < out)" -lt 3 ]; do sleep 0.05; done
      streamrun top run --json --interval 0.5 > report & top=$!
      while kill -0 $top 2> /dev/null; do cat in.ndjson >&3; sleep 0.05; done; exec 3>&-; wait; cat report
      """, in: folder.path)
    let lines = printed.split(separator: "\n").map(String.init)
    let report = try JSONDocument(reading: Array(lines[0].utf8), file: "report").value
    guard case .list(let operators)? = report["operators"] else {
      Issue.record("\(printed)")
      return
    }
    let sum = operators.elements.first { $0["id"] == "sum" }
    // Each time, three values of two groups.
    let values = sum?["values"]?.double ?? 0
    #expect(values > 0 && values.truncatingRemainder(dividingBy: 3) == 0, "\(printed)")
    #expect(sum?["streams"] == 2)
    #expect(sum?["estimated"] == false)
    #expect(operators.elements.filter { $0["name"] == "feed" }.isEmpty)
  }

  @Test("A client can ask for the newest events of operators, and for those that it does not know")
  func recentEvents() {
    let folder = folder()
    folder.add(
      "ask.py",
      """
      import json, os, socket
      feed = os.open("in", os.O_WRONLY)
      line = socket.socket(socket.AF_UNIX)
      line.connect("run/socket")
      stream = line.makefile("rw")
      def ask(**members):
          stream.write(json.dumps(dict(request="status", **members)) + "\\n")
          stream.flush()
          return json.loads(stream.readline())
      def recent(after):
          found = ask(operators=True, values=2, after=after)["status"]["operators"]
          return [dict(event, id=entry["id"]) for entry in found for event in entry["recent"]]
      def until(count, after):
          while True:
              events = [event for event in recent(after) if event["id"] == "sum"]
              if len(events) == count: return events
      assert recent(0) == []
      os.write(feed, open("in.ndjson", "rb").read())
      known = until(2, 0)
      print([(event["value"], event["in"]) for event in known])
      os.write(feed, open("in.ndjson", "rb").read().splitlines(True)[1])
      print([(event["value"], event["in"]) for event in until(1, known[-1]["order"])])
      print(ask(operators=True, values=-1))
      """)
    let printed = Subprocess.shell(
      """
      mkfifo in; streamrun s.json --socket run < in > out & exec 3>in
      while [ ! -S run/socket ]; do sleep 0.05; done
      python3 ask.py; exec 3>&-; wait
      """, in: folder.path)
    #expect(
      printed == """
        [(4, ['b']), (8, ['a'])]
        [(10, ['a'])]
        {'error': "expected in 'values' an integer from 0 to 1000, and in 'after' an integer"}

        """)
  }

  @Test("Without a run, 'top' fails; a socket left behind is replaced, and two runs cannot share one")
  func sockets() {
    let folder = folder()
    let nobody = Subprocess.run(["top", "run"], in: folder.path)
    #expect(nobody.code == 2)
    #expect(nobody.errors.contains("no stream runs with 'run'"))
    let printed = Subprocess.shell(
      """
      mkfifo in; streamrun s.json --socket run < in & first=$!; exec 3>in
      while ! streamrun top run --json --interval 0.01 > /dev/null 2>&1; do sleep 0.05; done
      streamrun s.json --socket run < in.ndjson; echo $?
      kill -9 $(cat /proc/$first/task/$first/children) $first; exec 3>&-; wait 2> /dev/null
      test -S run/socket && echo left; streamrun s.json --socket run < in.ndjson
      """, in: folder.path)
    #expect(printed.contains("another run listens at 'run/socket'"))
    // The shell may report the process that was killed.
    let output = printed.replacing("Killed\n", with: "")
    #expect(output.hasSuffix("2\nleft\n{\"total\":2}\n{\"total\":4}\n{\"total\":8}\n"))
  }

  @Test("A socket whose path is longer than an address works")
  func longPath() {
    let folder = folder()
    let name = String(repeating: "d", count: 150)
    let printed = Subprocess.shell(
      """
      mkfifo in; streamrun s.json --socket \(name) < in & exec 3>in
      while ! streamrun top \(name) --json --interval 0.01 2> /dev/null; do sleep 0.05; done; exec 3>&-; wait
      """, in: folder.path)
    #expect(printed.contains("\"stream\":\"s.json\""))
  }

  @Test(
    "Options that do not fit are refused",
    arguments: [
      ["--tap-to", "x"], ["--metrics-every", "5"], ["--metrics", "m", "--metrics-every", "0"], ["--tap", ","],
      ["--log", "xml"],
    ])
  func refused(_ arguments: [String]) {
    let folder = folder()
    let outcome = Subprocess.run(["s.json"] + arguments, in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("Error: "))
  }
}
