#if Sharing
import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamSharing

@Suite struct RolloutTests {
  /// A repository with a stable file and candidates, and a client that has refreshed.
  private func client(
    _ candidates: [Publication.Candidate], requires: [String: [String]] = [:]
  ) async throws -> RepositoryClient {
    var fixture = try Fixture()
    var additions = [
      Repository.Addition(
        path: "fraud.json", bytes: Array("1".utf8),
        custom: Publication(
          version: 1, content: "sha256:1", requires: requires["fraud.json"] ?? [], candidates: candidates
        )
        .custom)
    ]
    for (number, candidate) in candidates.enumerated() where candidate.path != "missing.json" {
      additions.append(
        Repository.Addition(
          path: candidate.path, bytes: Array("\(number + 2)".utf8),
          custom: Publication(
            version: number + 2, content: "sha256:\(number + 2)", requires: requires[candidate.path] ?? []
          ).custom))
    }
    try fixture.repository.publish(additions, now: Fixture.start)
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start + 1)
    try await client.refresh()
    return client
  }

  private func candidate(_ number: Int, percent: Int = 100, where condition: String? = nil) -> Publication.Candidate {
    Publication.Candidate(
      path: "fraud@\(number).json",
      rollout: Rollout(percent: percent, salt: "fraud", where: condition.map { CELExpression($0) }))
  }

  private let phone = SharingClient(id: "c1", attributes: ValueMap([("platform", "ios"), ("build", 420)]))

  @Test func aPublicationIsReadAsItWasWritten() async throws {
    var publication = Publication(
      version: 7, content: "sha256:aa", behavior: "sha256:bb", requires: ["acme.smooth"], notes: "no",
      candidates: [candidate(8, percent: 20, where: "client.build >= 420"), candidate(9)])
    publication.candidates[1].rollout.percent = 0
    var fixture = try Fixture()
    try fixture.repository.publish(
      [.init(path: "a.json", bytes: [], custom: publication.custom)], now: Fixture.start)
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start)
    try await client.refresh()
    let target = try #require(try await client.target("a.json"))
    let read = try Publication(of: target)
    #expect(read == publication)
  }

  @Test func theFirstCandidateThatHoldsIsTaken() async throws {
    var client = try await client([
      candidate(2, where: "client.platform == 'android'"), candidate(3, where: "client.build >= 420"), candidate(4),
    ])
    let selection = try await client.select("fraud.json", for: phone, providing: { _ in true })
    #expect(selection.target.path == "fraud@3.json")
    #expect(selection.publication.version == 3)
    #expect(selection.isCandidate)
  }

  @Test(arguments: ["client.absent > 3", "1 / 0 == 1", "'text'"])
  func aConditionThatFailsIsNotFulfilled(_ condition: String) async throws {
    var client = try await client([candidate(2, where: condition)])
    let selection = try await client.select("fraud.json", for: phone, providing: { _ in true })
    #expect(!selection.isCandidate)
  }

  @Test(arguments: ["client.", "nothing == 1", "1 +"])
  func aWrongConditionIsReportedAndTheStableFileTaken(_ condition: String) async throws {
    var client = try await client([candidate(2, where: condition)])
    let selection = try await client.select("fraud.json", for: phone, providing: { _ in true })
    #expect(!selection.isCandidate)
    #expect(selection.problems.map(\.kind) == [.malformed])
  }

  @Test func aCandidateThatTheClientLacksFunctionsForIsNotTaken() async throws {
    var client = try await client([candidate(2), candidate(3)], requires: ["fraud@2.json": ["acme.smooth"]])
    let selection = try await client.select("fraud.json", for: phone, providing: { _ in false })
    #expect(selection.target.path == "fraud@3.json")
    #expect(selection.problems.first?.description == "fraud@2.json: this client lacks acme.smooth")
  }

  @Test func aStableFileThatTheClientCannotRunIsAnError() async throws {
    var client = try await client([], requires: ["fraud.json": ["acme.smooth"]])
    let error = await #expect(throws: TrustError.self) {
      _ = try await client.select("fraud.json", for: phone, providing: { _ in false })
    }
    #expect(error?.kind == .notFound)
  }

  @Test func aCandidateThatIsMissingOrRefusedIsNotTaken() async throws {
    var candidates = [candidate(2), candidate(3)]
    candidates[0].path = "missing.json"
    var client = try await client(candidates)
    let selection = try await client.select(
      "fraud.json", for: phone, providing: { _ in true }, refusing: { $0.content == "sha256:3" })
    #expect(!selection.isCandidate)
    #expect(selection.problems.map(\.kind) == [.notFound])
  }

  @Test func aTargetThatIsNoStreamIsAnError() async throws {
    var fixture = try Fixture()
    try fixture.repository.publish([.init(path: "a.txt", bytes: [])], now: Fixture.start)
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start)
    try await client.refresh()
    for name in ["a.txt", "b.txt"] {
      let error = await #expect(throws: TrustError.self) {
        _ = try await client.select(name, for: phone, providing: { _ in true })
      }
      #expect(error?.kind == .notFound)
    }
  }

  // MARK: Buckets

  /// Computed with Python: int.from_bytes(sha256(b"fraud-8:c1").digest()[:8], "big") % 10000.
  @Test(
    arguments: [
      ("fraud-8", "c1", 4806), ("s", "", 2920), ("", "ä", 2623), ("salt", "00000000-0000-0000-0000-000000000000", 8750),
    ] as [(String, String, UInt64)])
  func theBucketIsThatOfTheContract(_ salt: String, _ client: String, _ expected: UInt64) {
    #expect(Rollout.bucket(of: client, salt: salt) == expected)
  }

  @Test func aPercentageSelectsAsManyClientsAndRaisingItTakesNoneOut() throws {
    var selected: Set<Int> = []
    for percent in stride(from: 0, through: 100, by: 10) {
      let rollout = Rollout(percent: percent, salt: "s")
      let clients = try (0..<5_000).filter { try rollout.selects(SharingClient(id: "client \($0)")) }
      #expect(selected.isSubset(of: clients))
      #expect(abs(clients.count - percent * 50) < 150)
      selected = Set(clients)
    }
    #expect(selected.count == 5_000)
  }
}
#endif
