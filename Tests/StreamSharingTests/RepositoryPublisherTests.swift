#if Sharing
import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamSharing

@Suite struct PublisherTests {
  private let name: StreamName
  private let fixture: Fixture

  init() throws {
    name = try StreamName("checkout/fraud")
    fixture = try Fixture()
  }

  private func file(_ number: Int) -> [UInt8] { Array("{\"stream\": [{\"value\": \(number)}]}".utf8) }

  private func draft(_ number: Int, percent: Int? = nil) throws -> Draft {
    try Draft(name, file(number), rollout: percent.map { Rollout(percent: $0, salt: "s") })
  }

  private func states(_ publisher: RepositoryPublisher) throws -> [String] {
    try publisher.stream(name).versions.map { version in
      switch version.state {
      case .stable: "\(version.number) stable"
      case .candidate(let rollout): "\(version.number) \(rollout.percent) %"
      case .halted(let reason): "\(version.number) \(reason)"
      case .earlier: "\(version.number)"
      }
    }
  }

  /// The file that a client runs, as it reads the repository.
  private func selected(_ client: String = "c") async throws -> String {
    var reader = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await reader.refresh()
    let selection = try await reader.select(name.path, for: SharingClient(id: client), providing: { _ in true })
    return String(decoding: try await reader.read(selection.target, from: try fixture.targets()), as: UTF8.self)
  }

  @Test func versionsRiseAndStay() async throws {
    var publisher = RepositoryPublisher(fixture.repository)
    for number in 1...3 {
      guard case .published(let publication) = try publisher.publish(try draft(number), now: Fixture.start) else {
        Issue.record("version \(number) was not published")
        return
      }
      #expect(publication.version == number)
    }
    let states = try states(publisher)
    #expect(states == ["3 stable", "2", "1"])
    let selected = try await selected()
    #expect(selected == String(decoding: file(3), as: UTF8.self))
    for version in try publisher.stream(name).versions {
      let bytes = try publisher.bytes(of: version)
      #expect(bytes == file(version.number))
    }
  }

  @Test func theSameContentIsNoVersion() throws {
    var publisher = RepositoryPublisher(fixture.repository)
    _ = try publisher.publish(try draft(1), now: Fixture.start)
    let spelled = try Draft(name, Array("{ \"stream\" : [ {\"value\": 1} ] }".utf8))
    let again = try publisher.publish(spelled, now: Fixture.start)
    #expect(again == .unchanged(version: 1))
    _ = try publisher.publish(try draft(2, percent: 5), now: Fixture.start)
    let candidate = try publisher.publish(try draft(2, percent: 5), now: Fixture.start)
    #expect(candidate == .unchanged(version: 2))
  }

  @Test func aCandidateIsPromotedInSteps() async throws {
    var publisher = RepositoryPublisher(fixture.repository)
    _ = try publisher.publish(try draft(1), now: Fixture.start)
    _ = try publisher.publish(try draft(2, percent: 0), now: Fixture.start)
    let none = try await selected()
    #expect(none == String(decoding: file(1), as: UTF8.self))
    try publisher.promote(name, percent: 100, now: Fixture.start)
    let candidate = try await selected()
    #expect(candidate == String(decoding: file(2), as: UTF8.self))
    _ = try publisher.publish(try draft(3, percent: 50), now: Fixture.start)
    let both = try states(publisher)
    #expect(both == ["3 50 %", "2 100 %", "1 stable"])
    try publisher.promote(name, version: 2, now: Fixture.start)
    let after = try states(publisher)
    #expect(after == ["3 50 %", "2 stable", "1"])
    try publisher.promote(name, now: Fixture.start)
    let end = try states(publisher)
    #expect(end == ["3 stable", "2", "1"])
  }

  @Test func aPublicationToAllEndsEarlierRollouts() throws {
    var publisher = RepositoryPublisher(fixture.repository)
    _ = try publisher.publish(try draft(1), now: Fixture.start)
    _ = try publisher.publish(try draft(2, percent: 5), now: Fixture.start)
    _ = try publisher.publish(try draft(3), now: Fixture.start)
    let states = try states(publisher)
    #expect(states == ["3 stable", "2", "1"])
  }

  @Test func aHaltedRolloutHasNoClients() async throws {
    var publisher = RepositoryPublisher(fixture.repository)
    _ = try publisher.publish(try draft(1), now: Fixture.start)
    _ = try publisher.publish(try draft(2, percent: 100), now: Fixture.start)
    try publisher.halt(name, reason: "bad", now: Fixture.start)
    let selected = try await selected()
    #expect(selected == String(decoding: file(1), as: UTF8.self))
    let states = try states(publisher)
    #expect(states == ["2 bad", "1 stable"])
    #expect(throws: TrustError.self) { try publisher.promote(name, now: Fixture.start) }
    #expect(throws: TrustError.self) { try publisher.halt(name, version: 1, reason: "", now: Fixture.start) }
  }

  @Test func aRollbackIsANewVersion() async throws {
    var publisher = RepositoryPublisher(fixture.repository)
    #expect(throws: TrustError.self) { try publisher.rollBack(name, now: Fixture.start) }
    for number in 1...3 { _ = try publisher.publish(try draft(number), now: Fixture.start) }
    _ = try publisher.rollBack(name, now: Fixture.start)
    let selected = try await selected()
    #expect(selected == String(decoding: file(2), as: UTF8.self))
    _ = try publisher.rollBack(name, to: 1, now: Fixture.start)
    let states = try states(publisher)
    #expect(states == ["5 stable", "4", "3", "2", "1"])
    let same = try publisher.rollBack(name, to: 1, now: Fixture.start)
    #expect(same == .unchanged(version: 5))
    #expect(throws: TrustError.self) { try publisher.rollBack(name, to: 9, now: Fixture.start) }
  }

  @Test func aRolloutNeedsAStableFile() throws {
    var publisher = RepositoryPublisher(fixture.repository)
    #expect(throws: TrustError.self) { try publisher.publish(try draft(1, percent: 5), now: Fixture.start) }
    let streams = try publisher.streams
    #expect(streams.isEmpty)
  }

  @Test func aPublisherSignsThePathsThatItsKeysMay() throws {
    let team = try SigningKey.generate()
    var owner = fixture.repository
    try owner.delegate(["checkout/*"], to: "checkout", RoleAuthority([team]), now: Fixture.start)
    let online = [fixture.key(.snapshot), fixture.key(.timestamp)]
    let repository = try Repository(opening: fixture.folder.path, keys: online + [team])
    var publisher = RepositoryPublisher(repository)
    _ = try publisher.publish(try draft(1), now: Fixture.start)
    _ = try publisher.publish(try draft(2), now: Fixture.start)
    let states = try states(publisher)
    #expect(states == ["2 stable", "1"])
    let other = try Draft(try StreamName("billing/tax"), file(1))
    let error = #expect(throws: TrustError.self) { try publisher.publish(other, now: Fixture.start) }
    #expect(error?.kind == .unsigned)
  }

  @Test(arguments: ["", "/a", "a/", "a//b", ".a", "a/../b", "a@1", "ä", "a b", String(repeating: "a", count: 181)])
  func otherNamesAreRefused(_ text: String) {
    let error = #expect(throws: TrustError.self) { try StreamName(text) }
    #expect(error?.kind == .unsafeName)
  }

  @Test func aReportIsReadAsItWasWritten() throws {
    let report = StreamReport(
      client: "c", stream: name, version: 3, content: "sha256:a", state: .failed, diagnostics: ["S401: no"])
    let read = try StreamReport(report.json)
    #expect(read == report)
    guard case .map(let map) = report.json else { return }
    for (member, value) in [
      ("state", "best"), ("version", 0), ("client", .string(String(repeating: "c", count: 201))), ("stream", "../a"),
      ("diagnostics", "no"),
    ] as [(String, Value)] {
      #expect(throws: TrustError.self) { try StreamReport(.map(map.setting(member, value))) }
    }
  }
}
#endif
