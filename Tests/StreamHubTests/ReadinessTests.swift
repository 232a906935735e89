#if Sharing
import CLibrary
import Dispatch
import Foundation
@_spi(Engine) import StreamCore
import StreamSharing
import Synchronization
import Testing

@testable import StreamHub

/// A hub reports what is wrong, and whether it can serve and make changes.
@Suite struct ReadinessTests {
  @Test func aHubIsReadyWhileItsMetadataAreValid() throws {
    let hub = try TestHub()
    let reply = try hub.send("GET", "/readyz")
    #expect(reply.status == 200)
    #expect(reply.json == ["ready": true])
    let health = try hub.send("GET", "/health")
    #expect(health.status == 200)
    #expect(health.json.member("status") == "pass")
    #expect(health.json.member("causes") == [])
    guard case .list(let roles)? = health.json.member("roles") else {
      Issue.record("\(health.text)")
      return
    }
    #expect(roles.map { $0.member("role") } == ["root", "timestamp"])
  }

  /// Days until the role expires. Clients refuse expired metadata, and follow the hub until then.
  @Test(arguments: [
    ("root", 40, "pass"), ("root", 20, "warn"), ("root", 6, "warn"), ("root", -1, "fail"), ("timestamp", 4, "pass"),
    ("timestamp", 1, "warn"), ("timestamp", 0, "warn"), ("timestamp", -1, "fail"),
  ])
  func aHubThatStillServesIsReady(_ role: String, _ days: Int, _ status: String) throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    repository.expire(role, in: Int64(days))
    let isReady = status != "fail"
    let reply = try hub.send("GET", "/readyz")
    #expect(reply.status == (isReady ? 200 : 503))
    let health = try hub.send("GET", "/health")
    #expect(health.status == reply.status)
    #expect(health.json.member("status") == .string(status))
    let metrics = try hub.send("GET", "/metrics", token: try hub.token(.admin)).text
    #expect(metrics.contains("streamhub_ready \(isReady ? 1 : 0)\n"))
    #expect(metrics.contains("streamhub_health_causes{kind=\"expiring\"} \(status == "pass" ? 0 : 1)\n"))
    #expect(metrics.contains("streamhub_role_expires_seconds{role=\"\(role)\"} \(days * 86_400)".dropLast(4)))
    // It is alive all the same.
    let alive = try hub.send("GET", "/healthz")
    #expect(alive.status == 200)
    guard case .list(let causes)? = health.json.member("causes") else {
      Issue.record("\(health.text)")
      return
    }
    #expect(causes.count == (status == "pass" ? 0 : 1))
    guard let cause = causes.elements.first else { return }
    #expect(cause.member("kind") == "expiring")
    #expect(cause.member("status") == .string(status))
    #expect(cause.member("detail")?.text?.hasPrefix("the metadata of '\(role)' expire") == true)
    guard !isReady else { return }
    #expect(reply.json.member("type")?.text?.hasSuffix("/not-ready") == true)
    #expect(reply.json.member("detail") == cause.member("detail"))
  }

  private func details(_ health: HubHealth, _ milliseconds: Int64 = 10_000, isBlocking: Bool = true) -> [String] {
    health.causes([], at: 0, milliseconds).filter { $0.isBlocking == isBlocking }.map(\.detail)
  }

  @Test func aHubWhoseChangesAreBlockedIsNotReady() {
    var health = HubHealth()
    #expect(details(health, 100_000) == [])
    health.lastWork = 10_000
    #expect(details(health, 40_000) == [])
    #expect(details(health, 50_000) == ["no change has been possible for 40 s"])
    health.repositoryProblem = "timestamp: version 2 is malformed"
    #expect(details(health) == ["timestamp: version 2 is malformed"])
  }

  @Test func aHubThatCannotWriteOrSignIsNotReadyAndANearlyFullDiskIsAWarning() {
    var health = HubHealth()
    health.writeProblems = ["hub": "'hub' cannot be written: the disk is full"]
    health.keys = HubKeyState(problem: "the hub cannot sign 'timestamp'")
    health.space = ["hub": DiskSpace(available: 1_000_000, size: 20_000_000)]
    health.ageProblem = "the repository is older"
    #expect(details(health) == ["the hub cannot sign 'timestamp'", "'hub' cannot be written: the disk is full"])
    #expect(
      details(health, isBlocking: false) == [
        "the disk of 'hub' is nearly full: 1MB of 20MB is left", "the repository is older",
      ])
  }

  @Test func aDiskIsNearlyFullBelowATenthAndAGibibyte() {
    #expect(!DiskSpace(available: 50_000, size: 400_000).isNearlyFull)
    #expect(DiskSpace(available: 30_000, size: 400_000).isNearlyFull)
    #expect(!DiskSpace(available: 2 << 30, size: 1 << 40).isNearlyFull)
    #expect(DiskSpace(available: 1 << 29, size: 1 << 40).isNearlyFull)
  }

  /// A folder that is missing stands for one that cannot be written to: root may write everywhere else.
  @Test func aHubWhoseFolderCannotBeWrittenIsNotReadyUntilItCan() throws {
    let log = LogLines()
    let hub = try TestHub(FakeRepository(), log: HubLog { log.append($0) })
    let (state, elsewhere) = ("\(hub.folder.path)/hub", "\(hub.folder.path)/elsewhere")
    hub.running.hub.changes.sync { hub.running.hub.checkStorage() }
    let before = try hub.send("GET", "/readyz").status
    #expect(rename(state, elsewhere) == 0)
    hub.running.hub.changes.sync { hub.running.hub.checkStorage() }
    let broken = try hub.send("GET", "/readyz")
    #expect(rename(elsewhere, state) == 0)
    hub.running.hub.changes.sync { hub.running.hub.checkStorage() }
    let after = try hub.send("GET", "/readyz").status
    let statuses = [before, broken.status, after]
    #expect(statuses == [200, 503, 200])
    #expect(broken.json.member("detail")?.text?.hasSuffix("cannot be written: its directory does not exist") == true)
    hub.running.hub.log.flush()
    let lines = log.values.filter { $0.member("event") == "storage" }
    #expect(lines.map { $0.member("level") } == ["error", "info"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).contains(".probe") == false)
  }

  @Test func theLogTellsOfARoleAtTheStartDailyAndWhenItBecomesMoreUrgent() throws {
    let repository = FakeRepository()
    repository.expire("root", in: 20)
    let log = LogLines()
    let hub = try TestHub(repository, log: HubLog { log.append($0) })
    let now = SystemClock.seconds
    let day: Int64 = 86_400
    hub.running.hub.changes.sync {
      for time in [now, now + 60, now + day + 60, now + 15 * day, now + 15 * day + 60, now + 21 * day] {
        hub.running.reportCondition(time)
      }
    }
    hub.running.hub.log.flush()
    let lines = log.values.filter { $0.member("event") == "expiring" && $0.member("role") == "root" }
    #expect(lines.map { $0.member("level") } == ["warning", "warning", "error", "error"])
    #expect(
      lines.map { $0.member("detail")?.text?.split(separator: ";").first.map(String.init) } == [
        "the metadata of 'root' expire in 20 days", "the metadata of 'root' expire in 19 days",
        "the metadata of 'root' expire in 5 days", "the metadata of 'root' expired 23 hours ago",
      ])
  }

  @Test func theLogTellsWhenTheHubIsNotReadyAndReadyAgain() throws {
    let repository = FakeRepository()
    let log = LogLines()
    let hub = try TestHub(repository, log: HubLog { log.append($0) })
    hub.running.hub.changes.sync {
      for days in [-1, -1, 300] as [Int64] {
        repository.expire("root", in: days)
        hub.running.reportCondition(SystemClock.seconds)
      }
    }
    hub.running.hub.log.flush()
    let events = log.values.compactMap { $0.member("event")?.text }.filter { $0.hasSuffix("ready") }
    #expect(events == ["not-ready", "ready"])
  }

  @Test func aRepositoryThatIsOlderThanTheOneServedIsAWarning() throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    func causes(_ version: Int64) throws -> [String] {
      repository.restore(version)
      try hub.restart()
      hub.running.hub.changes.sync { hub.running.work() }
      let health = try hub.send("GET", "/health")
      #expect(health.status == 200)
      guard case .list(let causes)? = health.json.member("causes") else { return [] }
      return causes.compactMap { $0.member("kind")?.text }
    }
    let found = [try causes(4), try causes(2), try causes(5)]
    #expect(found == [[], ["older"], []])
  }
}

/// The lines of a log.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var values: [Value] {
    lines.withLock { $0 }.compactMap { line in
      var reader = JSONReader()
      return try? reader.read(line)
    }
  }
}
#endif
