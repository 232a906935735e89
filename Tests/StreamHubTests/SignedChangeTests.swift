#if Sharing
import Foundation
import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

/// Changes that a publisher signs elsewhere, and a hub that has only the keys of the snapshot and the timestamp.
@Suite struct SignedChangeTests {
  private let folder: TemporaryFolder
  private let keys: [RoleName: SigningKey]
  private let teamKey: SigningKey
  private let path: String

  /// A repository with a stream `a`, and a role for the streams of `team/`.
  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/repository"
    var keys: [RoleName: SigningKey] = [:]
    for role in RoleName.allCases { keys[role] = try SigningKey.generate(.ed25519) }
    self.keys = keys
    teamKey = try SigningKey.generate(.ed25519)
    let now = SystemClock.seconds
    var repository = try Repository.create(in: path, authorities: keys.mapValues { RoleAuthority([$0]) }, now: now)
    try repository.delegate(["team/*"], to: "team", RoleAuthority([teamKey]), now: now)
    var publisher = RepositoryPublisher(repository)
    _ = try publisher.publish(try draft("a", 1), now: now)
  }

  private func text(_ number: Int, expecting value: Int? = nil) -> String {
    """
    {"source": {"just": {"value": \(number)}}, "tests": [{"name": "one", "expect": {"values": [\(value ?? number)]}}]}
    """
  }

  private func draft(_ name: String, _ number: Int, expecting value: Int? = nil) throws -> Draft {
    try Draft(try StreamName(name), Array(text(number, expecting: value).utf8))
  }

  private func makeHub(_ roles: [RoleName] = [.snapshot, .timestamp]) throws -> TestHub {
    try TestHub(try FolderRepository(path, keys: roles.compactMap { keys[$0] }), in: folder)
  }

  /// A publisher on another machine.
  private func remote(_ key: SigningKey? = nil) async throws -> RemotePublisher {
    let store = MemoryStore()
    let root = try Data(contentsOf: URL(fileURLWithPath: "\(path)/metadata/1.root.json"))
    try RepositoryClient.trust(Array(root), in: store)
    var client = try RepositoryClient(
      metadata: FolderTransport("\(path)/metadata"), store: store, now: SystemClock.seconds)
    try await client.refresh()
    var remote = try await RemotePublisher(client, targets: FolderTransport("\(path)/targets"))
    remote.add([try key ?? #require(keys[.targets])])
    return remote
  }

  /// Signs a change, as an honest publisher does or as another one.
  private func sign(
    _ key: SigningKey? = nil, _ make: (inout RepositoryPublisher) throws(TrustError) -> Void
  ) async throws -> Value {
    var remote = try await remote(key)
    let change = try remote.sign(make).change
    return try #require(change).json
  }

  private func send(_ change: Value, of name: String = "a", to hub: TestHub, _ token: String) throws -> Reply {
    try hub.send("POST", "/v1/streams/\(name)/metadata", token: token, body: JSONWriter.compact(change))
  }

  private var timestamp: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: "\(path)/metadata/timestamp.json")) }
  }

  @Test func aPublisherSignsAndTheHubSignsTheSnapshot() async throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let reader = try hub.reader(token)
    _ = reader.event()
    let now = SystemClock.seconds
    let second = try draft("a", 2)
    let publication = try await sign { publisher throws(TrustError) in _ = try publisher.publish(second, now: now) }
    let reply = try send(publication, to: hub, token)
    #expect(reply.status == 200, "\(reply.text)")
    #expect(reply.json.member("version") == 2)
    let event = try #require(reader.event())
    #expect(event[1] == "event: published")
    // A new stream, by the role that may publish it.
    let team = try draft("team/b", 3)
    let created = try await sign(teamKey) { publisher throws(TrustError) in _ = try publisher.publish(team, now: now) }
    let answer = try send(created, of: "team%2Fb", to: hub, token)
    #expect(answer.status == 201, "\(answer.text)")
    let file = try hub.send("GET", "/v1/streams/team%2Fb/versions/1", token: token)
    #expect(file.text == text(3))
    // The same change again does not follow what is published.
    let again = try send(created, of: "team%2Fb", to: hub, token)
    #expect(again.status == 412, "\(again.text)")
    let audit = try String(contentsOfFile: "\(folder.path)/hub/audit.ndjson", encoding: .utf8)
    #expect(audit.contains("\"action\":\"signed\""))
  }

  @Test func anythingElseIsRefused() async throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let now = SystemClock.seconds
    let (good, wrong) = (try draft("a", 2), try draft("a", 2, expecting: 3))
    let otherBytes = Array(text(9).utf8)
    let honest = try await sign { publisher throws(TrustError) in _ = try publisher.publish(good, now: now) }
    let before = try timestamp

    func changing(_ additions: [Repository.Addition], removing: [String] = []) async throws -> Value {
      try await sign { publisher throws(TrustError) in
        var repository = publisher.repository
        try repository.publish(additions, removing: removing, now: now)
      }
    }
    let first = try #require(try RepositoryPublisher(Repository(opening: path, keys: [])).streams.first?.versions.first)
    let signatures = try #require(honest.member("metadata")?.member("signatures"))
    let signed = try #require(honest.member("metadata")?.member("signed"))
    guard case .map(let map) = honest, case .map(let content) = signed else { return }
    let one = Publication(version: 1, content: good.content, behavior: good.behavior)
    let lie = Publication(version: 2, content: "sha256:0", behavior: good.behavior, requires: [])
    let addition = { (path: String, publication: Publication) in
      Repository.Addition(path: path, bytes: good.bytes, custom: publication.custom)
    }
    let role = try SigningKey.generate(.ed25519)
    let delegating = try await sign { publisher throws(TrustError) in
      var repository = publisher.repository
      try repository.delegate(["x/*"], to: "x", RoleAuthority([role]), now: now)
    }
    let cases: [(Int, String, String, Value)] = [
      (400, "no member 'metadata'", "a", ["role": "targets"]),
      (400, "more: unknown member", "a", .map(map.setting("more", .int(1)))),
      (
        422, "targets: 0 valid signatures", "a",
        .map(map.setting("metadata", ["signatures": signatures, "signed": .map(content.setting("x", .int(1)))]))
      ),
      (422, "targets: 0 valid signatures", "a", .map(map.setting("metadata", ["signatures": [], "signed": signed]))),
      (422, "nobody: the repository has no such role", "a", .map(map.setting("role", "nobody"))),
      (422, "snapshot: signed/_type: found 'snapshot'", "a", .map(map.setting("role", "snapshot"))),
      (422, "team: 0 valid signatures", "a", .map(map.setting("role", "team"))),
      (422, "a@2.json: the file is not part of the change", "a", .map(map.setting("files", []))),
      (422, "a@2.json: the file is not part of the change", "a", .map(map.setting("files", [.string(text(5))]))),
      (422, "a.json: only 'b' can be changed here", "b", honest),
      (
        422, "the test 'one' fails", "a",
        try await sign { publisher throws(TrustError) in _ = try publisher.publish(wrong, now: now) }
      ),
      (
        422, "c.json: only 'b' can be changed here", "b",
        try await changing(["b.json", "b@1.json", "c.json"].map { addition($0, one) })
      ),
      (422, "a@1.json: a file that was published stays", "a", try await changing([], removing: ["a@1.json"])),
      (422, "a.json: a file that was published stays", "a", try await changing([], removing: ["a.json"])),
      (
        422, "a.json: the stable file is none of the versions", "a",
        try await changing([
          Repository.Addition(path: "a@1.json", bytes: otherBytes, custom: first.publication.custom)
        ])
      ),
      (
        422, "a@2.json: its description is not that of the file", "a",
        try await changing([addition("a@2.json", lie), addition("a.json", lie)])
      ),
      (
        422, "a.json: the stable file is none of the versions", "a",
        try await changing([addition("a.json", Publication(version: 2, content: good.content))])
      ),
      (
        422, "b.json: 'team' may not publish this path", "b",
        try await sign(teamKey) { publisher throws(TrustError) in
          var repository = publisher.repository
          try repository.publish([addition("b.json", one), addition("b@1.json", one)], as: "team", now: now)
        }
      ),
      (422, "targets: the delegations are not those of before", "a", delegating),
    ]
    for (status, reason, name, change) in cases {
      let reply = try send(change, of: name, to: hub, token)
      #expect(reply.status == status && reply.text.contains(reason), "\(reason): \(reply.text)")
    }
    let after = try timestamp
    #expect(after == before)
    let reply = try send(honest, to: hub, token)
    #expect(reply.status == 200, "\(reply.text)")
  }

  @Test func permissionIsNeededBesidesTheSignature() async throws {
    let hub = try makeHub()
    let now = SystemClock.seconds
    let second = try draft("a", 2)
    let change = try await sign { publisher throws(TrustError) in _ = try publisher.publish(second, now: now) }
    let statuses = try [
      send(change, to: hub, try hub.token(.read)).status,
      send(change, to: hub, try hub.token(.publish(prefix: "team/"))).status,
      hub.send("POST", "/v1/streams/a/metadata", body: JSONWriter.compact(change)).status,
      hub.send(
        "POST", "/v1/streams/a/metadata", token: try hub.token(.admin), ["If-Match": "\"other\""],
        body: JSONWriter.compact(change)
      ).status,
    ]
    #expect(statuses == [403, 403, 401, 412])
  }

  @Test func aHubWithoutTheOnlineKeysTakesNothing() async throws {
    let hub = try makeHub([])
    let token = try hub.token(.admin)
    let now = SystemClock.seconds
    let second = try draft("a", 2)
    let change = try await sign { publisher throws(TrustError) in _ = try publisher.publish(second, now: now) }
    let before = try timestamp
    let reply = try send(change, to: hub, token)
    let after = try timestamp
    #expect(reply.status == 403, "\(reply.text)")
    #expect(after == before)
  }
}
#endif
