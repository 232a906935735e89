#if Sharing
import Dispatch
@_spi(Engine) import StreamCore
import StreamSharing
import Synchronization
import Testing

@testable import StreamHub

/// A hub reports roles that expire, and whether it is ready.
@Suite struct ReadinessTests {
  @Test func aHubIsReadyWhileItsMetadataAreValid() throws {
    let hub = try TestHub()
    let reply = try hub.send("GET", "/readyz")
    #expect(reply.status == 200)
    #expect(reply.json.member("ready") == true)
    guard case .list(let roles)? = reply.json.member("roles") else {
      Issue.record("\(reply.text)")
      return
    }
    #expect(roles.map { $0.member("role") } == ["root", "timestamp"])
  }

  /// Days until the role expires: not ready in the last 7, or, for the timestamp, which is valid for 7, in the last.
  @Test(arguments: [
    ("root", 7, true), ("root", 6, false), ("root", -1, false), ("timestamp", 1, true), ("timestamp", 0, false),
  ])
  func aHubIsNotReadyBeforeItsClientsStop(_ role: String, _ days: Int, _ isReady: Bool) throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    repository.expire(role, in: Int64(days))
    let reply = try hub.send("GET", "/readyz")
    #expect(reply.status == (isReady ? 200 : 503))
    let metrics = try hub.send("GET", "/metrics", token: try hub.token(.admin)).text
    #expect(metrics.contains("streamhub_ready \(isReady ? 1 : 0)\n"))
    #expect(metrics.contains("streamhub_role_expires_seconds{role=\"\(role)\"} \(days * 86_400)".dropLast(4)))
    guard !isReady else { return }
    #expect(reply.json.member("type")?.text?.hasSuffix("/not-ready") == true)
    #expect(reply.json.member("detail")?.text?.contains("the metadata of '\(role)' expire") == true)
    // It is alive all the same.
    let health = try hub.send("GET", "/healthz")
    #expect(health.status == 200)
  }

  @Test func aHubWhoseChangesAreBlockedIsNotReady() {
    var health = HubHealth()
    #expect(health.problems([], at: 0, 100_000) == [])
    health.lastWork = 10_000
    #expect(health.problems([], at: 0, 40_000) == [])
    #expect(health.problems([], at: 0, 50_000) == ["no change has been possible for 40 s"])
    health.repositoryProblem = "timestamp: the disk is full"
    #expect(health.problems([], at: 0, 10_000) == ["timestamp: the disk is full"])
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
        hub.running.reportExpirations(time)
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
