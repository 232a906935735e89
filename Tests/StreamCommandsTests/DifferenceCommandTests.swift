import Testing

/// What `diff`, `patch` and `merge` print, word for word. `UPDATE_GOLDEN=1 swift test` writes it anew; read what has
/// changed.
@Suite struct DifferenceCommandTests {
  static let folder = Fixture.folder(of: #filePath) + "/Differing"

  /// A name, and the arguments of a command.
  static let commands: [(String, [String])] = [
    ("help-diff", ["diff", "--help"]), ("help-patch", ["patch", "--help"]), ("help-merge", ["merge", "--help"]),
    // diff
    ("diff", ["diff", "base.json", "ours.json"]),
    ("diff-colours", ["diff", "base.json", "ours.json", "--color", "always"]),
    ("diff-same", ["diff", "base.json", "base.json"]),
    ("diff-spelling", ["diff", "base.json", "spelling.json"]),
    ("diff-moved", ["diff", "base.json", "moved.json"]),
    ("diff-json", ["diff", "base.json", "theirs.json", "--format", "json"]),
    ("diff-json-same", ["diff", "base.json", "base.json", "--format", "json"]),
    ("diff-patch", ["diff", "base.json", "moved.json", "--format", "patch"]),
    ("diff-patch-same", ["diff", "base.json", "base.json", "--format", "patch"]),
    ("diff-merge-patch", ["diff", "base.json", "theirs.json", "--format", "merge-patch"]),
    ("diff-merge-patch-unsayable", ["diff", "base.json", "null.json", "--format", "merge-patch"]),
    ("diff-quiet", ["diff", "base.json", "ours.json", "--quiet"]),
    ("diff-directories", ["diff", "old", "new"]),
    ("diff-directories-json", ["diff", "old", "new", "--format", "json"]),
    ("diff-directories-patch", ["diff", "old", "new", "--format", "patch"]),
    ("diff-file-and-directory", ["diff", "old/changed.json", "new"]),
    ("diff-behavior", ["diff", "base.json", "ours.json", "--behavior"]),
    ("diff-behavior-same", ["diff", "base.json", "spelling.json", "--behavior"]),
    ("diff-behavior-json", ["diff", "base.json", "theirs.json", "--behavior", "--format", "json"]),
    ("diff-behavior-input", ["diff", "base.json", "theirs.json", "--behavior", "--input", "quakes=quakes.ndjson"]),
    (
      "diff-behavior-event-time",
      [
        "diff", "base.json", "ours.json", "--behavior", "--input", "quakes=quakes.ndjson", "--event-time", "value.ms",
      ]
    ),
    ("diff-behavior-nothing", ["diff", "null.json", "null.json", "--behavior"]),
    ("diff-behavior-untested", ["diff", "old/changed.json", "new/changed.json", "--behavior"]),
    ("diff-one-path", ["diff", "base.json"]),
    ("diff-three-paths", ["diff", "a", "b", "c"]),
    ("diff-no-file", ["diff", "base.json", "bse.json"]),
    ("diff-broken-file", ["diff", "base.json", "broken.json"]),
    ("diff-wrong-file", ["diff", "wrong.json", "base.json"]),
    ("diff-two-standard-inputs", ["diff", "-", "-"]),
    ("diff-wrong-format", ["diff", "base.json", "ours.json", "--format", "yaml"]),
    ("diff-input-alone", ["diff", "base.json", "ours.json", "--input", "quakes=quakes.ndjson"]),
    ("diff-behavior-patch", ["diff", "base.json", "ours.json", "--behavior", "--format", "patch"]),
    ("diff-unknown-input", ["diff", "base.json", "ours.json", "--behavior", "--input", "quake=quakes.ndjson"]),
    // patch
    ("patch", ["patch", "base.json", "patch.json"]),
    ("patch-merge", ["patch", "base.json", "merge-patch.json"]),
    ("patch-failing", ["patch", "base.json", "failing-patch.json"]),
    ("patch-failing-test", ["patch", "base.json", "failing-test.json"]),
    ("patch-wrong", ["patch", "base.json", "wrong-patch.json"]),
    ("patch-spoiling", ["patch", "base.json", "spoiling-patch.json"]),
    ("patch-no-patch", ["patch", "base.json", "quakes.ndjson"]),
    ("patch-two-targets", ["patch", "base.json", "patch.json", "-o", "x.json", "--in-place"]),
    ("patch-two-standard-inputs", ["patch", "-", "-"]),
    ("patch-standard-input-in-place", ["patch", "-", "patch.json", "--in-place"]),
    // merge
    ("merge", ["merge", "base.json", "ours.json", "beside.json", "--favor", "theirs"]),
    ("merge-conflict", ["merge", "base.json", "ours.json", "theirs.json"]),
    ("merge-favor", ["merge", "base.json", "ours.json", "theirs.json", "--favor", "theirs"]),
    ("merge-not-together", ["merge", "named.json", "named-ours.json", "named-theirs.json"]),
    ("merge-wrong-file", ["merge", "base.json", "wrong.json", "theirs.json"]),
    ("merge-two-files", ["merge", "base.json", "ours.json"]),
    ("merge-wrong-side", ["merge", "base.json", "ours.json", "theirs.json", "--favor", "mine"]),
  ]

  @Test("A command prints what it should, and ends as it should", arguments: commands)
  func golden(_ name: String, _ arguments: [String]) {
    let outcome = Subprocess.run(arguments, in: Self.folder + "/files", environment: ["COLUMNS=100"])
    var text = "$ streamrun \(arguments.joined(separator: " "))\n\(outcome.output)"
    if !outcome.errors.isEmpty { text += "--- standard error\n\(outcome.errors)" }
    text += "--- exit code \(outcome.code)\n"
    let golden = "\(Self.folder)/\(name).txt"
    if BrokenFileTests.updates { Fixture.write(text, to: golden) }
    let expected = Fixture.read(golden)
    #expect(text == expected)
  }

  @Test("No golden file is left over")
  func complete() {
    #expect(Fixture.names(in: Self.folder, ending: ".txt") == Self.commands.map(\.0).sorted())
  }

  // MARK: Writing

  @Test("patch and merge write where they are told, and touch nothing that has not changed")
  func writing() {
    let folder = Fixture.Folder()
    let base = #"{"name":"a",  "stream":[ {"value":1}, {"value":2} ]}"# + "\n"
    let path = folder.add("s.json", base)
    folder.add("p.json", #"{"name": "b"}"#)
    let changed = base.replacing(#""a""#, with: #""b""#)
    #expect(Subprocess.run(["patch", path, folder.path("p.json")]) == Outcome(output: changed, errors: "", code: 0))
    #expect(Fixture.read(path) == base)
    let outcome = Subprocess.run(["patch", path, folder.path("p.json"), "-o", folder.path("o.json")])
    #expect(outcome == Outcome(output: "", errors: "", code: 0))
    #expect(Fixture.read(folder.path("o.json")) == changed)
    #expect(Subprocess.run(["patch", path, folder.path("p.json"), "--in-place"]).code == 0)
    #expect(Fixture.read(path) == changed)
    folder.add("base.json", base)
    folder.add("theirs.json", base.replacing(#"{"value":2}"#, with: #"{"value":3}"#))
    #expect(Subprocess.run(["merge", folder.path("base.json"), path, folder.path("theirs.json"), "-i"]).code == 0)
    #expect(Fixture.read(path) == changed.replacing(#"{"value":2}"#, with: #"{"value":3}"#))
  }

  @Test("A patch that cannot be done, or whose outcome is wrong, writes nothing")
  func refusing() {
    let folder = Fixture.Folder()
    let base = #"{"stream":[{"value":1}]}"#
    let path = folder.add("s.json", base)
    for patch in [#"{"stream": 7}"#, #"[{"op": "remove", "path": "/name"}]"#, #"{"strem": []}"#] {
      folder.add("p.json", patch)
      #expect(Subprocess.run(["patch", path, folder.path("p.json"), "--in-place"]).code == 2)
      #expect(Fixture.read(path) == base)
    }
  }

  @Test("Standard input is a file like any other")
  func standardInput() {
    let old = #"{"stream":[{"value":1}]}"#
    let new = #"{"stream":[{"value":2}]}"#
    let folder = Fixture.Folder()
    let path = folder.add("new.json", new)
    let diff = Subprocess.run(["diff", "-", path, "--format", "patch"], input: old)
    #expect(diff.code == 1)
    let patched = Subprocess.run(["patch", folder.add("old.json", old), "-"], input: diff.output)
    #expect(patched == Outcome(output: new, errors: "", code: 0))
    let merged = Subprocess.run(["merge", "-", folder.path("old.json"), path], input: old)
    #expect(merged == Outcome(output: new, errors: "", code: 0))
  }
}
