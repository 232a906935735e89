import TestSupport
import Testing

/// The output of `diff`, `patch` and `merge` for the files in `Differing/`, word for word, and the files that they
/// write.
@Suite struct DifferenceCommandTests {
  static let sessions: [String: [String]] = [
    "diff": [
      "streamrun diff --help", "streamrun diff base.json ours.json",
      "streamrun diff base.json ours.json --color always",
      "streamrun diff base.json base.json", "streamrun diff base.json spelling.json",
      "streamrun diff base.json moved.json", "streamrun diff base.json theirs.json --format json",
      "streamrun diff base.json base.json --format json", "streamrun diff base.json moved.json --format patch",
      "streamrun diff base.json base.json --format patch", "streamrun diff base.json theirs.json --format merge-patch",
      "streamrun diff base.json null.json --format merge-patch", "streamrun diff base.json ours.json --quiet",
      "streamrun diff old new", "streamrun diff old new --format json", "streamrun diff old new --format patch",
      "streamrun diff old/changed.json new", "streamrun diff base.json", "streamrun diff a b c",
      "streamrun diff base.json bse.json", "streamrun diff base.json broken.json",
      "streamrun diff wrong.json base.json",
      "streamrun diff - -", "streamrun diff base.json ours.json --format yaml",
      "streamrun diff base.json ours.json --input quakes=quakes.ndjson",
    ],
    "diff-behavior": [
      "streamrun diff base.json ours.json --behavior", "streamrun diff base.json spelling.json --behavior",
      "streamrun diff base.json theirs.json --behavior --format json",
      "streamrun diff base.json theirs.json --behavior --input quakes=quakes.ndjson",
      "streamrun diff base.json ours.json --behavior --input quakes=quakes.ndjson --event-time value.ms",
      "streamrun diff base.json ours.json --behavior --input quakes=quakes.ndjson --event-time value.ms --for 1.2",
      "streamrun diff base.json named-theirs.json --behavior --quiet", "streamrun diff null.json null.json --behavior",
      "streamrun diff old/changed.json new/changed.json --behavior",
      "streamrun diff base.json ours.json --behavior --format patch",
      "streamrun diff base.json ours.json --behavior --input quake=quakes.ndjson",
      "streamrun diff base.json ours.json --behavior --input quakes=gone.ndjson",
      "streamrun diff base.json ours.json --behavior --input quakes=-",
      "streamrun diff base.json ours.json --behavior --event-time value.ms",
      "streamrun diff base.json ours.json --behavior --limit 0",
      "streamrun diff base.json wrong-type.json --behavior", "streamrun diff base.json unfed.json --behavior",
    ],
    "patch": [
      "streamrun patch --help", "streamrun patch base.json patch.json", "streamrun patch base.json merge-patch.json",
      "streamrun patch base.json failing-patch.json", "streamrun patch base.json failing-test.json",
      "streamrun patch base.json wrong-patch.json", "streamrun patch base.json spoiling-patch.json",
      "streamrun patch base.json quakes.ndjson", "echo 7 | streamrun patch base.json -",
      "streamrun patch base.json gone.json", "streamrun patch base.json",
      "streamrun patch base.json patch.json -o x.json --in-place", "streamrun patch - -",
      "streamrun patch - patch.json --in-place", "streamrun patch base.json patch.json -o gone/x.json",
    ],
    "merge": [
      "streamrun merge --help", "streamrun merge base.json theirs.json beside.json",
      "streamrun merge base.json ours.json theirs.json",
      "streamrun merge base.json ours.json theirs.json --favor theirs",
      "streamrun merge named.json named-ours.json named-theirs.json",
      "streamrun merge base.json wrong.json theirs.json",
      "streamrun merge base.json ours.json", "streamrun merge base.json ours.json theirs.json --favor mine",
      "streamrun merge - - theirs.json", "streamrun merge base.json - theirs.json --in-place",
    ],
    "resolve": [
      "streamrun resolve --help",
      "streamrun merge base.json ours.json theirs.json 2>/dev/null | streamrun resolve - --favor theirs | tail -1",
      "streamrun merge base.json ours.json theirs.json 2>/dev/null | streamrun validate -",
      "streamrun resolve base.json",
      "streamrun merge base.json ours.json theirs.json 2>/dev/null | streamrun resolve - /name",
      "streamrun resolve base.json operators",
    ],
  ]

  @Test("A session prints what it printed", arguments: sessions.keys.sorted())
  func session(_ name: String) {
    Session.check(name, Self.sessions[name] ?? [], in: Fixture.folder(of: #filePath) + "/Differing")
  }

  // MARK: Writing

  @Test("`patch` and `merge` write to the given paths, and leave unchanged files alone")
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
