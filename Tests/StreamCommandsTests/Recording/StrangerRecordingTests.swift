import StreamCore
import TestSupport
import Testing

/// An untrusted recording reads below its own directory, and files elsewhere only if it has their digests.
@Suite struct StrangerRecordingTests {
  private let folder = Fixture.Folder()

  /// The folder `got` is that of the recordings, `private` is another one.
  init() {
    folder.addFolder("got")
    folder.addFolder("private")
    folder.add("private/data.ndjson", "\"a secret\"\n")
    folder.add("private/part.json", #"{"source": {"just": {"value": "a secret"}}}"#)
    folder.add("private/x.json", #"{"source": {"just": {"value": 1}}}"#)
    _ = Subprocess.shell("ln -s ../private/data.ndjson got/link.ndjson; mkfifo got/pipe.ndjson", in: folder.path)
  }

  private func run(_ arguments: [String], input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private static func file(_ path: String) -> String { #"{"file": {"path": "\#(path)", "format": "ndjson"}}"# }

  /// Adds a recording of a run of `private/x.json` with this source.
  private func add(_ source: String, name: String = "got/run.ndjson", _ more: [(Value, Value)] = []) {
    let stream: Value = [
      "file": .string(folder.path("private/x.json")), "path": .string(folder.path("private/x.json")), "id": "",
      "text": .string(#"{"source": \#(source)}"#),
    ]
    let header = Value.map(
      ValueMap(
        [
          ("recording", 1), ("stream", stream), ("origin", "2026-11-29T04:39:01Z"), ("started", "2026-11-29T04:39:01Z"),
        ] + more))
    folder.add(
      name, JSONWriter.compact(header) + "\n" + #"{"end":0,"events":0,"values":1,"because":"finished"}"# + "\n")
  }

  /// Every way to open a recording.
  private static let doors: [[String]] = [
    [], ["--step"], ["--compare"], ["--as-test", "t"], ["got/y.json", "--compare"], ["--until", "0"],
  ]

  @Test("A file elsewhere is refused by every command, which quotes nothing of it", arguments: doors)
  func elsewhere(_ door: [String]) {
    folder.add("got/x.json", #"{"source": {"just": {"value": 1}}}"#)
    folder.add("got/y.json", #"{"source": {"just": {"value": 1}}}"#)
    let sources =
      ["data.ndjson", folder.path("private/data.ndjson"), "../private/data.ndjson", "/etc/passwd", "/nowhere/at/all"]
      .map(Self.file) + [#"{"stream": {"file": "part.json"}}"#, Self.file("link.ndjson")]
    for source in sources {
      add(source)
      let outcome = run(["replay", "got/run.ndjson"] + door, input: "n\ne\nq\n")
      for text in [outcome.output, outcome.errors, Fixture.read(folder.path("got/x.json"))] {
        #expect(!text.contains("secret") && !text.contains("root:"), "\(door) \(source): \(outcome)")
      }
      if door.first == "--as-test" { continue }
      #expect(outcome.errors.contains("error S508: access to '"), "\(door) \(source): \(outcome)")
      #expect(outcome.errors.contains("--allow-read"), "\(door) \(source): \(outcome)")
      #expect(outcome.code == 2, "\(door) \(source): \(outcome)")
    }
  }

  @Test("Another version that a recording contains is bound by the same rule")
  func swapped() {
    add(#"{"never": {}}"#)
    let text = Fixture.read(folder.path("got/run.ndjson")).split(separator: "\n").map(String.init)
    let swap: Value = [
      "at": 0,
      "swap": [
        "file": "x.json", "path": .string(folder.path("private/x.json")), "id": "",
        "text": .string(#"{"source": \#(Self.file("data.ndjson"))}"#),
      ],
    ]
    folder.add("got/run.ndjson", [text[0], JSONWriter.compact(swap), text[1]].joined(separator: "\n") + "\n")
    let outcome = run(["replay", "got/run.ndjson"])
    #expect(outcome.errors.contains("error S508"), "\(outcome)")
    #expect(!"\(outcome)".contains("secret"))
  }

  @Test("A file elsewhere is read as long as it has the digest in the recording, but not with --sandbox or --no-files")
  func digests() {
    folder.add("private/s.json", #"{"source": \#(Self.file("data.ndjson"))}"#)
    #expect(run(["private/s.json", "--record", "got/r.ndjson"]).code == 0)
    #expect(run(["replay", "got/r.ndjson"]) == Outcome(output: "\"a secret\"\n", errors: "", code: 0))
    #expect(run(["replay", "got/r.ndjson", "--step"], input: "e\n").output.contains("output at 0: \"a secret\""))
    for option in ["--sandbox", "--no-files"] {
      let outcome = run(["replay", "got/r.ndjson", option])
      #expect(outcome.code == 2 && outcome.errors.contains("error S508"), "\(outcome)")
      #expect(outcome.errors.contains(option), "\(outcome)")
    }
    folder.add("private/data.ndjson", "\"another\"\n")
    let changed = run(["replay", "got/r.ndjson"])
    #expect(changed.code == 2 && changed.output.isEmpty, "\(changed)")
    #expect(changed.errors.contains("'--allow-read \(folder.path("private/data.ndjson"))' allows it"), "\(changed)")
    let allowed = run(["replay", "got/r.ndjson", "--allow-read", "private"])
    #expect(allowed.output == "\"another\"\n" && allowed.code == 0, "\(allowed)")
    #expect(allowed.errors.contains("has changed since the recorded run"), "\(allowed)")
    let sandboxed = run(["replay", "got/r.ndjson", "--sandbox", "--allow-read", "private/data.ndjson"])
    #expect(sandboxed.output == "\"another\"\n", "\(sandboxed)")
  }

  @Test("Files that are sent with a recording are read beside it")
  func sent() {
    folder.add("private/s.json", #"{"source": \#(Self.file("data.ndjson"))}"#)
    #expect(run(["private/s.json", "--record", "got/r.ndjson"]).code == 0)
    _ = Subprocess.shell("mv private/data.ndjson got/", in: folder.path)
    #expect(run(["replay", "got/r.ndjson"]) == Outcome(output: "\"a secret\"\n", errors: "", code: 0))
    folder.add("got/data.ndjson", "2\n")
    let changed = run(["replay", "got/r.ndjson"])
    #expect(changed.output == "2\n" && changed.errors.contains("has changed since the recorded run"), "\(changed)")
    // The working directory is that of a recording which comes through a pipe.
    let piped = Subprocess.shell("cd got && streamrun replay - < r.ndjson 2>&1 | tail -1", in: folder.path)
    #expect(piped == "2\n")
  }

  @Test("A version that --watch has taken over brings the digests of its files")
  func watched() {
    folder.add("private/s.json", #"{"source": {"timer": {"every": 0.05}}}"#)
    folder.add(
      "private/next.json",
      #"""
      {"source": {"timer": {"every": 0.05}},
       "operators": [{"prefix": {"count": 2}}, {"append": {"with": [{"source": \#(Self.file("data.ndjson"))}]}}]}
      """#)
    _ = Subprocess.shell(
      "streamrun --watch private/s.json --record got/r.ndjson --limit 400 > out & sleep 1; mv private/next.json "
        + "private/s.json; for i in 1 2 3 4 5 6 7 8 9 10; do grep -q secret out && break; sleep 1; done; kill $!; wait",
      in: folder.path)
    let recorded = Fixture.read(folder.path("out"))
    #expect(recorded.hasSuffix("\"a secret\"\n"), "\(recorded)")
    let replayed = run(["replay", "got/r.ndjson"])
    #expect(replayed.output == recorded, "\(replayed)")
    folder.add("private/data.ndjson", "\"another\"\n")
    #expect(run(["replay", "got/r.ndjson"]).errors.contains("error S508"))
  }

  @Test("Stream files that lead to others over '..' and links are replayed from their texts")
  func texts() {
    for name in ["app", "shared", "shared/lib"] { folder.addFolder(name) }
    folder.add(
      "app/s.json",
      #"""
      {"source": {"stream": {"file": "../shared/a.json"}},
       "operators": [{"append": {"with": [{"source": {"stream": {"file": "lib/c.json"}}}]}}]}
      """#)
    folder.add("shared/a.json", #"{"source": {"stream": {"file": "b.json"}}}"#)
    folder.add("shared/b.json", #"{"source": {"just": {"value": "b"}}}"#)
    folder.add("shared/lib/c.json", #"{"source": {"stream": {"file": "d.json"}}}"#)
    folder.add("shared/lib/d.json", #"{"source": {"just": {"value": "d"}}}"#)
    _ = Subprocess.shell("ln -s ../shared/lib app/lib", in: folder.path)
    let recorded = run(["app/s.json", "--allow-read", ".", "--record", "got/r.ndjson"])
    #expect(recorded == Outcome(output: "\"b\"\n\"d\"\n", errors: "", code: 0))
    _ = Subprocess.shell("rm -r app shared", in: folder.path)
    #expect(run(["replay", "got/r.ndjson"]) == recorded)
  }

  // MARK: The stream file

  @Test("--as-test without a file writes only into the stream file beside the recording")
  func asTest() {
    add(#"{"just": {"value": 1}}"#)
    let before = Fixture.read(folder.path("private/x.json"))
    let refused = run(["replay", "got/run.ndjson", "--as-test", "t"])
    #expect(refused.code == 2 && refused.errors.contains("error S508: the recorded stream file '"), "\(refused)")
    #expect(refused.errors.contains("streamrun replay got/run.ndjson FILE --as-test 't'"), "\(refused)")
    // A link beside the recording leads elsewhere.
    _ = Subprocess.shell("ln -s ../private/x.json got/x.json", in: folder.path)
    #expect(run(["replay", "got/run.ndjson", "--as-test", "t"]) == refused)
    #expect(Fixture.read(folder.path("private/x.json")) == before)
    _ = Subprocess.shell("rm got/x.json; cp private/x.json got/", in: folder.path)
    let added = run(["replay", "got/run.ndjson", "--as-test", "t"])
    #expect(added == Outcome(output: "", errors: "got/x.json: added the test 't' of 0 events\n", code: 0))
    #expect(Fixture.read(folder.path("private/x.json")) == before)
    let named = run(["replay", "got/run.ndjson", "private/x.json", "--as-test", "t"])
    #expect(named.errors == "private/x.json: added the test 't' of 0 events\n", "\(named)")
  }

  @Test("--compare without a file takes the recorded file only from the directory of the recording")
  func compare() {
    add(#"{"just": {"value": 1}}"#)
    let refused = run(["replay", "got/run.ndjson", "--compare"])
    #expect(
      refused.code == 2 && refused.errors.contains("streamrun replay got/run.ndjson FILE --compare"), "\(refused)")
    // The file is below the directory of this recording.
    add(#"{"just": {"value": 1}}"#, name: "run.ndjson")
    #expect(run(["replay", "run.ndjson", "--compare"]) == Outcome(output: "1 run, 0 different\n", errors: "", code: 0))
  }

  // MARK: Saved states

  @Test("The stream in a saved state reads no file")
  func state() {
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"count": {}}]}"#)
    #expect(run(["s.json", "--state", "st"], input: "1\n").code == 0)
    let exported = run(["state", "export", "st"]).output
    let text = #""text":"{\"source\":{\"stream\":{\"file\":\"part.json\"}}}""#
    let stranger = exported.replacing(folder.path("s.json"), with: folder.path("private/x.json"))
      .replacing(/"text": ?"(?:[^"\\]|\\.)*"/, with: text)
    #expect(stranger != exported)
    let outcome = run(["state", "import", "st2"], input: stranger)
    #expect(outcome.code == 2 && outcome.errors.contains("error S508"), "\(outcome)")
    #expect(!"\(outcome)".contains("secret"))
  }
}
