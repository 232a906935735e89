#if Sharing
import StreamCore
import Synchronization
import Testing

@testable import StreamSharing

/// A disk that is full, or a process that is killed, after a number of writes.
private final class FailingStorage: RepositoryStorage {
  /// The behavior of the disk once its writes are used up.
  enum Failure: CaseIterable {
    /// The write fails, and the process continues.
    case full
    /// As before, and half of the bytes lie beside the file.
    case torn
  }

  let folder: FolderStorage
  private let failure: Failure
  private let remaining: Mutex<Int>
  private let written = Mutex<[String]>([])

  init(_ folder: String, writes: Int, _ failure: Failure) {
    self.folder = FolderStorage(folder: folder)
    self.failure = failure
    remaining = Mutex(writes)
  }

  /// The paths that were written, in order.
  var paths: [String] { written.withLock { $0 } }

  func prepare() throws(TrustError) { try folder.prepare() }

  func read(_ path: String, of subject: String) throws(TrustError) -> [UInt8]? { try folder.read(path, of: subject) }

  func write(_ bytes: [UInt8], to path: String, of subject: String) throws(TrustError) {
    let isPossible = remaining.withLock { remaining in
      remaining -= 1
      return remaining >= 0
    }
    guard isPossible else {
      if failure == .torn {
        try folder.write(Array(bytes.prefix(bytes.count / 2)), to: path + ".1-0.new", of: subject)
      }
      throw TrustError(.storage, subject, "no space is left on the device")
    }
    written.withLock { $0.append(path) }
    try folder.write(bytes, to: path, of: subject)
  }

  func exclusively(_ change: () throws(TrustError) -> Void) throws(TrustError) { try folder.exclusively(change) }
}

/// A publisher that stops in the middle: the repository is the old one or the new one, and can be changed again.
@Suite struct CrashTests {
  /// The changes that are cut.
  enum Change: String, CaseIterable {
    case publish, candidate, promote, halt, rollBack, delegate, rotate, rotateAll, renew
  }

  private let name: StreamName

  init() throws { name = try StreamName("checkout/fraud") }

  private func draft(_ number: Int, percent: Int? = nil) throws -> Draft {
    try Draft(
      name, Array("{\"stream\": [{\"value\": \(number)}]}".utf8),
      rollout: percent.map { Rollout(percent: $0, salt: "s") })
  }

  private func make(_ change: Change, _ repository: Repository, _ more: [SigningKey]) throws {
    var publisher = RepositoryPublisher(repository)
    var repository = repository
    let now = Fixture.start + 5
    switch change {
    case .publish: _ = try publisher.publish(try draft(9), now: now)
    case .candidate: _ = try publisher.publish(try draft(9, percent: 50), now: now)
    case .promote: try publisher.promote(name, now: now)
    case .halt: try publisher.halt(name, reason: "no", now: now)
    case .rollBack: _ = try publisher.rollBack(name, to: 1, now: now)
    case .delegate: try repository.delegate(["a/*"], to: "a", RoleAuthority([more[0]]), now: now)
    case .rotate: try repository.rotate([.targets: RoleAuthority([more[0]])], now: now)
    case .rotateAll:
      try repository.rotate(
        [
          .root: RoleAuthority([more[0]]), .targets: RoleAuthority([more[1]]), .snapshot: RoleAuthority([more[2]]),
          .timestamp: RoleAuthority([more[3]]),
        ], now: now)
    case .renew: try repository.renew(["root", "targets"], now: now)
    }
  }

  /// The repository as a client sees it: the file it runs, and the streams.
  private func view(_ fixture: Fixture, _ store: MemoryFiles) async throws -> [String] {
    var client = try RepositoryClient(metadata: try fixture.metadata(), store: store, now: Fixture.start + 10)
    try await client.refresh()
    let selection = try await client.select(name.path, for: SharingClient(id: "c"), providing: { _ in true })
    let bytes = try await client.read(selection.target, from: try fixture.targets())
    let streams = try await client.streams()
    return [String(decoding: bytes, as: UTF8.self)]
      + streams.flatMap { stream in stream.versions.map { "\($0.number) \($0.state)" } }
  }

  @Test(arguments: Change.allCases)
  func everyWriteMayBeTheLast(_ change: Change) async throws {
    var more: [SigningKey] = []
    for _ in 0..<4 { more.append(try SigningKey.generate()) }
    for failure in FailingStorage.Failure.allCases {
      var count = 0
      var isWhole = false
      var views: Set<[String]> = []
      while !isWhole {
        let fixture = try Fixture()
        var publisher = RepositoryPublisher(fixture.repository)
        _ = try publisher.publish(try draft(1), now: Fixture.start)
        _ = try publisher.publish(try draft(2), now: Fixture.start)
        _ = try publisher.publish(try draft(3, percent: 100), now: Fixture.start)
        let follower = try fixture.trustingStore()
        let before = try await view(fixture, follower)
        let storage = FailingStorage(fixture.folder.path, writes: count, failure)
        let keys = fixture.keys.values.flatMap(\.keys)
        do {
          try make(change, try Repository(opening: storage, named: "test", keys: keys), more)
          isWhole = true
        } catch let error as TrustError {
          #expect(error.kind == .storage)
        }
        // Both a client that has followed and a new one read a whole repository.
        let after = try await view(fixture, follower)
        let fresh = try await view(fixture, try fixture.trustingStore())
        #expect(after == fresh)
        views.insert(after)
        if isWhole {
          // The timestamp is written after all that it leads to; a root that replaces it last is the next version.
          let last = try #require(storage.paths.last { !$0.hasSuffix(".root.json") })
          #expect(last == "metadata/timestamp.json")
        } else if !change.replacesKeys {
          #expect(after == before)
        }
        // The next publisher continues, whatever was left behind.
        var next = RepositoryPublisher(try Repository(opening: fixture.folder.path, keys: keys + more))
        _ = try next.publish(try draft(77), now: Fixture.start + 6)
        let end = try await view(fixture, follower)
        #expect(end[0] == "{\"stream\": [{\"value\": 77}]}")
        count += 1
      }
      #expect(count > 2)
      #expect(views.count <= 2)
    }
  }
}

extension CrashTests.Change {
  fileprivate var replacesKeys: Bool { self == .rotate || self == .rotateAll || self == .renew || self == .delegate }
}
#endif
