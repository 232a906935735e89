import Foundation
import StreamCore
import TestSupport
import Testing

@testable import StreamFiles
@testable import StreamStudio

/// An untrusted folder: nothing in it leads the studio elsewhere.
@Suite struct StrangerFolderTests {
  private let folder = Fixture.Folder()
  private let studio: Studio

  /// The folder `got` is that of the studio, `private` is another one.
  init() throws {
    folder.addFolder("got")
    folder.addFolder("private")
    folder.add("private/data.ndjson", "\"a secret\"\n")
    folder.add("private/part.json", #"{"source": {"just": {"value": "a secret"}}}"#)
    folder.add("got/a.json", #"{"inputs": {"i": {}}, "source": {"input": {"name": "i"}}}"#)
    for (link, target) in [
      ("link.json", "../private/part.json"), ("link.ndjson", "../private/data.ndjson"), ("way", "../private"),
      ("own.json", "a.json"),
    ] {
      try FileManager.default.createSymbolicLink(atPath: folder.path("got/\(link)"), withDestinationPath: target)
    }
    _ = Subprocess.shell("mkfifo got/pipe.json got/pipe.ndjson", in: folder.path)
    studio = Studio(try StudioFolder(folder.path("got")), budget: 100_000)
  }

  /// The answer as JSON, or the problem.
  private func answer(
    _ method: StudioRoute.Method, _ path: String, _ body: Value = .null, _ query: [String: String] = [:]
  ) async throws -> String {
    let route = try #require(StudioRoute.all.first { $0.method == method && $0.path == path })
    do {
      return JSONWriter.compact(try await route.answer(studio, StudioRequest(body: body, query: query)))
    } catch let problem as StudioProblem {
      return JSONWriter.compact(problem.value)
    }
  }

  /// Adds a recording of a run of a file elsewhere, whose data it has the digest of.
  private func addRecording(_ source: String) throws {
    let data = try FileDescriptor.open(folder.path("private/data.ndjson"))
    defer { data.close() }
    let stream: Value = [
      "file": "x.json", "path": .string(folder.path("private/x.json")), "id": "",
      "text": .string(#"{"source": \#(source)}"#),
    ]
    let header: Value = [
      "recording": 1, "stream": stream, "origin": "2026-11-29T04:39:01Z",
      "data": [["file": .string(folder.path("private/data.ndjson")), "sha256": .string(try data.digest().text)]],
    ]
    let end = #"{"end":0,"events":0,"values":1,"because":"finished"}"#
    folder.add("got/r.ndjson", JSONWriter.compact(header) + "\n" + end + "\n")
  }

  @Test("A recording reads nothing outside of the folder, also if it has the digest of a file there")
  func recordings() async throws {
    for path in ["data.ndjson", folder.path("private/data.ndjson"), "link.ndjson", "way/data.ndjson", "/etc/passwd"] {
      try addRecording(#"{"file": {"path": "\#(path)", "format": "ndjson"}}"#)
      for (route, body): (String, Value) in [
        ("/step", ["recording": "r.ndjson"]),
        ("/step/compare", ["recording": "r.ndjson", "new": ["path": "a.json", "text": "{\"stream\": []}"]]),
      ] {
        let answer = try await answer(.post, route, body)
        #expect(route != "/step" || answer.contains("denied"), "\(path): \(answer)")
        #expect(!answer.contains("secret") && !answer.contains("root:") && !answer.contains("--allow"), "\(answer)")
      }
    }
    try addRecording(#"{"stream": {"file": "part.json"}}"#)
    let refused = try await answer(.post, "/step", ["recording": "r.ndjson"])
    #expect(refused.contains("denied") && !refused.contains("secret"), "\(refused)")
    // Files that were sent with it are read.
    folder.add("got/data.ndjson", "5\n")
    try addRecording(#"{"file": {"path": "data.ndjson", "format": "ndjson"}}"#)
    #expect(try await answer(.post, "/step", ["recording": "r.ndjson"]).contains(#""outputs":[{"at":0.0,"value":5}"#))
  }

  @Test("Links that lead out of the folder are not listed, pipes are not waited for")
  func links() async throws {
    let list = try await answer(.get, "/files")
    #expect(list.contains("a.json") && list.contains("own.json"))
    for name in ["link.json", "link.ndjson", "way", "pipe"] { #expect(!list.contains(name), "\(name): \(list)") }
    for path in ["pipe.json", "pipe.ndjson"] {
      #expect(try await answer(.get, "/file", .null, ["path": path]).contains("is not a regular file"))
      #expect(try await answer(.post, "/step", ["recording": .string(path)]).contains("is not a regular file"))
    }
    let draft: Value = [
      "path": "a.json", "text": .string(Fixture.read(folder.path("got/a.json"))),
      "feeds": ["i": ["by": "file", "path": "l*.ndjson"]],
    ]
    #expect(try await answer(.post, "/live", draft).contains("there is no file"))
  }

  @Test("The key of a page opens one folder, and says nothing about the token")
  func keys() {
    let keys = [("/a", "t"), ("/b", "t"), ("/a", "u")].map { AccessToken.key(for: $0, $1) }
    #expect(Set(keys).count == 3 && keys.allSatisfy { $0.count == 64 })
    #expect(keys[0] == AccessToken.key(for: "/a", "t"))
  }
}
