import Foundation
import StreamDriving
import TestSupport
import Testing

/// Every path that a run writes is known, and checked before the first byte is written.
@Suite struct WrittenFileTests {
  private let folder = Fixture.Folder()
  private static let files = [
    "m.json": #"""
    {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": [
      {"source": {"stream": {"file": "other.json"}}}, {"source": {"file": {"path": "data.ndjson"}}}]}}]}
    """#,
    "other.json": #"{"stream": [{"value": 1}]}"#,
    "data.ndjson": "7\n", "a.ndjson": "1\n2\n", "p.json": "{}", "o.ndjson": "",
  ]

  /// The options of a run that write a file.
  private static let writing = [
    "--output": [], "--late-output": ["--event-time", "1000", "--late", "output"], "--record": [],
    "--tap-to": ["--tap", "*"], "--metrics": [],
  ]

  /// The options whose files are read.
  private static let reading = ["--input", "--parameters", "--allow-read", "--restore-set"]

  init() { for (name, text) in Self.files { folder.add(name, text) } }

  @Test(
    "No file that a run writes is one that it reads", arguments: writing.keys.sorted(),
    ["m.json", "other.json", "data.ndjson", "a.ndjson", "p.json"])
  func inputs(_ option: String, _ victim: String) {
    for path in [victim, "./x/../\(victim)", "link"] {
      _ = Subprocess.shell("mkdir -p x; ln -sf \(victim) link; rm -f o.ndjson", in: folder.path)
      let arguments = ["m.json", "--input", "a.ndjson", "--parameters", "p.json"]
      let others = option == "--output" ? [] : ["--output", "o.ndjson"]
      let outcome = Subprocess.run(
        arguments + others + [option, path] + (Self.writing[option] ?? []), in: folder.path)
      #expect(outcome.code == 2, "\(option) \(path): \(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.contains("S506"), "\(option) \(path): \(outcome.errors)")
      for (name, text) in Self.files where name != "o.ndjson" {
        #expect(Fixture.read(folder.path(name)) == text, "\(option) \(path) has changed \(name)")
      }
      #expect(access(folder.path("o.ndjson"), F_OK) != 0, "\(option) \(path): an output was made before the refusal")
    }
  }

  @Test("No two options write one file, whether it exists or not", arguments: [false, true])
  func outputs(_ exists: Bool) {
    let options = Self.writing.keys.sorted()
    for (first, second) in options.flatMap({ first in options.filter { $0 > first }.map { (first, $0) } }) {
      _ = Subprocess.shell("rm -f same; mkdir -p x; \(exists ? "printf '' > same" : ":")", in: folder.path)
      let outcome = Subprocess.run(
        ["m.json", "--input", "a.ndjson", first, "same", second, "x/../same"] + (Self.writing[first] ?? [])
          + (Self.writing[second] ?? []), in: folder.path)
      #expect(outcome.code == 2, "\(first) \(second): \(outcome.errors)")
      let named = outcome.errors.split(separator: "the options are ").last ?? ""
      #expect(named.contains(first + " ") || named.contains(first + "\n"), "\(first) \(second): \(outcome.errors)")
      #expect(named.contains(second + " ") || named.contains(second + "\n"), "\(first) \(second): \(outcome.errors)")
      #expect(Fixture.read(folder.path("same")).isEmpty)
    }
  }

  @Test("A run does not write over the files of its state", arguments: ["lock", "state-1", "socket"])
  func state(_ name: String) {
    let common = ["m.json", "--input", "a.ndjson", "--virtual", "--state", "d"]
    _ = Subprocess.run(common + ["--limit", "1"], in: folder.path)
    for option in ["--output", "--metrics"] {
      let outcome = Subprocess.run(common + [option, "d/\(name)"], in: folder.path)
      #expect(outcome.code == 2 && outcome.errors.contains("is the file of"), "\(option): \(outcome.errors)")
    }
  }

  @Test("Each option of a run that names a file is known as one that is read or written")
  func options() throws {
    let dump = Subprocess.run(["--experimental-dump-help"], in: folder.path).output
    let tool = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
    let command = try #require(tool["command"] as? [String: Any])
    let commands = try #require(command["subcommands"] as? [[String: Any]])
    let run = try #require(commands.first { $0["commandName"] as? String == "run" })
    let arguments = try #require(run["arguments"] as? [[String: Any]])
    let named = arguments.compactMap { argument -> String? in
      guard (argument["completionKind"] as? [String: Any])?["file"] != nil,
        let name = (argument["preferredName"] as? [String: Any])?["name"] as? String
      else { return nil }
      return "--" + name
    }
    let known = Set(Self.writing.keys).union(Self.reading)
    #expect(named.count > 4)
    #expect(named.filter { !known.contains($0) } == [])
    #expect(Self.writing.keys.filter { !named.contains($0) && $0 != "--output" }.sorted() == [])
  }

  @Test("Each of them has a row in the table of written files")
  func table() {
    var request = RunRequest(file: "m.json")
    request.output.outputs = ["o.ndjson", "even=e.ndjson", "|cat", "-", "./a=b.csv"]
    (request.output.late, request.recording) = ("late", "r")
    (request.observing.tapPath, request.observing.metrics) = ("t", "m.prom")
    let paths = Dictionary(grouping: request.writtenFiles, by: \.option).mapValues { $0.map(\.path) }
    #expect(
      paths == [
        "--output": ["o.ndjson", "e.ndjson", "./a=b.csv"], "--late-output": ["late"], "--record": ["r"],
        "--tap-to": ["t"], "--metrics": ["m.prom"],
      ])
  }
}
