#if Sharing
import StreamCore
import StreamTesting
import Testing

@testable import StreamSharing

/// Clients that refresh more than once, and metadata that take long to read.
@Suite struct RefreshingTests {
  /// Roles of an earlier snapshot are not kept for a later one.
  @Test func aSecondRefreshFindsANewPublication() async throws {
    var fixture = try Fixture()
    let metadata = try fixture.metadata()
    var client = try RepositoryClient(metadata: metadata, store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await client.refresh()
    let before = try await client.target("a.json")
    #expect(before == nil)
    try fixture.repository.publish([.init(path: "a.json", bytes: [49])], now: Fixture.start)
    for (path, bytes) in try fixture.metadata().files { metadata[path] = bytes }
    try await client.refresh()
    let after = try await client.target("a.json")
    #expect(after != nil)
  }

  /// A root is read before its signatures are verified.
  @Test func aRootWithManySignaturesIsReadInLinearTime() throws {
    let fixture = try Fixture()
    let root = try MetadataReader(bytes: try #require(try fixture.metadata()["1.root.json"]), subject: "root")
    let signed = try root["signed"]
    let exponent = try Growth.exponent(around: 4_000) { count in
      let signatures = (0..<count).map { ["keyid": .string(String($0)), "sig": ""] as Value }
      return Array(JSONWriter.compact(["signatures": .list(signatures), "signed": signed.value]).utf8)
    } _: { bytes in
      _ = try SignedMetadata<RootRole>(bytes, name: "root")
    }
    #expect(exponent < 1.5)
  }

  @Test func aRootWithManyKeysIsReadInLinearTime() throws {
    let fixture = try Fixture()
    let root = try MetadataReader(bytes: try #require(try fixture.metadata()["1.root.json"]), subject: "root")
    let signed = try root["signed"].map
    let exponent = try Growth.exponent(around: 1_000) { count in
      let ids = (0..<count).map { Value.string(String($0)) }
      let key: Value = ["keytype": "k", "scheme": "s", "keyval": ["public": ""]]
      let role: Value = ["keyids": .list(ids), "threshold": 1]
      let roles = ValueMap(RoleName.allCases.map { (.string($0.rawValue), role) })
      let changed = signed.setting("keys", .map(ValueMap(ids.map { ($0, key) }))).setting("roles", .map(roles))
      return Array(JSONWriter.compact(["signatures": [], "signed": .map(changed)]).utf8)
    } _: { bytes in
      _ = try SignedMetadata<RootRole>(bytes, name: "root")
    }
    #expect(exponent < 1.5)
  }
}
#endif
