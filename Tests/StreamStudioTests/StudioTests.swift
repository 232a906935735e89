import CEL
import Foundation
import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

@testable import StreamStudio

/// The answers of the studio, without a server.
@Suite struct StudioTests {
  private let folder = Fixture.Folder()
  private var studio: Studio { get throws { Studio(try StudioFolder(folder.path), budget: 100_000) } }

  private static let search = """
    {
      "inputs": { "query": { "type": "string" } },
      "source": { "input": { "name": "query" } },
      "operators": [{ "filter": { "expression": "size(value) > 2" } }, { "debounce": { "seconds": 0.3 } }]
    }

    """

  private func answer(
    _ method: StudioRoute.Method, _ path: String, _ body: Value = .map(ValueMap([])), _ query: [String: String] = [:]
  ) async throws -> Value {
    let route = try #require(StudioRoute.all.first { $0.method == method && $0.path == path })
    return try await route.answer(studio, StudioRequest(body: body, query: query))
  }

  private func draft(_ text: String = search, _ more: (Value, Value)...) -> Value {
    .map(ValueMap([("path", "search.json"), ("text", .string(text))] + more))
  }

  private func status(of work: () async throws -> Value) async -> Int? {
    do { _ = try await work() } catch { return (error as? StudioProblem)?.status.rawValue }
    return nil
  }

  // MARK: Files

  @Test("The data of a folder are the files that a run reads, by the table of formats, also compressed ones")
  func data() async throws {
    let extensions = FileFormat.allCases.filter { $0 != .json }.flatMap(\.extensions)
    let names = extensions.flatMap { ["d.\($0)", "d.\($0).gz"] } + ["d.json.zst"]
    for name in names + ["d.md", "d"] { folder.add(name, "1\n") }
    folder.add("s.json", Self.search)
    folder.add("r.ndjson", #"{"recording":1}"#)
    let files = try await answer(.get, "/files")
    func paths(_ kind: String) -> [String] {
      files.member(kind)?.list?.elements.compactMap { $0.member("path")?.text }.sorted() ?? []
    }
    #expect(paths("data") == names.sorted())
    #expect(paths("files") == ["s.json"])
    #expect(paths("recordings") == ["r.ndjson"])
  }

  @Test("A file is written only if its text is that of the page")
  func writing() async throws {
    let new = try await answer(.put, "/file", ["text": "{}", "base": .null], ["path": "new.json"])
    let digest = try #require(new.member("digest"))
    #expect(
      await status { try await answer(.put, "/file", ["text": "1", "base": .null], ["path": "new.json"]) } == 409)
    #expect(await status { try await answer(.put, "/file", ["text": "1", "base": "x"], ["path": "new.json"]) } == 409)
    _ = try await answer(.put, "/file", ["text": "[]", "base": digest], ["path": "new.json"])
    #expect(try await answer(.get, "/file", .null, ["path": "new.json"]).member("text") == "[]")
  }

  @Test("Two changes of a file are merged by meaning, in the answer to the second one")
  func conflict() async throws {
    let first = try await answer(.put, "/file", ["text": .string(Self.search), "base": .null], ["path": "a.json"])
    let theirs = Self.search.replacingOccurrences(of: "0.3", with: "0.5")
    _ = try await answer(
      .put, "/file", ["text": .string(theirs), "base": Value(first.member("digest"))], ["path": "a.json"])
    let ours = Self.search.replacingOccurrences(of: "> 2", with: "> 3")
    do {
      _ = try await answer(
        .put, "/file",
        ["text": .string(ours), "base": Value(first.member("digest")), "baseText": .string(Self.search)],
        ["path": "a.json"])
      Issue.record("the file has been replaced")
    } catch let problem as StudioProblem {
      let merged = problem.value.member("merged")
      #expect(merged?.member("conflicts") == .list([]))
      #expect(merged?.member("text") == .string(ours.replacingOccurrences(of: "0.3", with: "0.5")))
    }
  }

  @Test("No path leads out of the folder", arguments: ["../x.json", "/etc/passwd", "a/../../x", "link/passwd", ""])
  func outside(_ path: String) async throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/etc")
    let status = await status { try await answer(.get, "/file", .null, ["path": path]) }
    #expect(status == 403 || status == 400)
    #expect(await self.status { try await answer(.put, "/file", ["text": "", "base": .null], ["path": path]) } != nil)
  }

  // MARK: Drafts

  @Test("An edit keeps every other byte, also if the stream is then invalid")
  func editing() async throws {
    let edits: Value = [["set": ["pointer": "/operators/0/filter/expression", "value": "size(value) >"]]]
    let edited = try await answer(.post, "/edit", draft(Self.search, ("edits", edits)))
    #expect(edited.member("text") == .string(Self.search.replacingOccurrences(of: "> 2", with: ">")))
    let analysis = try await answer(.post, "/analyze", draft(edited.member("text")?.text ?? ""))
    guard case .list(let diagnostics)? = analysis.member("diagnostics") else { return }
    #expect(diagnostics.first?.member("severity") == "error")
  }

  @Test("Ranges count UTF-16 units")
  func ranges() async throws {
    let text = Self.search.replacingOccurrences(of: "size(value)", with: "'😀é' + vlue")
    let analysis = try await answer(.post, "/analyze", draft(text))
    guard case .list(let diagnostics)? = analysis.member("diagnostics"),
      case .list(let range)? = diagnostics.first?.member("range"), case .int(let from) = range[0],
      case .int(let to) = range[1]
    else {
      Issue.record("there is no error with a range")
      return
    }
    let units = Array(text.utf16)
    #expect(String(decoding: units[Int(from)..<Int(to)], as: UTF16.self) == "vlue")
  }

  @Test("A run shows what caused each event")
  func causes() async throws {
    let inputs: Value = [
      "query": [["at": 0, "value": "ab"], ["at": 0.1, "value": "abc"], ["at": 0.2, "value": "abcd"]]
    ]
    let run = try await answer(.post, "/run", draft(Self.search, ("inputs", inputs)))
    guard case .list(let tracks)? = run.member("tracks") else { return }
    let titles = tracks.compactMap { $0.member("title")?.text }
    #expect(titles == ["query", "filter", "debounce → output"])
    func column(_ name: String, _ track: Int) -> [Value] {
      guard case .list(let items)? = tracks[track].member("events")?.member(name) else { return [] }
      return items.elements
    }
    #expect(column("values", 0) == ["ab", "abc", "abcd"])
    #expect(column("values", 1) == ["abc", "abcd"])
    #expect(column("values", 2) == ["abcd"])
    #expect(column("at", 2) == [.double(0.5)])
    // The latest value of the filter, which is event 4 of the run, and that comes from the latest value of the input.
    #expect(column("causes", 2) == [4])
    #expect(column("causes", 1) == [1, 2])
    #expect(column("causes", 0) == [.null, .null, .null])
  }

  @Test("The test that is made of marbles passes")
  func makingTest() async throws {
    let inputs: Value = ["query": [["at": 0, "value": "abc"], ["at": 1, "finished": true]]]
    let made = try await answer(.post, "/test/add", draft(Self.search, ("name", "a pause"), ("inputs", inputs)))
    let report = try await answer(.post, "/test", draft(made.member("text")?.text ?? ""))
    guard case .list(let tests)? = report.member("tests") else { return }
    #expect(tests.count == 1)
    #expect(tests.first?.member("passed") == true)
    #expect(
      await status {
        try await answer(.post, "/test/add", draft(made.member("text")?.text ?? "", ("name", "a pause")))
      } == 409)
  }

  @Test("A stream without an end is drawn up to its limit")
  func endless() async throws {
    let text = """
      {"source": {"timer": {"every": 0.001}}, "operators": [{"filter": {"expression": "false"}}]}
      """
    let run = try await answer(.post, "/run", draft(text))
    #expect(run.member("isCut") == true)
  }

  @Test("Values keep their types on the way to the page and back")
  func values() throws {
    let values: [Value] = [
      .double(2), .int(2), .int(.max), .uint(.max), .double(.infinity), .bytes([1, 2]),
      .timestamp(Timestamp(seconds: 5)),
      ["$double": 1, "a": [.double(-0.0)]],
    ]
    for value in values {
      let sent = try JSONDocument(reading: JSONWriter.compact(PageValue(value).value), file: "").value
      #expect(try PageValue.read(sent).isEqual(to: value), "\(value)")
    }
  }

  @Test("Definitions that multiply are an error of the draft, whose outline has a part of them")
  func multiplying() async throws {
    let doubling = (0..<40).map { level in
      let next = #"{"apply": {"definition": "d\#(level + 1)"}}"#
      return #""d\#(level)": {"operators": [\#(next), \#(next)]}"#
    }.joined(separator: ", ")
    let text = #"""
      {"definitions": {\#(doubling), "d40": {"operators": []}}, "stream": [],
       "operators": [{"apply": {"definition": "d0"}}]}
      """#
    let analysis = try await answer(.post, "/analyze", draft(text))
    guard case .list(let problems)? = analysis.member("diagnostics") else { return }
    let codes = problems.elements.compactMap { $0.member("code") }
    #expect(codes == ["S114"])
    #expect(analysis.member("outline") != .null)
    for path in ["/run", "/picture"] {
      #expect(await status { try await answer(.post, path, draft(text)) } == 422, "\(path)")
    }
  }

  // MARK: The interface

  @Test("Every request is described, and every parameter in a path is declared")
  func description() {
    for route in StudioRoute.all + StudioRoute.streams {
      let inPath = route.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
      #expect(route.parameters.filter { $0.place == .path }.map(\.name) == inPath, "\(route.path)")
      #expect(!route.summary.isEmpty)
    }
  }

  @Test("Templates of operators are streams with the fields that are required")
  func templates() throws {
    guard case .list(let entries)? = Catalog.value.member("operators") else { return }
    #expect(entries.count > 90)
    for entry in entries {
      let name = entry.member("name")?.text ?? ""
      guard case .list(let fields)? = entry.member("fields") else { continue }
      let required = fields.filter { $0.member("required") == true }.compactMap { $0.member("name")?.text }
      let template = entry.member("template")?.member(name)
      for field in required { #expect(template?.member(field) != nil, "\(name).\(field)") }
    }
  }
}

/// Every request that runs a stream is a door of the reference.
@Suite struct ReferenceDoorTests {
  @Test("The reference knows each request: its doors, or why it has none")
  func requests() throws {
    let names = (StudioRoute.all + StudioRoute.streams).map { "\($0.method.rawValue) \($0.path)" }.sorted()
    #expect(try ReferenceDoors.names(of: "requests") == names)
  }
}
