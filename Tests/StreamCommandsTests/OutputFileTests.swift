import TestSupport
import Testing

/// No output overwrites a file that the command has read, whatever the path of either.
@Suite struct OutputFileTests {
  private static let files = [
    ("s.json", #"{"stream": [{"value": 1}]}"#), ("t.json", #"{"stream": [{"value": 2}]}"#),
    ("b.json", #"{"stream": [{"value": 1}]}"#), ("p.json", #"{"name": "x"}"#),
    ("play.json", #"[{"isDefault": true, "name": "A", "stream": [{"operators": [], "value": "1"}]}]"#),
    ("in.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#),
    ("a.ndjson", "1\n2\n"), ("file.json", #"{"source": {"file": {"path": "a.ndjson", "format": "ndjson"}}}"#),
  ]

  @Test(
    "An output that is an input is refused, and the file is unchanged",
    arguments: [
      "show s.json --graph --format mermaid -o s.json", "show s.json --graph --format dot -o link.json",
      "format s.json -o s.json", "format s.json -o hard.json", "edit s.json --append-item 1 -o s.json",
      "edit s.json --append-item 1 -o ./s.json",
      "patch s.json p.json -o s.json", "patch s.json p.json -o p.json", "merge b.json s.json t.json -o s.json",
      "merge b.json s.json t.json -o b.json", "merge b.json s.json t.json -o t.json",
      "show s.json --format svg -o s.json", "show s.json --graph --format dot -o s.json", "canonical s.json -o s.json",
      "show in.json --input a=a.ndjson --format svg -o a.ndjson", "import play.json -o play.json",
      "s.json >> s.json", "in.json < a.ndjson >> a.ndjson", "in.json --input a=a.ndjson >> a.ndjson",
      "file.json >> a.ndjson", "file.json >> file.json", "test s.json --format junit >> s.json",
      "format s.json >> s.json", "explain s.json >> s.json", "hash t.json s.json >> s.json",
      "validate s.json --format json >> s.json", "test t.json s.json --verbose >> s.json",
    ])
  func refuses(_ command: String) {
    let folder = Fixture.Folder()
    for (name, text) in Self.files { folder.add(name, text) }
    let said = Subprocess.shell(
      "ln -s s.json link.json; ln s.json hard.json; { streamrun \(command); } 2>&1; echo $?; ls | wc -l",
      in: folder.path)
    for (name, text) in Self.files { #expect(Fixture.read(folder.path(name)) == text, "\(command): \(name)") }
    #expect(said.hasSuffix("2\n\(Self.files.count + 2)\n"), "\(command): \(said)")
    #expect(said.contains("; writing would destroy it"), "\(command): \(said)")
  }

  @Test(
    "Other outputs are written", arguments: ["-o new.json", "-o t.json", "-o /dev/stdout > new.json", "> new.json"])
  func writes(_ output: String) {
    let folder = Fixture.Folder()
    for (name, text) in Self.files { folder.add(name, text) }
    let said = Subprocess.shell("streamrun canonical s.json \(output); echo $?; cat new.json t.json", in: folder.path)
    #expect(said.hasPrefix("0\n"), "\(said)")
    #expect(said.contains(#"{"stream":[{"value":1}]}"#), "\(said)")
  }
}
