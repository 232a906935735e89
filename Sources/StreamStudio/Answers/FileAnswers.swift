internal import StreamCore
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

extension StudioRoute {
  /// The files of the folder.
  static let files: [StudioRoute] = [
    StudioRoute(.get, "/studio", "The studio and its folder") { studio, _ in
      [
        "version": .string(ProgramVersion.full),
        "folder": .string(Path.name(of: studio.folder.root)),
        "hasGit": .bool(GitHistory(studio.folder).isReadable),
        "gitProblem": .text(GitHistory(studio.folder).problem),
        "examples": .list(ExampleFile.all.map { ["title": .string($0.title), "text": .string($0.text)] }),
      ]
    },
    StudioRoute(.get, "/openapi.json", "This description") { _, _ in StudioDescription.document },
    StudioRoute(.get, "/files", "The files of the folder") { studio, _ in studio.folder.list },
    StudioRoute(.get, "/file", "The text of a file", [.query("path")]) { studio, request in
      let path = try request.text("path")
      guard let text = try studio.folder.text(of: path) else {
        throw StudioProblem.missing("there is no file '\(path)'")
      }
      return ["path": .string(path), "text": .string(text), "digest": .string(StudioFolder.digest(of: text))]
    },
    StudioRoute(
      .put, "/file", "Replaces the text of a file, or creates it",
      [.query("path"), .body("text"), .optional("base"), .optional("baseText")]
    ) { studio, request in
      let (path, text) = (try request.text("path"), try request.text("text"))
      do {
        try studio.folder.write(text, to: path, base: request["base"]?.text)
      } catch let problem as StudioProblem where problem.status == .conflict {
        throw try conflict(problem, studio, path, ours: text, base: request["baseText"]?.text)
      }
      return ["digest": .string(StudioFolder.digest(of: text))]
    },
  ]

  /// The answer when a file has changed on disk: its text, and both changes merged if that can be done.
  private static func conflict(
    _ problem: StudioProblem, _ studio: Studio, _ path: String, ours: String, base: String?
  ) throws(StudioProblem) -> StudioProblem {
    guard let theirs = try studio.folder.text(of: path) else { return problem }
    var problem = problem
    problem.members = [
      ("current", ["text": .string(theirs), "digest": .string(StudioFolder.digest(of: theirs))]),
      ("merged", Value(base.flatMap { try? MergedText(base: $0, ours: ours, theirs: theirs, file: path).value })),
    ]
    return problem
  }
}

extension StudioFolder {
  /// The files as the page lists them.
  var list: Value {
    let contents = contents()
    func values(_ entries: [Entry]) -> Value {
      .list(entries.map { ["path": .string($0.path), "size": .count($0.size)] })
    }
    return [
      "files": .list(
        contents.streams.map { entry in
          let text = entry.size <= 1_000_000 ? (try? text(of: entry.path)) ?? nil : nil
          let value = text.flatMap { try? JSONDocument(reading: $0, file: entry.path).value }
          return [
            "path": .string(entry.path), "size": .count(entry.size),
            "digest": .text(text.map(Self.digest)), "name": Value(value?.member("name")),
            "description": Value(value?.member("description")),
          ]
        }),
      "recordings": values(contents.recordings), "data": values(contents.data),
      "states": .list(contents.states.map { ["path": .string($0)] }),
    ]
  }
}

/// A stream to begin with.
struct ExampleFile {
  let title: String
  let text: String

  static let all = [
    ExampleFile(
      title: "Empty",
      text: """
        {
          "inputs": { "values": {} },
          "source": { "input": { "name": "values" } },
          "operators": []
        }

        """),
    ExampleFile(
      title: "A search box",
      text: """
        {
          "name": "Search",
          "inputs": { "query": { "type": "string" } },
          "source": { "input": { "name": "query" } },
          "operators": [
            { "filter": { "expression": "size(value) > 2" } },
            { "debounce": { "seconds": 0.3 } },
            { "removeDuplicates": {} }
          ]
        }

        """),
    ExampleFile(
      title: "Two series, merged",
      text: """
        {
          "streams": {
            "a": {
              "stream": [
                { "value": 1, "operators": [{ "delay": { "seconds": 1 } }] },
                { "value": 2, "operators": [{ "delay": { "seconds": 1 } }] }
              ]
            },
            "b": {
              "stream": [
                { "value": "A", "operators": [{ "delay": { "seconds": 1.5 } }] },
                { "value": "B", "operators": [{ "delay": { "seconds": 1 } }] }
              ]
            }
          },
          "source": { "stream": { "name": "a" } },
          "operators": [{ "merge": { "with": ["b"] } }]
        }

        """),
  ]
}
