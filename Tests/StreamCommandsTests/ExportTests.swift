import StreamCore
import StreamKit
import StreamTools
import Testing

/// Streams as code. `Tests/Reference/export.sh` builds and runs what is exported; here is how it reads.
@Suite struct ExportTests {
  /// Files of `Streams/` whose code stands in `Exported/`. `UPDATE_GOLDEN=1 swift test` writes it anew.
  static let files = [
    "scan", "tilt", "merge", "quakes-swarm", "articles/loading-items/search", "articles/loading-items/items-result",
    "articles/event-pipelines/validated-server", "articles/event-pipelines/chat-name",
    "articles/observable-profile/state-before-change",
  ]

  @Test("A file is exported as it was", arguments: files, ["swift", "rxjs", "mermaid"])
  func code(_ file: String, _ target: String) {
    let code = Subprocess.shell("streamrun export Streams/\(file).json --to \(target)", in: Fixture.package)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let golden = Fixture.folder(of: #filePath) + "/Exported/\(name).\(target).txt"
    if BrokenFileTests.updates { Fixture.write(code, to: golden) }
    let expected = Fixture.read(golden)
    #expect(code == expected)
  }

  @Test("The command tells what is wrong, all of it at once")
  func session() {
    let folder = Fixture.Folder()
    folder.add(
      "refused.json",
      """
      {
        "inputs": { "a": { "type": "int" }, "b": {} },
        "source": { "input": { "name": "a" } },
        "operators": [
          { "map": { "expression": "value + index" } },
          { "groupBy": { "key": "value", "operators": [] } },
          { "filter": { "expression": "timestamp(value) > timestamp(0)" } },
          { "delay": { "seconds": 1, "failures": "immediate" } },
          { "merge": { "with": [ { "source": { "timer": { "every": 1 } } } ] } }
        ]
      }

      """)
    folder.add("wrong.json", #"{"stream": [], "operators": [{"map": {"expression": "vlaue"}}]}"# + "\n")
    folder.add(
      "good.json",
      #"{"name": "Doubled", "stream": [{"value": 1}], "operators": [{"map": {"expression": "value * 2"}}]}"#)
    Session.check(
      "export",
      [
        "streamrun export --help", "streamrun export good.json --to swift", "streamrun export good.json --to rxjs",
        "streamrun export good.json --to rxjs -o good.mjs; cat good.mjs", "streamrun export good.json --to mermaid",
        "streamrun export refused.json --to mermaid -o refused.mmd; cat refused.mmd",
        "streamrun export wrong.json --to mermaid", "streamrun export refused.json --to swift",
        "streamrun export refused.json --to rxjs", "streamrun export wrong.json --to swift",
        "streamrun export gone.json --to swift", "streamrun export good.json", "streamrun export --to swift",
        "streamrun export good.json --to kotlin", "streamrun export good.json --to swift -o gone/out.swift",
        "streamrun export good.json --to swift --list", "streamrun export --list --to swift",
        "streamrun export --list --to rxjs", "streamrun export --list --to mermaid",
        "cat good.json | streamrun export - --to swift",
      ], in: folder.path)
  }

  @Test("Names that Swift has taken, and strings with quotation marks, become Swift all the same")
  func names() throws {
    let json = #"""
      {"name": "String", "inputs": {"class": {"type": {"in": "string", "a-b": "int"}}, "self.x": {"initialValue": "\"\\("}},
       "source": {"input": {"name": "self.x"}}}
      """#
    let stream = try StreamFile(JSONDocument(reading: json, file: "names.json"), identity: "names.json")
    let code = try StreamExporter(.swift).code(of: stream)
    #expect(code.contains("struct StringStream {"))
    #expect(code.contains("let `class` = PassthroughSubject<JSON, any Error>()"))
    #expect(code.contains(#"let selfX = CurrentValueSubject<JSON, any Error>("\"\\(")"#))
  }
}
