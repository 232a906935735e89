#if Sharing
import CLibrary
import StreamCore
import StreamKit
import Synchronization
import Testing

@testable import StreamSharing

/// The code of the page about following a stream, with a repository in a folder.
@Suite struct FollowingPageTests {
  private struct Alert: Decodable, Sendable, Equatable {
    let total: Int
  }

  private static let file = #"""
    {"inputs": {"payments": {}}, "source": {"input": {"name": "payments"}}, "operators": [
      {"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}},
      {"map": {"expression": "{'total': value * FACTOR}"}}
    ]}
    """#

  @Test func anAppFollowsAStreamInAFolder() async throws {
    var fixture = try Fixture()
    let text = Self.file.replacing("FACTOR", with: "2")
    try fixture.repository.publish(
      [
        Repository.Addition(
          path: "checkout/fraud.json", bytes: Array(text.utf8),
          custom: Publication(version: 1, content: try contentID(text)).custom)
      ], now: Int64(time(nil)))
    let (address, cache) = (fixture.folder.path, try TemporaryFolder())
    let builtIn = try StreamModel(parsing: Self.file.replacing("FACTOR", with: "1"))
    let rootShippedWithTheApp = try #require(try fixture.metadata()["1.root.json"])
    let payments = PassthroughInput<Int>()
    for folder in [cache.path + "/a", cache.path + "/a"] {
      let seen = Mutex<[Alert]>([])
      let lines = Mutex<[String]>([])
      try await follow(
        address, rootShippedWithTheApp, folder, builtIn, payments,
        seen: { alert in seen.withLock { $0.append(alert) } },
        log: { line in lines.withLock { $0.append(line) } })
      #expect(seen.withLock { $0 } == [Alert(total: 6)])
      #expect(lines.withLock { !Set($0).isDisjoint(with: ["inconclusive 1 ", "probation 1 "]) })
    }
  }

  private func follow(
    _ address: String, _ rootShippedWithTheApp: [UInt8], _ folder: String, _ builtIn: StreamModel,
    _ payments: PassthroughInput<Int>, seen: @escaping @Sendable (Alert) -> Void,
    log: @escaping @Sendable (String) -> Void
  ) async throws {
    let repository = try SharedRepository(address, trust: rootShippedWithTheApp, cache: folder)
    let fraud = try SharedStream("checkout/fraud", from: repository, fallback: builtIn)

    let logging = Task {
      for await state in fraud.states {
        log("\(state.phase) \(state.version ?? 0) \(state.problem?.description ?? "")")
      }
    }
    Task {
      for await state in fraud.states where [.inconclusive, .probation].contains(state.phase) { break }
      // The version has replaced the fallback when the check is over.
      await fraud.check()
      payments.send(3)
    }
    func show(_ alert: Alert) {
      seen(alert)
      fraud.cancel()
    }

    for try await alert in fraud.values(of: Alert.self, inputs: ["payments": payments]) {
      show(alert)
    }

    await logging.value
  }

  @Test func reportsAndNoticesAreSwitchedOn() throws {
    let (hub, token) = ("http://127.0.0.1:1", "secret")
    let (fixture, cache) = (try Fixture(), try TemporaryFolder())
    let folder = cache.path + "/cache"
    let rootShippedWithTheApp = try #require(try fixture.metadata()["1.root.json"])

    let repository = try SharedRepository(
      "\(hub)/repository", trust: rootShippedWithTheApp, cache: folder, attributes: ValueMap([("platform", "ios")]),
      reports: try HTTPReportReceiver(hub, token: token))
    repository.listen(to: try HubNotices(hub))

    // The ID is kept.
    let again = try SharedRepository(hub, trust: rootShippedWithTheApp, cache: folder)
    #expect(again.client.id == repository.client.id)
    #expect(again.client.id.count == 32)
    #expect(repository.client.attributes["platform"] == "ios")
  }
}
#endif
