import TestSupport
import Testing

/// The output of `streamrun test` and `streamrun schema`. `UPDATE_GOLDEN=1 swift test` writes it again.
@Suite struct TestCommandTests {
  static let sessions: [String: [String]] = [
    "test": [
      "streamrun test --help", "streamrun test keys.json", "streamrun test . --verbose", "streamrun test . --jobs 1",
      "streamrun test keys.json --filter order", "streamrun test keys.json --filter nothing",
      "streamrun test keys.json untested.json --format json", "streamrun test . --format junit",
      "streamrun test . --format tap", "streamrun test gone.json --format tap",
      "streamrun test keys.json --format yaml", "streamrun test keys.json --jobs 0", "streamrun test",
      "streamrun test - --update", "streamrun test keys.json --update --coverage",
    ],
    "test-coverage": [
      "streamrun test keys.json --coverage", "streamrun test keys.json --coverage --format json",
      "streamrun test keys.json --coverage --format tap", "streamrun test untested.json --coverage-below 50",
      "streamrun test keys.json --filter doubles --coverage-below 10", "streamrun test keys.json --coverage-below 101",
    ],
    "test-update": [
      "cp keys.json old.json; streamrun test keys.json --update", "diff old.json keys.json", "streamrun test keys.json",
      "streamrun test keys.json --update", "streamrun test endless.json --update",
      "streamrun test wrong.json --update; cat wrong.json",
    ],
    "schema": [
      "streamrun schema --help", "streamrun schema --list", "streamrun schema hash", "streamrun schema hsh",
      "streamrun schema hash -o hash.json; streamrun schema hash | cmp - hash.json",
      "streamrun schema --write empty; streamrun schema | cmp - empty/stream.schema.json; rm empty/*",
      "streamrun schema --write gone", "streamrun schema --list hash", "streamrun schema --write a --list",
    ],
  ]

  private static let files: [(String, String)] = [
    (
      "keys.json",
      """
      {
        "$schema": "stream.schema.json",
        "inputs": { "keys": {} },
        "source": { "input": { "name": "keys" } },
        "operators": [
          { "map": { "expression": "value > 2 && value < 9 ? value * 2 : 0" } },
          { "catch": { "stream": { "stream": [ { "value": -1 } ] } } }
        ],
        "tests": [
          { "name": "doubles & <so on>", "inputs": { "keys": { "marbles": "-abc|", "values": { "a": 1, "b": 3, "c": 4 } } },
            "expect": { "marbles": "-xy|", "values": { "x": 0.0, "y": 6 }, "x-why": 1.50 } },
          { "name": "in order",   "inputs": { "keys": { "values": [3, 4] } }, "expect": { "values": [6] } },
          { "name": "passes #1", "inputs": { "keys": { "values": [3] } }, "expect": { "values": [6.0] } }
        ]
      }

      """
    ),
    ("untested.json", #"{"stream": [{"value": 1}], "operators": [{"count": {}}]}"# + "\n"),
    (
      "endless.json",
      #"{"source": {"timer": {"every": 1}}, "tests": [{"name": "ends", "expect": {"values": [7]}}]}"# + "\n"
    ),
    (
      "wrong.json",
      #"{"nmae": 1, "stream": [{"value": 1}], "tests": [{"name": "t", "expect": {"values": [7]}}]}"# + "\n"
    ),
  ]

  @Test("A session prints what it printed", arguments: sessions.keys.sorted())
  func session(_ name: String) {
    let folder = Fixture.Folder()
    for (file, text) in Self.files { folder.add(file, text) }
    folder.addFolder("empty")
    Session.check(name, Self.sessions[name] ?? [], in: folder.path)
  }

  @Test("However many files are tested at once, the same is printed", arguments: ["text", "json", "junit", "tap"])
  func order(_ format: String) {
    let folder = Fixture.Folder()
    for number in 10..<40 {
      folder.add("\(number).json", CommandTests.tested.replacing("[2, 4]", with: "[2, \(number % 7)]"))
    }
    let one = Subprocess.run(["test", ".", "--format", format, "--jobs", "1"], in: folder.path)
    let many = Subprocess.run(["test", ".", "--format", format, "--jobs", "8"], in: folder.path)
    #expect(one.code == 1)
    #expect(many == one)
  }

  @Test("$schema is kept by every command that writes a file")
  func keepsSchema() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"$schema": "a.schema.json", "stream": [{"value": 1}], "operators": [{"count": {}}]}"#)
    folder.add("p.json", #"{"name": "b"}"#)
    let commands = [
      "format s.json", "format s.json --add-ids", "edit s.json --rename b -o -", "patch s.json p.json",
      "merge s.json s.json s.json", "canonical s.json",
    ]
    for command in commands {
      let text = Subprocess.run(command.split(separator: " ").map(String.init), in: folder.path).output
      #expect(text.filter { $0 != " " }.contains(#""$schema":"a.schema.json""#), "\(command)")
    }
  }
}

/// `Schemas/` has the output of `streamrun schema`. `UPDATE_GOLDEN=1 swift test` writes it again.
@Suite struct SchemaFileTests {
  static let folder = Fixture.package + "/Schemas"
  static let names = Subprocess.run(["schema", "--list"]).output.split(separator: "\n").compactMap {
    $0.split(separator: " ").first.map(String.init)
  }

  @Test("A schema is fresh", arguments: names)
  func isFresh(_ name: String) {
    let printed = Subprocess.run(["schema", name]).output
    let path = "\(Self.folder)/\(name).schema.json"
    if BrokenFileTests.updates { Fixture.write(printed, to: path) }
    let file = Fixture.read(path)
    #expect(printed == file, "write it anew: streamrun schema --write Schemas")
    #expect(printed.contains(#""$id": "urn:streamrun:schema:\#(name)""#))
  }

  @Test("There is a file for each, and no other")
  func areAll() {
    #expect(Fixture.names(in: Self.folder, ending: ".schema.json") == Self.names.sorted())
    #expect(Self.names.count >= 8)
  }
}
