#if Sharing
import Dispatch
import Foundation
import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

@Suite struct ReportTests {
  private func report(
    _ client: Int, _ state: String, version: Int = 2, content: String = EntityTag.of("two"), stream: String = "a"
  ) -> Value {
    [
      "client": .string("client-\(client)"), "stream": .string(stream), "version": .int(Int64(version)),
      "content": .string(content), "state": .string(state), "diagnostics": ["it broke"],
    ]
  }

  private func send(_ reports: [Value], to hub: TestHub, _ token: String) throws -> Reply {
    try hub.send("POST", "/v1/reports", token: token, body: JSONWriter.compact(.list(reports)))
  }

  /// The counts of a version, by default: running, good, failed.
  private func counts(
    _ hub: TestHub, _ token: String, _ version: Int64 = 2, _ states: [String] = ["running", "good", "failed"]
  ) throws -> [Value?] {
    let reply = try hub.send("GET", "/v1/rollouts/a", token: token)
    guard case .list(let versions)? = reply.json.member("versions"),
      let found = versions.first(where: { $0.member("version") == .int(version) })
    else { return [] }
    return states.map { found.member("reports")?.member($0) }
  }

  private func hubWithCandidate(_ adjust: (inout HubOptions) -> Void = { _ in }) throws -> (TestHub, String) {
    let hub = try TestHub(FakeRepository(), adjust)
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    try hub.publish("a", "two", token, query: "?percent=20")
    return (hub, token)
  }

  @Test func aClientCountsOnceWithItsLastState() throws {
    let (hub, token) = try hubWithCandidate()
    let first = try send([report(1, "running"), report(2, "running"), report(1, "good")], to: hub, token)
    #expect(first.status == 202)
    #expect(first.json == ["accepted": 3, "ignored": 0])
    _ = try send([report(1, "good"), report(2, "good"), report(2, "running")], to: hub, token)
    let counts = try counts(hub, token)
    #expect(counts == [1, 1, 0])
  }

  /// A version that has had no value at a client is not good there; a failure after the probation counts as any other.
  @Test func clientsWithoutValuesAndLaterFailuresAreShown() throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send((1...3).map { report($0, "inconclusive") }, to: hub, token)
    _ = try send([report(2, "running"), report(3, "good")], to: hub, token)
    _ = try send([report(3, "failed")], to: hub, token)
    let counts = try counts(hub, token, 2, StreamReport.State.allCases.map(\.rawValue))
    #expect(counts == [1, 1, 0, 1])
    let metrics = try hub.send("GET", "/metrics", token: token).text
    #expect(metrics.contains("streamhub_clients{state=\"inconclusive\"} 1\n"))
  }

  /// A few devices that refuse a version at once are compared with all that run it, although most had no value yet.
  @Test func refusalsOfFewDevicesDoNotHaltARolloutWhoseClientsWaitForValues() throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send((1...400).map { report($0, $0 <= 5 ? "failed" : "inconclusive") }, to: hub, token)
    _ = try send((6...20).map { report($0, "running") }, to: hub, token)
    let halted = try isHalted(hub, token)
    #expect(!halted)
  }

  @Test func conditionsAreCheckedAgainstTheAttributesThatClientsHaveReported() throws {
    let (hub, token) = try hubWithCandidate()
    func warnings(_ condition: String) throws -> Value? {
      let query = condition.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let reply = try hub.publish("a", "where \(condition)", token, query: "?percent=10&where=\(query)")
      #expect(reply.status == 200, "\(reply.text)")
      return reply.json.member("warnings")
    }
    let unknown = try warnings("client.platfrom == 'ios'")
    var value = report(1, "running")
    if case .map(let map) = value { value = .map(map.setting("attributes", ["platform", "build"])) }
    _ = try send([value], to: hub, token)
    let found = [
      try warnings("client.platfrom == 'ios' && has(client.build)"), try warnings("client.platform == 'ios'"),
      try warnings("client.id == 'c' || client['bild'] > 3"),
    ]
    #expect(unknown == nil)
    #expect(
      found == [
        ["no client has reported an attribute 'platfrom'; did you mean 'platform'?"], nil,
        ["no client has reported an attribute 'bild'; did you mean 'build'?"],
      ])
    hub.running.hub.counting.sync { _ = hub.running.hub.attributes.save() }
    #expect(AttributeNames("\(hub.folder.path)/hub/attributes.json").names == ["platform", "build"])
  }

  @Test func oneObjectIsAReportToo() throws {
    let (hub, token) = try hubWithCandidate()
    let reply = try hub.send("POST", "/v1/reports", token: token, body: JSONWriter.compact(report(1, "good")))
    #expect(reply.json == ["accepted": 1, "ignored": 0])
  }

  @Test func reportsOnOtherThingsCountNothing() throws {
    let (hub, token) = try hubWithCandidate()
    let reply = try send(
      [
        report(1, "failed", version: 9), report(1, "failed", content: "sha256:other"), report(1, "failed", stream: "b"),
      ], to: hub, token)
    #expect(reply.json == ["accepted": 0, "ignored": 3])
  }

  /// Clients read the repository's files, which another program may have changed since the hub has read them.
  @Test func reportsOnVersionsThatTheHubHasNotReadYetCount() throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository) { _ in }
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    for version in 2...20 {
      let text = "version \(version)"
      _ = try repository.publish(HubPublication(name: try StreamName("a"), bytes: Array(text.utf8)), now: 1)
      let reply = try send(
        [report(1, "running", version: version, content: EntityTag.of(text))], to: hub, token)
      #expect(reply.json == ["accepted": 1, "ignored": 0])
    }
    let counts = try counts(hub, token, 20)
    #expect(counts == [1, 0, 0])
  }

  @Test func tooManyReportsAreRefused() throws {
    let (hub, token) = try hubWithCandidate()
    let small: Value = ["client": "c"]
    let reply = try send(Array(repeating: small, count: 501), to: hub, token)
    #expect(reply.status == 400)
  }

  @Test func failuresHaltARollout() throws {
    let (hub, token) = try hubWithCandidate()
    let reader = try hub.reader(token)
    _ = reader.event()
    // 5 of 19 are above the share, but these are too few.
    _ = try send((0...4).map { report($0, "failed") } + (5...18).map { report($0, "good") }, to: hub, token)
    let before = try hub.send("GET", "/v1/streams/a", token: token)
    #expect(before.json.member("candidates") != [])
    _ = try send([report(19, "failed")], to: hub, token)
    let event = try #require(reader.event())
    #expect(event[1] == "event: halted")
    #expect(event[2].contains("\"reason\":\"6 of 20 clients report failures\""))
    let after = try hub.send("GET", "/v1/rollouts/a", token: token)
    guard case .list(let versions)? = after.json.member("versions") else {
      Issue.record("\(after.text)")
      return
    }
    #expect(versions[0].member("state") == "halted")
    guard case .list(let failures)? = versions[0].member("failures") else {
      Issue.record("\(after.text)")
      return
    }
    let reasons = failures.map { $0.member("diagnostics") ?? .null }
    let broken: Value = ["it broke"]
    #expect(reasons == Array(repeating: broken, count: 6))
    let metrics = try hub.send("GET", "/metrics", token: token).text
    #expect(metrics.contains("streamhub_self_halts_total 1\n"))
    let audit = try lines(of: "audit.ndjson", hub)
    #expect(audit.last?.member("actor") == "hub")
    #expect(audit.last?.member("action") == "halt")
  }

  private func isHalted(_ hub: TestHub, _ token: String) throws -> Bool {
    hub.running.hub.counting.sync {}
    hub.running.hub.changes.sync {}
    return try hub.send("GET", "/v1/streams/a", token: token).json.member("candidates") == []
  }

  @Test(arguments: 1...4)
  func fewOddDevicesDoNotHaltARollout(_ odd: Int) throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send((odd + 1...20).map { report($0, "good") }, to: hub, token)
    _ = try send((1...odd).map { report($0, "failed") }, to: hub, token)
    let halted = try isHalted(hub, token)
    #expect(!halted)
  }

  @Test func theLowerEndOfTheIntervalHasToBeAboveTheShare() throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send((1...110).map { report($0, "good") }, to: hub, token)
    // 5 of 110 are 4.5 %, but 2.0 % is within the interval.
    _ = try send((1...5).map { report($0, "failed") }, to: hub, token)
    let before = try isHalted(hub, token)
    #expect(!before)
    _ = try send([report(6, "failed")], to: hub, token)
    let after = try isHalted(hub, token)
    #expect(after)
  }

  @Test func theThresholdIsAnOption() throws {
    let (hub, token) = try hubWithCandidate { $0.halting = HaltRule(percent: 50, reports: 2, failures: 1) }
    _ = try send([report(1, "failed"), report(2, "good")], to: hub, token)
    hub.running.hub.changes.sync {}
    let stream = try hub.send("GET", "/v1/streams/a", token: token)
    #expect(stream.json.member("candidates") != [])
  }

  @Test func aStableVersionIsNotHalted() throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send((1...30).map { report($0, "failed", version: 1, content: EntityTag.of("one")) }, to: hub, token)
    hub.running.hub.changes.sync {}
    let stream = try hub.send("GET", "/v1/streams/a", token: token)
    #expect(stream.json.member("stable") == 1)
    let counts = try counts(hub, token, 1)
    #expect(counts == [0, 0, 30])
  }

  @Test func reportsSurviveARestart() throws {
    let (hub, token) = try hubWithCandidate()
    _ = try send([report(1, "good"), report(2, "failed"), report(3, "running"), report(3, "good")], to: hub, token)
    try hub.restart()
    let counts = try counts(hub, token)
    #expect(counts == [0, 2, 1])
    // The hub stores no IDs of clients.
    let lines = try lines(of: "reports.ndjson", hub)
    #expect(lines.count == 4)
    #expect(!lines.contains { JSONWriter.compact($0).contains("client-") })
  }

  private func lines(of file: String, _ hub: TestHub) throws -> [Value] {
    var lines: [Value] = []
    _ = try Journal("\(hub.folder.path)/hub/\(file)") { lines.append($0) }
    return lines
  }
}
#endif
