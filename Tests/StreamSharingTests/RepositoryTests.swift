#if Sharing
import StreamCore
import Testing

@testable import StreamSharing

@Suite struct RepositoryTests {
  @Test(arguments: SigningKey.Scheme.allCases)
  func aClientFindsAndChecksWhatWasPublished(_ scheme: SigningKey.Scheme) async throws {
    var fixture = try Fixture(scheme: scheme)
    try fixture.repository.publish(
      [
        Repository.Addition(path: "checkout/fraud.json", bytes: Array("{}".utf8), custom: ["streamrun": ["version": 1]])
      ],
      now: Fixture.start)
    let store = try fixture.trustingStore()
    var client = try RepositoryClient(metadata: try fixture.metadata(), store: store, now: Fixture.start + 1)
    try await client.refresh()
    let target = try #require(try await client.target("checkout/fraud.json"))
    #expect(target.length == 2)
    #expect(target.custom == ["streamrun": ["version": 1]])
    let bytes = try await client.read(target, from: try fixture.targets())
    #expect(bytes == Array("{}".utf8))
    let missing = try await client.target("checkout/other.json")
    #expect(missing == nil)
  }

  @Test func aRefreshReadsEachFileOnce() async throws {
    let fixture = try Fixture()
    let (store, metadata) = (try fixture.trustingStore(), try fixture.metadata())
    await refresh(store, from: metadata)
    #expect(metadata.reads == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
    await refresh(store, from: metadata)
    #expect(metadata.reads.suffix(2) == ["2.root.json", "timestamp.json"])
  }

  @Test func publishingAgainReplacesAndRemoves() async throws {
    var fixture = try Fixture()
    let store = try fixture.trustingStore()
    for text in ["1", "2"] {
      try fixture.repository.publish([.init(path: "a.json", bytes: Array(text.utf8))], now: Fixture.start)
      var client = try RepositoryClient(metadata: try fixture.metadata(), store: store, now: Fixture.start + 1)
      try await client.refresh()
      let target = try #require(try await client.target("a.json"))
      let bytes = try await client.read(target, from: try fixture.targets())
      #expect(bytes == Array(text.utf8))
    }
    try fixture.repository.publish([], removing: ["a.json"], now: Fixture.start)
    var client = try RepositoryClient(metadata: try fixture.metadata(), store: store, now: Fixture.start + 1)
    try await client.refresh()
    let removed = try await client.target("a.json")
    #expect(removed == nil)
  }

  @Test func aRepositoryIsOpenedWithTheKeysOfOneRole() async throws {
    var fixture = try Fixture()
    let team = RoleAuthority([try SigningKey.generate()])
    try fixture.repository.delegate(["checkout/*"], to: "checkout", team, now: Fixture.start)
    let online = [fixture.key(.snapshot), fixture.key(.timestamp)]
    var theirs = try Repository(opening: fixture.folder.path, keys: team.keys + online)
    try theirs.publish([.init(path: "checkout/fraud.json", bytes: [49])], as: "checkout", now: Fixture.start)
    #expect(throws: TrustError.self) {
      try theirs.publish([.init(path: "other.json", bytes: [50])], now: Fixture.start)
    }
    let store = try fixture.trustingStore()
    var client = try RepositoryClient(metadata: try fixture.metadata(), store: store, now: Fixture.start + 1)
    try await client.refresh()
    let target = try #require(try await client.target("checkout/fraud.json"))
    #expect(target.length == 1)
  }

  @Test func aDelegatedRoleHasNoOtherPaths() async throws {
    var fixture = try Fixture()
    let team = RoleAuthority([try SigningKey.generate()])
    try fixture.repository.delegate(["checkout/*"], to: "checkout", team, now: Fixture.start)
    var theirs = try Repository(
      opening: fixture.folder.path, keys: team.keys + [fixture.key(.snapshot), fixture.key(.timestamp)])
    try theirs.publish([.init(path: "login/a.json", bytes: [49])], as: "checkout", now: Fixture.start)
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await client.refresh()
    let target = try await client.target("login/a.json")
    #expect(target == nil)
  }

  @Test func everyRoleCanGetOtherKeysAndThresholds() async throws {
    var fixture = try Fixture()
    let store = try fixture.trustingStore()
    await refresh(store, from: try fixture.metadata())
    var authorities: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases {
      authorities[role] = RoleAuthority(try (0..<3).map { _ in try SigningKey.generate() }, threshold: 2)
    }
    try fixture.repository.rotate(authorities, now: Fixture.start)
    let refusal = await refresh(store, from: try fixture.metadata())
    #expect(refusal == nil)
    let root = try version(of: "root", in: store)
    #expect(root == 2)
    // The old keys no longer suffice.
    var old = try Repository(opening: fixture.folder.path, keys: fixture.keys.values.flatMap(\.keys))
    #expect(throws: TrustError.self) { try old.publish([.init(path: "a", bytes: [])], now: Fixture.start) }
    var new = try Repository(
      opening: fixture.folder.path, keys: authorities.values.flatMap { $0.keys.dropFirst() })
    try new.publish([.init(path: "a", bytes: [])], now: Fixture.start)
    let again = await refresh(store, from: try fixture.metadata())
    #expect(again == nil)
  }

  @Test func renewingPostponesTheExpiration() async throws {
    var fixture = try Fixture()
    let store = try fixture.trustingStore()
    let later = Fixture.start + 60 * 86_400
    let expired = await refresh(store, from: try fixture.metadata(), at: later)
    #expect(expired == .expired)
    try fixture.repository.renew(now: later)
    let renewed = await refresh(store, from: try fixture.metadata(), at: later)
    #expect(renewed == nil)
  }

  @Test(arguments: ["", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a/./b", "a\u{0}b"])
  func aPathThatLeavesTheFolderIsRefused(_ path: String) throws {
    var fixture = try Fixture()
    let error = #expect(throws: TrustError.self) {
      try fixture.repository.publish([.init(path: path, bytes: [])], now: Fixture.start)
    }
    #expect(error?.kind == .unsafeName)
  }

  @Test func aPublisherWithAnOldViewIsRefused() throws {
    var fixture = try Fixture()
    var other = fixture.repository
    try fixture.repository.publish([.init(path: "a", bytes: [])], now: Fixture.start)
    let error = #expect(throws: TrustError.self) {
      try other.publish([.init(path: "b", bytes: [])], now: Fixture.start)
    }
    let reason = "another publisher has changed the repository in between; repeat the command"
    #expect(error?.description.hasSuffix(reason) == true)
  }

  @Test func publishersAtOneTimeLoseNothing() async throws {
    let fixture = try Fixture()
    let (folder, keys) = (fixture.folder.path, fixture.keys.values.flatMap(\.keys))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for publisher in 0..<4 {
        group.addTask {
          for number in 0..<10 {
            // Opens it again until no other publisher is faster.
            while true {
              do throws(TrustError) {
                var repository = try Repository(opening: folder, keys: keys)
                try repository.publish([.init(path: "\(publisher)/\(number)", bytes: [])], now: Fixture.start)
                break
              } catch {
                guard error.kind == .storage else { throw error }
              }
              await Task.yield()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await client.refresh()
    for publisher in 0..<4 {
      for number in 0..<10 {
        let target = try await client.target("\(publisher)/\(number)")
        #expect(target != nil)
      }
    }
  }

  @Test func aSecondRepositoryInTheFolderIsRefused() throws {
    let fixture = try Fixture()
    let error = #expect(throws: TrustError.self) {
      try Repository.create(in: fixture.folder.path, authorities: fixture.keys, now: Fixture.start)
    }
    #expect(error?.description.contains("there is a repository in this folder") == true)
  }

  @Test func aThresholdBeyondTheKeysIsRefused() throws {
    let folder = try TemporaryFolder()
    var keys: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases { keys[role] = RoleAuthority([try SigningKey.generate()]) }
    keys[.root]?.threshold = 2
    let authorities = keys
    #expect(throws: TrustError.self) {
      try Repository.create(in: folder.path, authorities: authorities, now: Fixture.start)
    }
  }
}
#endif
