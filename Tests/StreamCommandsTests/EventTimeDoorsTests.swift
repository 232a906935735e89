import TestSupport
import Testing

/// `run`, `test`, `show` and `diff --behavior` read the same records in the same order and at the same times.
@Suite struct EventTimeDoorsTests {
  private static func file(_ fields: String, _ tests: String = "[]") -> String {
    #"""
    { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
      "partition": { "key": "value.k", "time": "value.t"\#(fields) },
      "operators": [ { "scan": { "initialValue": 0, "expression": "acc + value.v" } } ], "tests": \#(tests) }
    """#
  }

  static let fields = [
    "", #", "lateness": 2, "late": "drop""#, #", "lateness": 2, "late": "apply""#, #", "late": "drop""#,
    #", "lateness": 5"#,
  ]

  /// Records out of order.
  private static func records(_ seed: UInt64) -> [String] {
    var generator = SplitMix(seed: seed)
    var now = 0
    return (0..<12).map { number in
      now += Int(generator.next() % 2000)
      let time = max(0, now - Int(generator.next() % 6000))
      return #"{"k":\#(generator.next() % 2),"t":\#(time),"v":\#(1 << number)}"#
    }
  }

  private struct SplitMix {
    var seed: UInt64
    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var z = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test("A test expects what run prints, at the time at which run prints it", arguments: fields)
  func tests(_ fields: String) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let folder = Fixture.Folder()
      let records = Self.records(seed)
      folder.add("s.json", Self.file(fields))
      let run = Subprocess.run(
        ["s.json", "--timestamps"], input: records.map { $0 + "\n" }.joined(), in: folder.path)
      // {"at":3,"time":"…","value":1}
      let lines = run.output.split(separator: "\n").map { $0.split(separator: ",", maxSplits: 2) }
      let events = lines.map { "\($0[0]),\($0[2])" }
      let end = lines.last.map { "\($0[0]),\"finished\":true}" } ?? ""
      folder.add(
        "t.json",
        Self.file(
          fields,
          #"""
          [ { "name": "as run", "inputs": { "a": { "values": [\#(records.joined(separator: ","))] } },
              "expect": { "events": [\#((events + [end]).joined(separator: ","))] } } ]
          """#))
      let test = Subprocess.run(["test", "t.json"], in: folder.path)
      #expect(test.output == "1 passed, 0 failed\n", "\(fields), \(seed)")
    }
  }

  @Test("A difference in lateness is a difference of behavior, and show draws what run prints")
  func differences() {
    let folder = Fixture.Folder()
    folder.add("a.json", Self.file(#", "lateness": 2, "late": "drop""#))
    folder.add("b.json", Self.file(#", "lateness": 10, "late": "drop""#))
    folder.add(
      "a.ndjson",
      [(1000, 1), (9000, 2), (2000, 4), (8000, 8)].map { "{\"k\":1,\"t\":\($0.0),\"v\":\($0.1)}\n" }.joined())
    let diff = Subprocess.run(["diff", "--behavior", "a.json", "b.json", "--input", "a=a.ndjson"], in: folder.path)
    #expect(diff.output.contains("1 run, 1 different"))
    #expect(diff.code == 1)
    let same = Subprocess.run(["diff", "--behavior", "a.json", "a.json", "--input", "a=a.ndjson"], in: folder.path)
    #expect(same.output == "1 run, 0 different\n")
    let show = Subprocess.run(["show", "a.json", "--input", "a=a.ndjson", "--ascii"], in: folder.path)
    let output = show.output.split(separator: "\n").first { $0.hasPrefix("output") }
    #expect(output?.split { "->|[] ".contains($0) } == ["output", "1", "9", "11"], "\(show.output)")
    #expect(show.errors.contains("warning S305: 1 value arrived more than 2 s late, and was dropped"))
  }

  @Test("`show` has the calendar of the data")
  func calendar() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "filter": { "expression": "now().getFullYear() > 2000" } } ] }
      """)
    folder.add("a.ndjson", "{\"t\":1700000000000}\n")
    let arguments = ["--input", "a=a.ndjson", "--event-time", "value.t"]
    let run = Subprocess.run(["s.json"] + arguments, in: folder.path)
    #expect(run.output == "{\"t\":1700000000000}\n")
    let show = Subprocess.run(["show", "s.json", "--ascii"] + arguments, in: folder.path)
    let output = show.output.split(separator: "\n").first { $0.hasPrefix("output") }
    #expect(output?.contains("A") == true || output?.contains("17") == true, "\(show.output)")
  }

  @Test("Values of a test are read at the pace of the stream, as lines are")
  func pace() {
    let folder = Fixture.Folder()
    let operators = #"""
      [ { "flatMap": { "maxPublishers": 1, "limit": 1, "stream": { "stream": [ { "value": 1 } ],
          "operators": [ { "delay": { "seconds": 1 } } ] } } } ]
      """#
    folder.add(
      "s.json",
      #"""
      { "inputs": { "a": {} }, "source": { "input": { "name": "a" } }, "operators": \#(operators),
        "tests": [ { "name": "t", "inputs": { "a": { "values": [1, 2, 3, 4, 5, 6] } },
                     "expect": { "values": [1, 1, 1, 1, 1, 1] } } ] }
      """#)
    let run = Subprocess.run(["s.json", "--virtual"], input: "1\n2\n3\n4\n5\n6\n", in: folder.path)
    #expect(run.output == String(repeating: "1\n", count: 6))
    #expect(Subprocess.run(["test", "s.json"], in: folder.path).output == "1 passed, 0 failed\n")
  }

  @Test("`validate` refuses what test refuses")
  func validation() {
    let folder = Fixture.Folder()
    for (name, inputs, code) in [
      ("unknown", #"{ "click": { "values": [1] } }"#, "S116"), ("type", #"{ "clicks": { "values": ["x"] } }"#, "S304"),
    ] {
      folder.add(
        "\(name).json",
        #"""
        { "inputs": { "clicks": { "type": "int" } }, "source": { "input": { "name": "clicks" } },
          "tests": [ { "name": "x", "inputs": \#(inputs), "expect": { "values": [1] } } ] }
        """#)
      for command in ["validate", "test"] {
        let outcome = Subprocess.run([command, "\(name).json"], in: folder.path)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("\(name).json:2:"))
        #expect(outcome.errors.contains("error \(code):"))
      }
    }
  }
}
