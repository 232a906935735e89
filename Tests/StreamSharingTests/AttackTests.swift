#if Sharing
import Foundation
@_spi(Engine) import StreamCore
import StreamTesting
import Testing

@testable import StreamSharing

/// The attacks of TUF 1.0, section 1.5.2, and those that clients of other languages fell for.
@Suite struct AttackTests {
  /// A client that trusts version 2 of all roles but the root, and the repository that it read them from.
  private func followed() async throws -> (fixture: Fixture, store: MemoryFiles, old: MemoryFiles, new: MemoryFiles) {
    var fixture = try Fixture()
    let old = try fixture.metadata()
    try fixture.repository.publish([.init(path: "a.json", bytes: [49])], now: Fixture.start)
    let new = try fixture.metadata()
    let store = try fixture.trustingStore()
    let refusal = await refresh(store, from: new)
    #expect(refusal == nil)
    return (fixture, store, old, new)
  }

  // MARK: Rollback

  @Test func anOlderTimestampIsRefused() async throws {
    let (_, store, old, new) = try await followed()
    new["timestamp.json"] = old["timestamp.json"]
    let refusal = await refresh(store, from: new)
    #expect(refusal == .rollback)
    let trusted = try version(of: "timestamp", in: store)
    #expect(trusted == 2)
  }

  @Test func aNewTimestampWithAnOlderSnapshotIsRefused() async throws {
    let (fixture, store, _, new) = try await followed()
    new["timestamp.json"] = try resigned(try #require(new["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", 3).setting("meta", ["snapshot.json": ["version": 1]])
    }
    let refusal = await refresh(store, from: new)
    #expect(refusal == .rollback)
  }

  @Test(arguments: [false, true])
  func aSnapshotWithAnOlderRoleOrWithoutItIsRefused(_ isGone: Bool) async throws {
    let (fixture, store, _, new) = try await followed()
    let meta: Value = isGone ? ["other.json": ["version": 9]] : ["targets.json": ["version": 1]]
    new["3.snapshot.json"] = try resigned(try #require(new["2.snapshot.json"]), by: [fixture.key(.snapshot)]) {
      $0 = $0.setting("version", 3).setting("meta", meta)
    }
    new["timestamp.json"] = try resigned(try #require(new["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", 3).setting("meta", ["snapshot.json": ["version": 3]])
    }
    let refusal = await refresh(store, from: new)
    #expect(refusal == (isGone ? .malformed : .rollback))
    let trusted = try version(of: "snapshot", in: store)
    #expect(trusted == 2)
  }

  @Test func aDelegatedRoleThatIsGoneIsRefused() async throws {
    var fixture = try Fixture()
    try fixture.repository.delegate(
      ["b/*"], to: "b", RoleAuthority([try SigningKey.generate()]), now: Fixture.start)
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    await refresh(store, from: metadata)
    metadata["3.snapshot.json"] = try resigned(try #require(metadata["2.snapshot.json"]), by: [fixture.key(.snapshot)])
    { $0 = $0.setting("version", 3).setting("meta", ["targets.json": ["version": 2]]) }
    metadata["timestamp.json"] = try resigned(try #require(metadata["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", 3).setting("meta", ["snapshot.json": ["version": 3]])
    }
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .rollback)
  }

  /// Two roles delegate to one of the same name with different keys: each accepts it only by its own.
  @Test func aRoleIsVerifiedByTheKeysOfTheRoleThatIsAsked() async throws {
    var fixture = try Fixture()
    let (a, b, release, other) = (
      try SigningKey.generate(), try SigningKey.generate(), try SigningKey.generate(), try SigningKey.generate()
    )
    try fixture.repository.delegate(["a/*"], to: "a", RoleAuthority([a]), now: Fixture.start)
    try fixture.repository.delegate(["b/*"], to: "b", RoleAuthority([b]), now: Fixture.start)
    try fixture.repository.delegate(["a/*"], to: "release", RoleAuthority([release]), from: "a", now: Fixture.start)
    let files = ["a/x", "b/x"].map { Repository.Addition(path: $0, bytes: Array($0.utf8)) }
    try fixture.repository.publish(files, as: "release", now: Fixture.start)
    let metadata = try fixture.metadata()
    // The role 'b' delegates as 'a' does, to another key.
    let newestA = try #require(metadata["2.a.json"])
    let delegations = try MetadataReader(bytes: newestA, subject: "a")["signed"]["delegations"].value
    let text = JSONWriter.compact(delegations).replacingOccurrences(of: release.id, with: other.id)
      .replacingOccurrences(of: JSONWriter.compact(release.published), with: JSONWriter.compact(other.published))
      .replacingOccurrences(of: "a/*", with: "b/*")
    var reader = JSONReader()
    let changed = try reader.read(text)
    metadata["9.b.json"] = try resigned(try #require(metadata["1.b.json"]), by: [b]) {
      $0 = $0.setting("version", 9).setting("delegations", changed)
    }
    let newest = try version(of: "timestamp", in: MemoryFiles(["timestamp": try #require(metadata["timestamp.json"])]))
    let number = try #require(newest)
    metadata["99.snapshot.json"] = try resigned(
      try #require(metadata["\(number).snapshot.json"]), by: [fixture.key(.snapshot)]
    ) {
      guard case .map(let meta)? = $0["meta"] else { return }
      $0 = $0.setting("version", 99).setting("meta", .map(meta.setting("b.json", ["version": 9])))
    }
    metadata["timestamp.json"] = try resigned(try #require(metadata["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", 99).setting("meta", ["snapshot.json": ["version": 99]])
    }
    var client = try RepositoryClient(metadata: metadata, store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await client.refresh()
    let honest = try await client.target("a/x")
    #expect(honest != nil)
    let error = await #expect(throws: TrustError.self) { _ = try await client.target("b/x") }
    #expect(error?.kind == .unsigned)
  }

  @Test(arguments: [1, 3] as [Int64])
  func aRootOtherThanTheNextOneIsRefused(_ number: Int64) async throws {
    let (fixture, store, _, new) = try await followed()
    new["2.root.json"] = try resigned(try #require(new["1.root.json"]), by: [fixture.key(.root)]) {
      $0 = $0.setting("version", .int(number))
    }
    let refusal = await refresh(store, from: new)
    #expect(refusal == .wrongVersion)
    let trusted = try version(of: "root", in: store)
    #expect(trusted == 1)
  }

  // MARK: Freeze

  @Test(arguments: [("root", 366), ("timestamp", 8)] as [(String, Int64)])
  func expiredMetadataAreRefused(_ role: String, _ days: Int64) async throws {
    let (_, store, _, new) = try await followed()
    let refusal = await refresh(store, from: new, at: Fixture.start + days * 86_400)
    #expect(refusal == .expired)
  }

  @Test(arguments: ["snapshot", "targets"])
  func anExpiredRoleBehindAFreshTimestampIsRefused(_ role: String) async throws {
    var lifetimes = Lifetimes()
    (lifetimes.timestamp, lifetimes.snapshot, lifetimes.targets) = (1_000, 1_000, 1_000)
    if role == "snapshot" { lifetimes.snapshot = 10 } else { lifetimes.targets = 10 }
    let fixture = try Fixture(lifetimes: lifetimes)
    let store = try fixture.trustingStore()
    let refusal = await refresh(store, from: try fixture.metadata(), at: Fixture.start + 100)
    #expect(refusal == .expired)
    #expect(store[role] == nil)
  }

  @Test func storedMetadataThatHaveExpiredStillPreventARollback() async throws {
    let (fixture, store, old, new) = try await followed()
    let late = Fixture.start + 8 * 86_400
    // The attacker has the key of the timestamp, and makes a fresh one for the old snapshot.
    new["timestamp.json"] = try resigned(try #require(old["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", 3).setting("expires", "2030-01-01T00:00:00Z")
    }
    let refusal = await refresh(store, from: new, at: late)
    #expect(refusal == .rollback)
  }

  // MARK: Endless data, slow retrieval

  @Test(arguments: ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
  func endlessMetadataAreRefused(_ path: String) async throws {
    let fixture = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    metadata[path] = [UInt8](repeating: 32, count: 6 << 20)
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .tooLarge)
  }

  @Test func aTargetLongerThanSignedIsRefused() async throws {
    let (fixture, store, _, new) = try await followed()
    var client = try RepositoryClient(metadata: new, store: store, now: Fixture.start + 60)
    try await client.refresh()
    let target = try #require(try await client.target("a.json"))
    let targets = MemoryFiles(try fixture.targets().files.mapValues { $0 + $0 })
    let checked = client
    let error = await #expect(throws: TrustError.self) { try await checked.read(target, from: targets) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func moreRootsThanPermittedEndTheUpdate() async throws {
    var fixture = try Fixture()
    for _ in 0..<5 { try fixture.repository.renew(["root"], now: Fixture.start) }
    var limits = RepositoryLimits()
    limits.rootRotations = 3
    let store = try fixture.trustingStore()
    await refresh(store, from: try fixture.metadata(), limits: limits)
    let first = try version(of: "root", in: store)
    #expect(first == 4)
    await refresh(store, from: try fixture.metadata(), limits: limits)
    let second = try version(of: "root", in: store)
    #expect(second == 6)
  }

  @Test func moreDelegationsThanPermittedEndTheSearch() async throws {
    var fixture = try Fixture()
    for number in 0..<5 {
      try fixture.repository.delegate(
        ["*"], to: "role\(number)", RoleAuthority([try SigningKey.generate()]), isTerminating: false,
        now: Fixture.start)
    }
    var limits = RepositoryLimits()
    limits.delegations = 3
    let metadata = try fixture.metadata()
    var client = try RepositoryClient(
      metadata: metadata, store: try fixture.trustingStore(), limits: limits, now: Fixture.start)
    try await client.refresh()
    let before = metadata.reads.count
    let target = try await client.target("a")
    #expect(target == nil)
    #expect(metadata.reads.count == before + 3)
  }

  // MARK: Mix and match, arbitrary software

  @Test(arguments: ["2.snapshot.json", "2.targets.json"])
  func metadataOfAnotherTimeAreRefused(_ path: String) async throws {
    var fixture = try Fixture()
    let old = try fixture.metadata()
    try fixture.repository.publish([.init(path: "a.json", bytes: [49])], now: Fixture.start)
    let new = try fixture.metadata()
    new[path] = old["1" + path.dropFirst()]
    let refusal = await refresh(try fixture.trustingStore(), from: new)
    #expect(refusal == .mismatch)
  }

  @Test func metadataOfAnotherRepositoryAreRefused() async throws {
    let (mine, theirs) = (try Fixture(), try Fixture())
    let refusal = await refresh(try mine.trustingStore(), from: try theirs.metadata())
    #expect(refusal == .unsigned)
  }

  @Test(arguments: ["timestamp.json", "1.snapshot.json", "1.targets.json"])
  func oneChangedByteIsRefused(_ path: String) async throws {
    let fixture = try Fixture()
    let metadata = try fixture.metadata()
    var bytes = try #require(metadata[path])
    // A digit of the expiration.
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("\"20".utf8)) }) + 3
    bytes[place] ^= 1
    metadata[path] = bytes
    let refusal = await refresh(try fixture.trustingStore(), from: metadata)
    #expect(refusal == (path == "timestamp.json" ? .unsigned : .mismatch))
  }

  @Test func aTargetWithOtherBytesIsRefused() async throws {
    let (fixture, store, _, new) = try await followed()
    var client = try RepositoryClient(metadata: new, store: store, now: Fixture.start + 60)
    try await client.refresh()
    let target = try #require(try await client.target("a.json"))
    let targets = MemoryFiles(try fixture.targets().files.mapValues { _ in [50] })
    let checked = client
    let error = await #expect(throws: TrustError.self) { try await checked.read(target, from: targets) }
    #expect(error?.kind == .mismatch)
  }

  @Test func metadataOfAnotherRoleAreRefused() async throws {
    let (fixture, store, _, new) = try await followed()
    // The key of the snapshot, which is online, signs a timestamp.
    new["timestamp.json"] = try resigned(try #require(new["timestamp.json"]), by: [fixture.key(.snapshot)]) {
      $0 = $0.setting("version", 3)
    }
    let unsigned = await refresh(store, from: new)
    #expect(unsigned == .unsigned)
    // And a snapshot is not a timestamp, whatever key signs it.
    new["timestamp.json"] = try resigned(try #require(new["2.snapshot.json"]), by: [fixture.key(.timestamp)]) { _ in }
    let malformed = await refresh(store, from: new)
    #expect(malformed == .malformed)
  }

  // MARK: Keys and thresholds

  @Test func oneKeyWithManyIDsCountsOnce() async throws {
    let fixture = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    let key = fixture.key(.timestamp)
    metadata["2.root.json"] = try resigned(try #require(metadata["1.root.json"]), by: [fixture.key(.root)]) { root in
      guard case .map(var keys)? = root["keys"], case .map(let roles)? = root["roles"] else { return }
      var ids: [Value] = []
      for number in 0..<3 {
        keys = keys.setting("id\(number)", key.published)
        ids.append(.string("id\(number)"))
      }
      root = root.setting("version", 2).setting("keys", .map(keys))
        .setting("roles", .map(roles.setting("timestamp", ["keyids": .list(ids), "threshold": 2])))
    }
    metadata["timestamp.json"] = try signedTwice(
      try #require(metadata["timestamp.json"]), by: key, ids: ["id0", "id1"])
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .unsigned)
  }

  @Test func oneKeyThatSignsTwiceIsRefused() async throws {
    let fixture = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    let key = fixture.key(.timestamp)
    metadata["timestamp.json"] = try signedTwice(
      try #require(metadata["timestamp.json"]), by: key, ids: [key.id, key.id])
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .malformed)
  }

  private func signedTwice(_ bytes: [UInt8], by key: SigningKey, ids: [String]) throws -> [UInt8] {
    let signed = try MetadataReader(bytes: bytes, subject: "test")["signed"].value
    let signature = try key.signature(of: try CanonicalJSON.bytes(signed, of: "test"))
    let signatures = ids.map { ["keyid": .string($0), "sig": .string(signature)] as Value }
    return Array(JSONWriter.compact(["signatures": .list(signatures), "signed": signed]).utf8)
  }

  @Test(arguments: [0, -1, 2] as [Int64])
  func aRootWithAThresholdThatProtectsNothingOrCannotBeReachedIsRefused(_ threshold: Int64) async throws {
    let fixture = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    metadata["2.root.json"] = try resigned(try #require(metadata["1.root.json"]), by: [fixture.key(.root)]) { root in
      guard case .map(let roles)? = root["roles"] else { return }
      root = root.setting("version", 2)
        .setting(
          "roles",
          .map(
            roles.setting(
              "root", ["keyids": [.string(fixture.key(.root).id)], "threshold": .int(threshold)])))
    }
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == (threshold < 1 ? .malformed : .unsigned))
    let trusted = try version(of: "root", in: store)
    #expect(trusted == 1)
  }

  @Test func aRootThatOnlyTheNewKeysHaveSignedIsRefused() async throws {
    var fixture = try Fixture()
    let other = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    try fixture.repository.rotate([.root: RoleAuthority(other.keys[.root]!.keys)], now: Fixture.start)
    let rotated = try #require(try fixture.metadata()["2.root.json"])
    metadata["2.root.json"] = try resigned(rotated, by: [other.key(.root)]) { _ in }
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .unsigned)
    metadata["2.root.json"] = try resigned(rotated, by: [fixture.key(.root)]) { _ in }
    let second = await refresh(store, from: metadata)
    #expect(second == .unsigned)
  }

  @Test func afterARotationTheStolenKeyIsUseless() async throws {
    var (fixture, store, _, _) = try await followed()
    let stolen = fixture.key(.timestamp)
    try fixture.repository.rotate([.timestamp: RoleAuthority([try SigningKey.generate()])], now: Fixture.start)
    let metadata = try fixture.metadata()
    let honest = try #require(metadata["timestamp.json"])
    metadata["timestamp.json"] = try resigned(honest, by: [stolen]) { $0 = $0.setting("version", 99) }
    let refusal = await refresh(store, from: metadata)
    #expect(refusal == .unsigned)
    // A version that the thief had raised is forgotten with the key (fast-forward recovery).
    metadata["timestamp.json"] = honest
    let recovered = await refresh(store, from: metadata)
    #expect(recovered == nil)
  }

  @Test func aRaisedVersionIsForgottenWithTheKeys() async throws {
    var (fixture, store, _, new) = try await followed()
    new["timestamp.json"] = try resigned(try #require(new["timestamp.json"]), by: [fixture.key(.timestamp)]) {
      $0 = $0.setting("version", .int(.max - 1))
    }
    let raised = await refresh(store, from: new)
    #expect(raised == nil)
    try fixture.repository.rotate([.timestamp: RoleAuthority([try SigningKey.generate()])], now: Fixture.start)
    let refusal = await refresh(store, from: try fixture.metadata())
    #expect(refusal == nil)
    let trusted = try version(of: "timestamp", in: store)
    #expect(trusted == 3)
  }

  @Test func aVersionWithoutANextOneIsRefused() async throws {
    let fixture = try Fixture()
    let root = try resigned(try #require(try fixture.metadata()["1.root.json"]), by: [fixture.key(.root)]) {
      $0 = $0.setting("version", .int(.max))
    }
    let error = #expect(throws: TrustError.self) { try RepositoryClient.trust(root, in: MemoryFiles()) }
    #expect(error?.kind == .malformed)
  }

  // MARK: Names

  @Test(arguments: ["../secret", "a/../../secret", "/etc/passwd", "a\u{0}b"])
  func aTargetOutsideTheFolderIsNotRead(_ path: String) async throws {
    let fixture = try Fixture()
    let transport = FolderTransport(fixture.folder.path + "/targets")
    let escaped = path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
      .joined(separator: "/")
    let error = await #expect(throws: TrustError.self) { try await transport.read(escaped, atMost: 1_000) }
    #expect(error?.kind == .unsafeName)
  }

  @Test(arguments: ["../../x", "a/b", "..", "ä %2F"])
  func aRoleOfAnyNameStaysInTheFolderOfTheStore(_ role: String) throws {
    let folder = try TemporaryFolder()
    let store = FolderStore(folder.path)
    try store.store([49], as: role)
    let loaded = try store.load(role)
    #expect(loaded == [49])
    let files = try allFiles(below: folder.path)
    #expect(files.count == 1)
  }

  // MARK: Damaged metadata

  @Test func nothingIsLostWhenTheRepositoryIsGone() async throws {
    let (_, store, _, _) = try await followed()
    let before = store.files
    let refusal = await refresh(store, from: MemoryFiles())
    #expect(refusal == .unreachable)
    #expect(store.files == before)
  }

  /// Bytes cut, repeated, exchanged and inverted at random: refused or without effect, and the trusted metadata stay.
  @Test func damagedMetadataAreRefused() async throws {
    let (fixture, store, _, new) = try await followed()
    let honest = new.files
    var random = SeededGenerator(seed: 21)
    for _ in 0..<(Int(environment("PROPERTIES") ?? "") ?? 2_000) {
      let path = honest.keys.sorted().randomElement(using: &random)!
      var bytes = honest[path]!
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
      guard bytes != honest[path]! else { continue }
      let mirror = MemoryFiles(honest.merging([path: bytes]) { $1 })
      let fresh = try fixture.trustingStore()
      let refusal = await refresh(fresh, from: mirror)
      // White space between tokens is not signed in the timestamp, which has no hash.
      if refusal == nil, path == "timestamp.json" {
        let (found, signed) = (
          try MetadataReader(bytes: bytes, subject: "")["signed"].value,
          try MetadataReader(bytes: honest[path]!, subject: "")["signed"].value
        )
        #expect(found == signed)
      } else if path.hasPrefix("2.") || path == "timestamp.json" {
        #expect(refusal != nil, "\(path): \(String(decoding: bytes, as: UTF8.self))")
      }
      let trusted = await refresh(store, from: mirror)
      if trusted != nil { #expect(store.files == honest.trusted) }
    }
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes.removeSubrange(place...)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
    case 4: bytes[place] = UInt8(ascii: "0") + UInt8.random(in: 0..<10, using: &random)
    default: bytes.insert(contentsOf: Array(repeating: UInt8(ascii: "["), count: 200), at: place)
    }
  }
}

extension [String: [UInt8]] {
  /// The metadata that a client trusts after a refresh from these files.
  fileprivate var trusted: Self {
    let files = [
      "root": "1.root.json", "timestamp": "timestamp.json", "snapshot": "2.snapshot.json", "targets": "2.targets.json",
    ]
    return files.compactMapValues { self[$0] }
  }
}
#endif
