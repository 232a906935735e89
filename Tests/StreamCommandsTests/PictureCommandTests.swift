import StreamTools
import TestSupport
import Testing

/// The output of `show` and `explain` for the files in `Picturing/`, word for word. Both accept every file.
@Suite struct PictureCommandTests {
  static let sessions: [String: [String]] = [
    "show": [
      "streamrun show --help", "streamrun show search.json", "streamrun show search.json --stages --width 140",
      "streamrun show search.json --ascii --for 1", "streamrun show search.json --test 'nothing is typed'",
      "streamrun show search.json --limit 2 --width 60",
      "streamrun show groups.json", "streamrun show groups.json --input orders=orders.ndjson",
      "streamrun show groups.json --input orders=orders.ndjson --event-time value.ms --stages",
      "streamrun show groups.json --input orders=- --every 0.5 < orders.ndjson", "streamrun show numbers.json",
      "streamrun show ticks.json --for 1.9", "streamrun show ticks.json --limit 4",
      "streamrun show search.json --test 'nothing is tipped'", "streamrun show numbers.json --test any",
      "streamrun show search.json --input txt=orders.ndjson", "streamrun show search.json --input text=orders.ndjson",
      "streamrun show search.json --input text=gone.ndjson", "streamrun show wrong.json", "streamrun show gone.json",
      "streamrun show search.json --format mermaid", "streamrun show search.json --event-time value",
      "streamrun show search.json --limit 0", "streamrun show search.json --width 3",
      "streamrun show search.json --for x",
      "streamrun show search.json --test a --input text=b", "streamrun show",
      "streamrun show numbers.json -o gone/x.svg",
    ],
    "show-graph": [
      "streamrun show search.json --graph", "streamrun show groups.json --graph --ascii",
      "streamrun show search.json --graph --format mermaid", "streamrun show groups.json --graph --format dot",
      "streamrun show combined.json --graph", "streamrun show combined.json --graph --format mermaid",
      "streamrun show wrong.json --graph", "streamrun show search.json --graph --stages",
    ],
    "show-svg": [
      "streamrun show search.json --stages --format svg",
      "streamrun show groups.json --input orders=orders.ndjson --event-time value.ms --format svg",
      "streamrun show search.json --graph --format svg", "streamrun show groups.json --graph --format svg",
    ],
    "explain": [
      "streamrun explain --help", "streamrun explain search.json", "streamrun explain groups.json",
      "streamrun explain numbers.json --plan", "streamrun explain numbers.json --format json",
      "streamrun explain combined.json", "streamrun explain wrong.json", "streamrun explain gone.json",
      "streamrun explain",
      "streamrun explain search.json --format yaml",
    ],
  ]

  @Test("A session prints what it printed", arguments: sessions.keys.sorted())
  func session(_ name: String) {
    Session.check(name, Self.sessions[name] ?? [], in: Fixture.folder(of: #filePath) + "/Picturing")
  }

  @Test("The README's picture is what the command draws")
  func readmePicture() {
    let file = Fixture.package + "/Streams/search.json"
    let drawn = Subprocess.run(["show", file, "--stages", "--format", "svg"]).output
    #expect(
      Fixture.read(Fixture.package + "/Sources/StreamKit/StreamKit.docc/search.svg") == drawn,
      "streamrun show Streams/search.json --stages -o Sources/StreamKit/StreamKit.docc/search.svg")
  }

  @Test("The extension of a picture's file selects its format")
  func endings() {
    let folder = Fixture.Folder()
    let file = folder.add("s.json", #"{"stream": [{"value": 1}]}"#)
    let beginnings = ["svg": "<svg ", "mmd": "flowchart LR\n", "dot": "digraph stream {\n", "txt": "├─ stream  1\n"]
    for (ending, beginning) in beginnings {
      let path = folder.path("picture.\(ending)")
      let outcome = Subprocess.run(["show", file, "--graph", "-o", path])
      #expect(outcome == Outcome(output: "", errors: "", code: 0), "\(ending)")
      #expect(Fixture.read(path).hasPrefix(beginning), "\(ending)")
    }
    #expect(Subprocess.run(["show", file, "-o", folder.path("run.svg")]).code == 0)
    #expect(Fixture.read(folder.path("run.svg")).hasPrefix("<svg "))
  }

  @Test("Names that a terminal would obey are shown, not obeyed")
  func escapes() {
    let folder = Fixture.Folder()
    let json =
      #"{"stream": [{"value": "\u001B[2J"}], "operators": [{"label": "\u001B[31m", "map": {"expression": "value"}}]}"#
    let file = folder.add("s.json", json)
    for arguments in [["show", file, "--stages"], ["show", file, "--graph"], ["explain", file]] {
      let outcome = Subprocess.run(arguments)
      #expect(outcome.code == 0)
      #expect(!outcome.output.contains("\u{1B}"), "\(arguments)")
    }
  }

  /// The files of `Streams/`, with the articles'.
  static let files: [String] = {
    let folders =
      ["Streams"]
      + Fixture.names(in: Fixture.package + "/Streams/articles", ending: "")
      .filter { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }.map { "Streams/articles/\($0)" }
    return folders.flatMap { folder in
      Fixture.names(in: "\(Fixture.package)/\(folder)", ending: ".json").map { "\(folder)/\($0).json" }
    }
  }()

  @Test("Every file of Streams can be shown and explained", arguments: files)
  func everyFile(_ file: String) {
    let ways = [
      ["show"], ["show", "--stages", "--format", "svg"], ["show", "--graph"], ["show", "--graph", "--format", "svg"],
      ["show", "--graph", "--format", "mermaid"], ["show", "--graph", "--format", "dot"], ["explain", "--plan"],
      ["explain", "--format", "json"],
    ]
    for way in ways {
      let outcome = Subprocess.run([way[0], file] + way.dropFirst(), in: Fixture.package)
      #expect(outcome.code == 0, "\(way): \(outcome.errors)")
      #expect(!outcome.output.isEmpty)
      #expect(!outcome.errors.contains("error"), "\(way): \(outcome.errors)")
    }
  }

  @Test("There are files to show")
  func isThere() { #expect(Self.files.contains("Streams/search.json")) }
}
