import TestSupport
import Testing

/// A stream that reads some fields of a line says the same as a stream that reads all of it.
@Suite struct UnreadFieldsTests {
  /// Streams that read some fields.
  static let streams: [String] = [
    #"{"filter": {"expression": "value.z > 0.25"}}"#,
    #"{"filter": {"expression": "value.z > 0.25"}}, {"map": {"expression": "{'d': value.d, 'z': value.z * 2}"}}"#,
    #"{"map": {"expression": "value.z / value.n"}}, {"filter": {"expression": "value < 100"}}"#,
    #"{"filter": {"expression": "has(value.d)"}}, {"filter": {"expression": "value.n % 3 != 0"}}, {"prefix": {"count": 40}}"#,
    #"{"filter": {"expression": "value.n > 10"}}, {"drop": {"count": 3}}, {"first": {}}"#,
    #"{"scan": {"initialValue": 0, "expression": "acc + value.n"}}"#,
    #"{"map": {"expression": "value['d'] + string(index)"}}, {"removeDuplicates": {}}"#,
    #"{"filter": {"expression": "value.ok"}}"#,
    #"{"filter": {"expression": "value.n > 50"}}, {"withPrevious": {}}"#,
    #"{"map": {"expression": "{'d': value.d, 'n': value.n, 'half': value.z / 2.0, 'ok': value.ok, 'late': value.n > 200}"}}"#,
    #"{"map": {"expression": "100 / (value.n % 5)"}}"#,
    #"{"filter": {"expression": "value.ok"}}, {"map": {"expression": "{'i': index, 'other': has(value.other)}"}}"#,
    #"{"map": {"expression": "value.ok ? {'d': value.d} : {'n': value.n}"}}, {"prefix": {"count": 150}}"#,
    #"{"map": {"expression": "value.z"}}, {"delay": {"seconds": 0.001}}"#,
    #"{"filter": {"expression": "value.n > 50"}}, {"delay": {"seconds": 0.001}}"#,
  ]

  static let whole = #"{"map": {"expression": "[value][0]"}}"#

  static let lines: String = (0..<400).map { number in
    switch number % 20 {
    case 3: #"{"n": \#(number), "d": "d\#(number)", "z": 0.5, "ok": true}"#
    case 5: #"{"n":\#(number),"d":"d\#(number)","z":"text","ok":false}"#
    case 7: #"{"n":\#(number),"d":"d\#(number)","z":1.50,"ok":true}"#
    case 9: #"{"n":\#(number),"d":"d\u0041\#(number)","z":1e2,"ok":true}"#
    case 11: #"{"z":\#(number).25,"n":0,"other":[1,{"a":null}]}"#
    case 13: #"{"n":\#(number),"d":"d","z":0.75,"ok":tru}"#
    case 15: number % 40 == 15 ? "\(number)" : "[1,2]"
    case 17: "{\"n\":\(number),\"d\":\"d\",\"z\":0.75,\"ok\":true}\r"
    case 19: #"{"n":\#(number),"d":"d","z":0.75,"ok":true,"n":1}"#
    default: #"{"n":\#(number),"d":"d\#(number % 7)","z":\#(Double(number % 16) / 16),"ok":true}"#
    }
  }.joined(separator: "\n")

  private func run(
    _ operators: String, type: String, _ arguments: [String], input: String = lines
  ) -> Outcome {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"{"inputs": {"i": {\#(type)}}, "source": {"input": {"name": "i"}}, "operators": [\#(operators)]}"#)
    return Subprocess.run(["s.json"] + arguments, input: input, in: folder.path)
  }

  /// The output without places in the file, which differ between the two streams.
  private func said(_ outcome: Outcome) -> [String] {
    outcome.errors.split(separator: "\n").map(String.init).filter { line in
      line.contains("the value was") || line.contains("<stdin>") || line.contains("skipped")
    }
  }

  @Test(
    "The output equals the output of a stream that reads all of each value", arguments: streams,
    [
      [], ["--skip-errors"], ["--skip-errors", "--format", "json"], ["--virtual", "--skip-errors", "--format", "text"],
    ])
  func agrees(_ operators: String, _ arguments: [String]) {
    // With a real clock, the output before a line that ends the run would depend on chance.
    let arguments =
      operators.contains("delay") && !arguments.contains("--virtual") ? arguments + ["--virtual"] : arguments
    let part = run(operators, type: "", arguments)
    let all = run("\(Self.whole), \(operators)", type: "", arguments)
    #expect(part.output == all.output)
    #expect(part.code == all.code)
    let (told, expected) = (said(part), said(all))
    #expect(told == expected)
    if arguments.first == "--skip-errors" { #expect(!part.output.isEmpty) }
  }

  @Test("The same where fields are declared", arguments: streams)
  func declared(_ operators: String) {
    let type = #""type": {"n": "int", "z": "double", "ok": "bool"}"#
    let part = run(operators, type: type, ["--skip-errors"])
    let all = run("\(Self.whole), \(operators)", type: type, ["--skip-errors"])
    #expect(part.output == all.output)
    #expect(said(part) == said(all))
  }

  @Test("A failure reports the whole value")
  func failure() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"{"inputs": {"i": {}}, "source": {"input": {"name": "i"}}, "operators": [{"map": {"expression": "1 / value.n"}}]}"#
    )
    let lines = #"{"n":1,"unread":"a"}"# + "\n" + #"{"n":1,"unread":"b"}"# + "\n" + #"{"n":0,"unread":"c"}"#
    let outcome = Subprocess.run(["s.json"], input: lines, in: folder.path)
    #expect(outcome.output == "1\n1\n")
    #expect(outcome.errors.contains(#"the value was {"n":0,"unread":"c"}"#))
  }

  @Test("The same over the ends of what is read at once", arguments: streams.prefix(2))
  func long(_ operators: String) {
    let many = (0..<40).map { _ in Self.lines }.joined(separator: "\n")
    let part = run(operators, type: "", ["--skip-errors"], input: many)
    let all = run("\(Self.whole), \(operators)", type: "", ["--skip-errors"], input: many)
    #expect(many.utf8.count > 600_000)
    #expect(part.output == all.output)
    #expect(said(part) == said(all))
  }
}
