#if Sharing
import CLibrary
import Foundation
import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

/// A hub over a repository in a folder, with its keys.
@Suite struct FolderHubTests {
  private let folder: TemporaryFolder
  private let keys: [SigningKey]
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/repository"
    keys = try NewRepository(in: path).keys
  }

  private func makeHub(_ keys: [SigningKey]? = nil) throws -> TestHub {
    try TestHub(try FolderRepository(path, keys: keys ?? self.keys), in: folder)
  }

  private func stream(_ expression: String, expecting value: Int) -> String {
    """
    {"source": {"just": {"value": 1}}, "operators": [{"map": {"expression": "\(expression)"}}],
     "tests": [{"name": "one", "expect": {"values": [\(value)]}}]}
    """
  }

  /// The version that a client takes, over HTTP.
  private func selected(
    _ name: String, from hub: TestHub, client: String, token: String? = nil
  ) async throws -> Int {
    let memory = MemoryStore()
    let root = try Data(contentsOf: URL(fileURLWithPath: "\(path)/metadata/1.root.json"))
    try RepositoryClient.trust(Array(root), in: memory)
    let base = "http://127.0.0.1:\(hub.port)/repository"
    var repository = try RepositoryClient(
      metadata: try HTTPTransport("\(base)/metadata", token: token), store: memory, now: SystemClock.seconds)
    try await repository.refresh()
    let selection = try await repository.select(
      "\(name).json", for: SharingClient(id: client), providing: { _ in true })
    _ = try await repository.read(selection.target, from: try HTTPTransport("\(base)/targets", token: token))
    return selection.publication.version
  }

  @Test func clientsTakeWhatIsPublished() async throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let created = try hub.publish("checkout/fraud", stream("value + 1", expecting: 2), token)
    #expect(created.status == 201, "\(created.text)")
    let first = try await selected("checkout/fraud", from: hub, client: "c")
    let second = try hub.publish("checkout/fraud", stream("value + 2", expecting: 3), token, query: "?percent=100")
    #expect(second.status == 200, "\(second.text)")
    let candidate = try await selected("checkout/fraud", from: hub, client: "c")
    let halted = try hub.send("POST", "/v1/streams/checkout/fraud/halt", token: token)
    #expect(halted.status == 200, "\(halted.text)")
    let back = try await selected("checkout/fraud", from: hub, client: "c")
    let versions = [first, candidate, back]
    #expect(versions == [1, 2, 1])
  }

  @Test func clientsOfAPrivateHubNeedAToken() async throws {
    let hub = try TestHub(try FolderRepository(path, keys: keys), in: folder) { $0.isRepositoryPublic = false }
    try hub.publish("a", stream("value + 1", expecting: 2), try hub.token(.admin))
    let version = try await selected("a", from: hub, client: "c", token: try hub.token(.read))
    #expect(version == 1)
    for (token, reason) in [
      (nil, "the server wants a token"), ("shub_x", "or another one"),
      (try hub.token(.report), "the token does not permit reading the repository"),
    ] {
      let error = await #expect(throws: TrustError.self) {
        try await selected("a", from: hub, client: "c", token: token)
      }
      #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
  }

  @Test func aWrongFileIsRefused() throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let invalid = try hub.publish(
      "a", "{\"source\": {\"just\": {\"value\": 1}}, \"operators\": [{\"mapp\": {}}]}", token)
    #expect(invalid.status == 422)
    guard case .list(let diagnostics)? = invalid.json.member("diagnostics") else {
      Issue.record("\(invalid.text)")
      return
    }
    #expect(diagnostics.first?.member("pointer") == "/operators/0/mapp", "\(invalid.text)")
    #expect(diagnostics.first?.member("line") == 1)
    let failing = try hub.publish("a", stream("value + 1", expecting: 3), token)
    #expect(failing.status == 422)
    #expect(failing.json.member("failedTests") != [], "\(failing.text)")
    let text = try hub.publish("a", "no JSON", token)
    #expect(text.status == 422)
    let none = try hub.send("GET", "/v1/streams", token: token)
    #expect(none.json == ["streams": []])
  }

  @Test("A file whose tests a run would not confirm is refused")
  func aFileWithLenientTestsIsRefused() throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    func file(_ members: String, _ test: String) -> String {
      #"{"inputs": {"a": {"type": "int"}}, \#(members), "tests": [{"name": "t", \#(test)}]}"#
    }
    let input = #""source": {"input": {"name": "a"}}"#
    let divide = #"\#(input), "operators": [{"map": {"expression": "4 / value"}}]"#
    for (text, isInvalid) in [
      (file(divide, #""inputs": {"a": {"values": [1, 0]}}, "expect": {"values": [4]}"#), false),
      (file(input, #""inputs": {"a": {"events": [{"at": 0, "value": 1}]}}, "expect": {"values": [1]}"#), false),
      (file(#""source": {"never": {}}"#, #""expect": {"values": []}"#), false),
      (file(input, #""inputs": {"a": {"values": ["x"]}}, "expect": {"values": ["x"]}"#), true),
      (file(input, #""inputs": {"b": {"values": [1]}}, "expect": {"values": []}"#), true),
      (
        """
        {"inputs": {"a": {}}, \(input), "partition": {"key": "1", "time": "value", "late": "drop"},
         "tests": [{"name": "t", "inputs": {"a": {"values": [2, 1]}}, "expect": {"values": [2, 1]}}]}
        """, false
      ),
    ] {
      let reply = try hub.publish("a", text, token)
      #expect(reply.status == 422, "\(text): \(reply.text)")
      #expect((reply.json.member(isInvalid ? "diagnostics" : "failedTests") ?? []) != [], "\(reply.text)")
    }
    let right = try hub.publish(
      "a", file(divide, #""inputs": {"a": {"values": [1, 0]}}, "expect": {"values": [4], "failure": "S402"}"#), token)
    #expect(right.status == 201, "\(right.text)")
  }

  @Test func versionsAreCompared() throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    try hub.publish("a", stream("value + 1", expecting: 2), token)
    try hub.publish("a", stream("value + 2", expecting: 3), token)
    let reply = try hub.send("GET", "/v1/streams/a/diff?from=1&to=2", token: token)
    #expect(reply.json.member("same") == false, "\(reply.text)")
    let same = try hub.send("GET", "/v1/streams/a/diff?from=2&to=2", token: token)
    #expect(same.json.member("same") == true)
    let back = try hub.send("POST", "/v1/streams/a/rollback", token: token, body: "{\"to\": 1}")
    #expect(back.json.member("version") == 3, "\(back.text)")
    let file = try hub.send("GET", "/v1/streams/a/versions/3", token: token)
    #expect(file.text == stream("value + 1", expecting: 2))
  }

  @Test func publicationsOfOtherProgramsAreNoticed() throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let reader = try hub.reader(token)
    _ = reader.event()
    var publisher = RepositoryPublisher(try Repository(opening: path, keys: keys))
    let draft = try Draft(try StreamName("other"), Array(stream("value", expecting: 1).utf8))
    _ = try publisher.publish(draft, now: SystemClock.seconds)
    let event = try #require(reader.event())
    #expect(event[1] == "event: published")
    let reply = try hub.send("GET", "/v1/streams/other", token: token)
    #expect(reply.status == 200)
    // The hub continues from there.
    let own = try hub.publish("other", stream("value + 1", expecting: 2), token)
    #expect(own.json.member("version") == 2, "\(own.text)")
  }

  @Test func aHubWithoutKeysOnlyServes() throws {
    let hub = try makeHub([])
    let token = try hub.token(.admin)
    let reply = try hub.publish("a", stream("value", expecting: 1), token)
    #expect(reply.status == 403)
    #expect(reply.json.member("type") == "/openapi.json#/components/responses/no-key", "\(reply.text)")
    let file = try hub.send("GET", "/repository/metadata/timestamp.json")
    #expect(file.status == 200)
  }

  @Test func metadataAreSignedAgainInTheSecondHalfOfTheirTime() throws {
    let repository = try FolderRepository(path, keys: keys)
    let start = try #require(repository.expirations.first { $0.role == "timestamp" }).expires
    let day: Int64 = 86_400
    let early = try repository.renewIfNeeded(now: SystemClock.seconds + 2 * day)
    let late = try repository.renewIfNeeded(now: SystemClock.seconds + 4 * day)
    _ = try repository.streams()
    let end = try #require(repository.expirations.first { $0.role == "timestamp" }).expires
    #expect([early, late] == [false, true])
    #expect(end >= start + 4 * day - 5)
    let withoutKeys = try FolderRepository(path, keys: [])
    let none = try withoutKeys.renewIfNeeded(now: SystemClock.seconds + 40 * day)
    #expect(!none)
  }

  @Test func theRolesOfStreamsAreRenewedToo() throws {
    let repository = try FolderRepository(path, keys: keys)
    let isRenewed = try repository.renewIfNeeded(now: SystemClock.seconds + 60 * 86_400)
    let opened = try Repository(opening: path, keys: [])
    let end = try #require(opened.expiration(of: "targets"))
    #expect(isRenewed)
    #expect(end > SystemClock.seconds + 140 * 86_400)
  }
}

/// Trusted metadata in memory.
final class MemoryStore: MetadataStore {
  nonisolated(unsafe) private var files: [String: [UInt8]] = [:]

  func load(_ role: String) throws(TrustError) -> [UInt8]? { files[role] }
  func store(_ bytes: [UInt8], as role: String) throws(TrustError) { files[role] = bytes }
}
#endif
