import StreamCore
import TestSupport
import Testing

@testable import StreamCommands

/// Characters that a terminal obeys are shown as text, wherever a person who is not trusted can write them.
@Suite struct ControlCharacterTests {
  private let folder = Fixture.Folder()

  /// CSI and OSC of C0 and of C1, a bell, a backspace, a carriage return, a deletion, and the changes of direction.
  private static let odd =
    "\u{1B}[31m\u{1B}]0;T\u{7}\u{9B}2J\u{9D}0;T\u{9C}\u{8}\r\u{7F}\u{202E}\u{2066}\u{FEFF}"
  private static let escaped = String(JSONWriter.compact(.string(odd)).dropFirst().dropLast())
  /// A file name with them.
  private static let file = "s\(odd).json"

  /// A stream file. At each `¤` a string may have any character; at each `§` it makes the file invalid, or another one.
  private static let template = #"""
    {
      "name": "n¤", "description": "d¤", "x-note": "x¤", "§more": 1,
      "parameters": {"least§": {"type": "int", "default": 1, "description": "p¤"}, "word": {"default": "w¤"}},
      "types": {"T§": {"k": "string", "v¤": "int?"}},
      "inputs": {"in¤": {"type": {"k": "string", "w¤?": "string§"}}, "b¤": {"initialValue": "i¤"}},
      "definitions": {"d¤": {"operators": [{"map": {"expression": "[value, '''d¤''']"}}]}},
      "streams": {
        "s¤": {"source": {"input": {"name": "b¤§"}}},
        "m¤": {
          "source": {"input": {"name": "in¤§"}},
          "operators": [
            {"id": "one¤", "label": "l¤", "print": {"label": "p¤"}},
            {"map": {"expression": "{'''k¤''': value.k + '''¤''', 'n': 1, 'f§': §1}"}},
            {"id": "two", "filter§": {"expression": "value.n < 5 && value.n§ != 7"}},
            {"handleEvents": {"receiveOutput": "h¤"}},
            {"withLatestFrom": {"with": ["s¤§"], "names": ["a", "b"]}},
            {"label": "f¤", "apply": {"definition": "d¤§"}},
            {"unwrap§": {"§field": 1}}
          ]
        }
      },
      "outputs": {"o¤": {"stream": "m¤§"}},
      "tests": [
        {"name": "t¤", "inputs": {"in¤": {"values": [{"k": "v¤"}]}, "b¤§": {"values": ["b¤"]}},
         "expect": {"outputs": {"o¤": {"values": ["wrong¤"]}}}},
        {"name": "u¤", "inputs": {"in¤": {"marbles": "a|", "values": {"a": {"k§": "v¤"}}}},
         "expect": {"outputs": {"o¤§": {"values": []}}}}
      ]
    }
    """#

  /// The operator that does not exist.
  private static let wrong = ",\n        {\"unwrap\": {\"field\": 1}}"

  /// The file with these strings in all places of the first kind, and in one of the second kind.
  private static func text(_ place: Int?) -> String {
    let parts = template.replacing("¤", with: escaped).split(separator: "§", omittingEmptySubsequences: false)
    return parts.enumerated().map { $0 == place ? "\($1)\(escaped)" : String($1) }.joined()
      .replacing("\"more\": 1", with: "\"x-more\": 1")
      .replacing(Self.wrong, with: "")
  }

  private static let data = "{\"k\": \"\(escaped)\"}\n{\"k\": \"b\", \"w\(escaped)\": \"c\"}\n"

  init() {
    folder.add(Self.file, Self.text(nil))
    let other = Self.text(nil).replacing("\"n\": 1", with: "\"n\": 2").replacing("p\(Self.escaped)", with: "q")
    folder.add("other.json", other)
    folder.add("d\(Self.odd).ndjson", Self.data)
    folder.add("patch.json", #"[{"op": "test", "path": "/name\#(Self.escaped)", "value": "\#(Self.escaped)"}]"#)
    folder.add("broken.json", "{\"a\u{1B}[31m\": \u{9B}")
    folder.addFolder("all")
  }

  /// The control characters of a text, but line breaks and tabs.
  private static func controls(in text: String, isData: Bool) -> Set<String> {
    Set(
      text.unicodeScalars.filter { scalar in
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20: true
        case 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: !isData
        default: false
        }
      }.map { "U+" + String($0.value, radix: 16) })
  }

  private func run(_ arguments: [String], isData: Bool = false, input: String = data) -> Outcome {
    let outcome = Subprocess.run(arguments, input: input, in: folder.path)
    let name = arguments.map { $0.replacing(Self.odd, with: "¤") }
    for (text, isData) in [(outcome.errors, false), (outcome.output, isData)] {
      #expect(Self.controls(in: text, isData: isData) == [], "\(name): \(text.debugDescription)")
    }
    #expect(outcome.code >= 0 && outcome.code < 3, "\(name): \(outcome.code)")
    return outcome
  }

  /// The command lines of each subcommand: `FILE` is the file with odd strings everywhere, `ODD` an odd string, `DATA` a
  /// file of data. A line of the second list prints data or a file, as JSON.
  private static let lines: [(command: String, forPeople: [String], data: [String])] = [
    (
      "run", ["FILE --format marbles --virtual", "broken.json", "nothingODD.json", "FILE --set ODD=1", "-e ODD"],
      [
        "FILE", "FILE --tap * --log json", "FILE --input inODD=dODD.ndjson --output o.ndjson", "FILE --input x=ODD",
        "FILE --record rODD.ndjson", "FILE --state stODD", "FILE --event-time ODD", "FILE --print-model",
        "FILE --log json --set ODD=1", "FILE --socket soODD", "FILE --metrics mODD/x",
      ]
    ),
    ("validate", ["FILE", "FILE broken.json nothingODD", "."], ["FILE broken.json --format json"]),
    (
      "test",
      [
        "FILE", "FILE --verbose --coverage", "FILE --format tap", "FILE --format junit", "FILE --filter ODD",
        "FILE --filter u", ".",
      ], ["FILE --format json"]
    ),
    ("format", ["FILE --check", "broken.json"], ["FILE", "FILE --short"]),
    ("edit", ["FILE --set /operators/9ODD=1", "FILE --id ODD --set x=1", "FILE --dry-run --remove /operators/0"], []),
    (
      "diff", ["FILE other.json", "FILE other.json --behavior", "FILE broken.json", "all all"],
      ["FILE other.json --format json", "FILE other.json --format patch"]
    ),
    ("patch", ["FILE patch.json"], ["patch.json FILE"]),
    ("merge", [], ["FILE other.json FILE", "broken.json FILE other.json"]),
    ("resolve", ["FILE ODD"], ["FILE"]),
    (
      "show",
      [
        "FILE", "FILE --stages --ascii", "FILE --graph", "FILE --graph --format mermaid", "FILE --graph --format dot",
        "FILE --test ODD", "FILE --format svg", "FILE --format html", "FILE --input x=ODD",
        "FILE --input inODD=dODD.ndjson",
      ], []
    ),
    (
      "replay", ["r.ndjson --step", "r.ndjson other.json --compare", "r.ndjson FILE --as-test ODD", "ODD"], ["r.ndjson"]
    ),
    ("explain", ["FILE", "FILE --plan"], ["FILE --format json"]),
    ("bench", ["FILE --values 5 --rounds 1 --input inODD=dODD.ndjson", "FILE --values 5 --rounds 1"], []),
    ("state", ["verify st", "show stODD", "verify stODD"], ["show st", "export st"]),
    ("top", ["stODD"], []),
    ("eval", ["ODD", "value.ODD --value 1", "1 --set ODD=1", "1 --value ODD"], ["value --value {\"aESC\":1}"]),
    ("import", ["broken.json", "FILE"], []),
    ("operators", ["ODD", ""], ["--format json"]),
    ("functions", ["ODD", ""], ["--format json"]),
    ("schema", ["ODD", ""], []),
    ("canonical", ["broken.json"], ["FILE"]),
    ("hash", ["FILE", "broken.json"], ["FILE --format json"]),
    ("worker", ["FILE --check"], []),
    ("shard", ["FILE --redis ODD"], []),
    ("ODD", [""], []),
  ]

  @Test("No command prints them on standard error, or as text on standard output", arguments: lines.indices)
  func commands(_ index: Int) {
    let (command, forPeople, data) = Self.lines[index]
    let recorded = run([Self.file, "--record", "r.ndjson", "--state", "st"], isData: true)
    #expect(recorded.code == 0, "\(recorded)")
    for (line, isData) in forPeople.map({ ($0, false) }) + data.map({ ($0, true) }) {
      let words = line.split(separator: " ").map { word in
        String(word).replacing("FILE", with: Self.file).replacing("ODD", with: Self.odd)
          .replacing("ESC", with: Self.escaped)
      }
      _ = run(
        [command.replacing("ODD", with: Self.odd)] + words, isData: isData,
        input: command == "replay" ? "n\nn\nb\no \(Self.odd)\ng x\(Self.odd)\ne\n" : Self.data)
    }
  }

  @Test("Every subcommand is among them")
  func allCommands() {
    let known = Set(Self.lines.map(\.command))
    // The editor's protocol is JSON, and the studio is a program of its own.
    #expect(Set(Streamrun.subcommandNames).subtracting(known) == ["help", "lsp", "studio"])
  }

  @Test("The file is valid, and its strings are shown: the label of 'print', the name of a test, the name of an input")
  func shown() {
    let shown = "␛[31m␛]0;T␇\u{FFFD}2J"
    #expect(run(["validate", Self.file]).code == 0)
    let printed = run([Self.file], isData: true)
    #expect(printed.errors.contains("p\(shown)"), "\(printed)")
    let tested = run(["test", Self.file])
    #expect(tested.output.hasPrefix("failed: s\(shown)") && tested.output.contains("json: t\(shown)"), "\(tested)")
    folder.add("i.json", #"{"inputs": {"\#(Self.escaped)": {}}, "source": {"input": {"name": "\#(Self.escaped)"}}}"#)
    #expect(run(["show", "i.json"]).errors.contains("note: nothing feeds '\(shown)"))
    // Data requested as text stay unchanged.
    #expect(
      Subprocess.run(["eval", "value", "--format", "text", "--value", "\"\\u001b[31m\""]).output == "\u{1B}[31m\n")
  }

  @Test("A mistake at any string is shown")
  func mistakes() {
    let count = Self.template.split(separator: "§", omittingEmptySubsequences: false).count - 1
    #expect(count > 15)
    for place in 0..<count { folder.add("all/\(place)\(Self.odd).json", Self.text(place)) }
    let validated = run(["validate", "all"])
    #expect(validated.code == 2)
    _ = run(["test", "all"])
    for place in 0..<count {
      let file = "all/\(place)\(Self.odd).json"
      for arguments in [[file], ["explain", file], ["show", file], [file, "--log", "json"]] {
        _ = run(arguments, isData: true)
      }
    }
  }

  @Test("Few files print text unchanged: the printing functions, data, and text with colors of ours")
  func rawText() {
    func files(_ word: String) -> [String] {
      Subprocess.shell("grep -rl '\(word)' Sources --include=*.swift", in: Fixture.package).split(separator: "\n")
        .map { String($0.split(separator: "/").last ?? "") }.sorted()
    }
    #expect(
      files("standardError") == [
        "Console+Quiet.swift", "Console.swift", "FileDescriptor.swift", "HubLog.swift", "StreamstudioTool.swift",
        "TapOutput.swift",
      ])
    #expect(
      files("append(raw:") == [
        "Evaluate.swift", "FileComparison+Git.swift", "FileComparison.swift", "OutputBuffer.swift",
        "ParsableCommand+End.swift", "Shard.swift", "StepKeys.swift", "VersionComparison.swift",
      ])
  }
}
