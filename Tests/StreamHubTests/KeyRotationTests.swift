#if Sharing
import CLibrary
import Foundation
import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

/// Keys that are replaced, lost and found beside a hub that runs.
@Suite struct KeyRotationTests {
  private let folder: TemporaryFolder
  private let path: String
  private let keyFolder: KeyFolder
  /// The key of the root, which is never on the machine of the hub.
  private let root: SigningKey
  private let log = LogLines()

  private static let online: [RoleName] = [.timestamp, .snapshot, .targets]

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/repository"
    keyFolder = KeyFolder(path: "\(folder.path)/keys", passphrases: PassphraseReader(file: nil))
    root = try SigningKey.generate()
    var authorities: [RoleName: RoleAuthority] = [.root: RoleAuthority([root])]
    for role in Self.online {
      let key = try SigningKey.generate()
      try keyFolder.write(key, for: role.rawValue, isEncrypted: false)
      authorities[role] = RoleAuthority([key])
    }
    _ = try Repository.create(in: path, authorities: authorities, now: SystemClock.seconds)
  }

  private func makeHub() throws -> TestHub {
    let keys = WatchedKeys(keyFolder.path, passphraseFile: nil, signing: path)
    let repository = try FolderRepository(path, keys: keys)
    keys.detach()
    return try TestHub(repository, in: folder, log: HubLog { [log] in log.append($0) })
  }

  /// The names of the key files.
  private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: keyFolder.path) } }

  /// Replaces the keys of all roles but the root, as `streamhub keys rotate` does. Old key files stay.
  ///
  /// - Parameter copies: Whether the new keys come to the hub. Returns them.
  @discardableResult
  private func rotate(copies: Bool = true) throws -> [RoleName: SigningKey] {
    var opened = try Repository(opening: path, keys: [root])
    opened.add(try keyFolder.keys(of: opened) { _ in true })
    var new: [RoleName: SigningKey] = [:]
    for role in Self.online {
      let key = try SigningKey.generate()
      new[role] = key
      if copies { try keyFolder.write(key, for: role.rawValue, isEncrypted: false) }
    }
    try opened.rotate(new.mapValues { RoleAuthority([$0]) }, now: SystemClock.seconds)
    return new
  }

  /// Does the work of each second.
  private func look(_ hub: TestHub) { hub.running.hub.changes.sync { hub.running.work() } }

  private func publish(_ number: Int, _ hub: TestHub, _ token: String, query: String = "") throws -> Int {
    try hub.publish("a", "{\"source\": {\"just\": {\"value\": \(number)}}}", token, query: query).status
  }

  private func keyEvents(_ hub: TestHub) -> [Value] {
    hub.running.hub.log.flush()
    return log.values.filter { $0.member("event") == "keys" }
  }

  @Test func aHubSignsWithTheKeysThatReplaceTheOnesItBeganWith() throws {
    let hub = try makeHub()
    let token = try hub.token(.admin)
    let first = [try publish(1, hub, token), try publish(2, hub, token, query: "?percent=50")]
    let stolen = try files
    try rotate()
    // The thief has these files; the hub needs none of them.
    for name in stolen { try FileManager.default.removeItem(atPath: "\(keyFolder.path)/\(name)") }
    let halted = try hub.send("POST", "/v1/streams/a/halt", token: token).status
    let later = [try publish(3, hub, token, query: "?percent=50")]
    let promoted = try hub.send("POST", "/v1/streams/a/promote", token: token).status
    let isRenewed = try hub.running.hub.changes.sync {
      try hub.repository.renewIfNeeded(now: SystemClock.seconds + 5 * 86_400)
    }
    let ready = try hub.send("GET", "/readyz").status
    #expect(first == [201, 200])
    let statuses = [halted, promoted, ready] + later
    #expect(statuses == [200, 200, 200, 200])
    #expect(isRenewed)
  }

  /// The keys were stolen, and the new ones are not on this machine yet.
  @Test func aHubWithoutTheNewKeysIsNotReadyUntilItHasThem() throws {
    let hub = try makeHub()
    look(hub)
    let token = try hub.token(.admin)
    _ = try publish(1, hub, token)
    let new = try rotate(copies: false)
    let refused = try publish(2, hub, token)
    look(hub)
    let without = try hub.send("GET", "/readyz")
    for (role, key) in new { try keyFolder.write(key, for: role.rawValue, isEncrypted: false) }
    look(hub)
    let with = try hub.send("GET", "/readyz").status
    let published = try publish(2, hub, token)
    let statuses = [refused, without.status, with, published]
    #expect(statuses == [403, 503, 200, 200])
    let detail = without.json.member("detail")?.text ?? ""
    let expected = "the hub cannot sign 'snapshot' and 'timestamp', since their keys are not in the folder of the keys"
    #expect(detail.hasPrefix(expected), "\(detail)")
    let events = keyEvents(hub)
    #expect(events.map { $0.member("level") } == ["error", "info"])
    #expect(events.first?.member("lost") == ["timestamp", "snapshot", "targets"])
    #expect(events.last?.member("signs") == ["timestamp", "snapshot", "targets"])
    let told = log.values.compactMap { $0.member("event")?.text }.filter { $0.hasSuffix("ready") }
    #expect(told == ["not-ready", "ready"])
  }

  @Test(arguments: ["timestamp", "snapshot", "targets"])
  func aKeyThatIsLostIsNoticed(_ role: String) throws {
    let hub = try makeHub()
    let file = try #require(try files.first { $0.hasPrefix(role) })
    let (from, to) = ("\(keyFolder.path)/\(file)", "\(folder.path)/\(file)")
    look(hub)
    #expect(rename(from, to) == 0)
    look(hub)
    let lost = try hub.send("GET", "/readyz").status
    let health = try hub.send("GET", "/health").json
    #expect(rename(to, from) == 0)
    look(hub)
    let found = try hub.send("GET", "/readyz").status
    // Publishers may sign streams themselves, but only the hub signs the timestamp and the snapshot.
    let statuses = [lost, found]
    #expect(statuses == [role == "targets" ? 200 : 503, 200])
    #expect(health.member("signs") == .list(Self.online.map(\.rawValue).filter { $0 != role }.map(Value.string)))
    let events = keyEvents(hub)
    #expect(events.map { $0.member("level") } == [role == "targets" ? "warning" : "error", "info"])
    #expect(events.first?.member("lost") == .list([.string(role)]))
  }

  @Test func aKeyThatCannotBeReadIsAWarningWhileTheOthersSign() throws {
    let hub = try makeHub()
    look(hub)
    try Data("no key".utf8).write(to: URL(fileURLWithPath: "\(keyFolder.path)/notes.pem"))
    look(hub)
    let reply = try hub.send("GET", "/health")
    #expect(reply.status == 200)
    #expect(reply.json.member("status") == "warn")
    #expect(keyEvents(hub).map { $0.member("level") } == ["warning"])
    let published = try publish(1, hub, try hub.token(.admin))
    #expect(published == 201)
  }

  @Test func aHubWithoutKeysServesWhatOthersPublish() throws {
    for name in try files { try FileManager.default.removeItem(atPath: "\(keyFolder.path)/\(name)") }
    let hub = try makeHub()
    let reply = try hub.send("GET", "/health")
    #expect(reply.json.member("status") == "pass")
    #expect(reply.json.member("signs") == [])
  }

  @Test func aRootThatIsReplacedAloneIsNoticed() throws {
    let hub = try makeHub()
    var opened = try Repository(opening: path, keys: [root])
    let next = try SigningKey.generate()
    try opened.rotate([.root: RoleAuthority([next])], now: SystemClock.seconds + 86_400)
    look(hub)
    let expires = hub.repository.expirations.first { $0.role == "root" }?.expires
    #expect(expires == opened.expiration(of: "root"))
  }

  @Test func oneHubSignsARepository() throws {
    let hub = try makeHub()
    let second = WatchedKeys(keyFolder.path, passphraseFile: nil, signing: path)
    let repository = try FolderRepository(path, keys: second)
    #expect(repository.keyState.signs == [])
    #expect(repository.keyState.unusedKey?.reason == "another hub signs the repository in this folder")
    let published = try publish(1, hub, try hub.token(.admin))
    #expect(published == 201)
  }
}
#endif
