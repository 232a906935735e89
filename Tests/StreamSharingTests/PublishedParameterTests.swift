#if Sharing
import StreamCore
import StreamKit
import StreamTesting
import Testing

@testable import StreamSharing

/// The values of parameters that a publication gives.
@Suite struct PublishedParameterTests {
  /// The sum, times a factor.
  private static let file = #"""
    {"parameters": {"factor": {"type": "double", "default": 1}}, "inputs": {"a": {}}, "source": {"input": {"name": "a"}},
     "operators": [\#(Total.sum), {"map": {"expression": "int(value * factor)"}}]}
    """#

  private func stream(
    _ repository: SharedRepository, setting parameters: [String: Value] = [:]
  ) throws -> SharedStream {
    var options = CompileOptions()
    options.parameters = parameters
    return try SharedStream("total", from: repository, probation: Probation(values: 1), options: options)
  }

  @Test func aClientCompilesWithThePublishedValues() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    try followed.publish(Self.file, version: 1, setting: ["factor": 2.5])
    var subscriber = Subscriber(shared)
    await shared.check()
    let first = try await subscriber.send(2)
    #expect(first == 5)
    await shared.state(.good, version: 1)
    // Another version of the same content, which keeps the state.
    try followed.publish(Self.file, version: 2, setting: ["factor": 10])
    await shared.check()
    let second = try await subscriber.send(1)
    #expect(second == 30)
    await shared.state(.good, version: 2)
    #expect(shared.state.content == (try contentID(Self.file)))
    try followed.publish(Self.file, version: 3)
    await shared.check()
    let third = try await subscriber.send(1)
    #expect(third == 4)
    let contents = Set(followed.reports.all.map(\.content))
    #expect(contents == [try contentID(Self.file)])
  }

  @Test func theCacheKeepsTheValues() async throws {
    let followed = try FollowedRepository()
    do {
      let shared = try stream(try followed.open())
      try followed.publish(Self.file, version: 1, setting: ["factor": 3])
      var subscriber = Subscriber(shared)
      await shared.check()
      _ = try await subscriber.send(1)
      await shared.state(.good, version: 1)
    }
    let shared = try stream(try followed.open(Unreachable()))
    #expect(shared.state.phase == .cached)
    #expect(shared.state.content == (try contentID(Self.file)))
    var subscriber = Subscriber(shared)
    let value = try await subscriber.send(2)
    #expect(value == 6)
  }

  @Test func theValuesOfAnAppTakePrecedence() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), setting: ["factor": 7])
    try followed.publish(Self.file, version: 1, setting: ["factor": 2])
    var subscriber = Subscriber(shared)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == 7)
  }

  @Test(arguments: [["factor": "many"], ["other": 1]] as [[String: Value]])
  func wrongValuesAreRefused(_ parameters: [String: Value]) async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    try followed.publish(Self.file, version: 1, setting: parameters)
    await shared.check()
    #expect(shared.state.refusal?.version == 1)
    let name = try #require(parameters.keys.first)
    #expect(shared.state.refusal?.reasons.first?.contains("the published value of '\(name)'") == true)
  }

  @Test func aVersionWithoutTheParameterIsRefused() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), setting: ["factor": 7])
    try followed.publish(Total.plain, version: 1)
    await shared.check()
    #expect(shared.state.refusal?.reasons.first?.contains("has no parameter 'factor'") == true)
  }

  @Test func aVersionThatDiffersInItsValuesIsANewOne() throws {
    let fixture = try Fixture()
    let name = try StreamName("total")
    var publisher = RepositoryPublisher(fixture.repository)
    func publish(_ value: Value?, percent: Int? = nil) throws -> RepositoryPublisher.Outcome {
      var draft = try Draft(name, Array(Self.file.utf8), rollout: percent.map { Rollout(percent: $0, salt: "s") })
      if let value { draft.parameters = ["factor": value] }
      return try publisher.publish(draft, now: Fixture.start)
    }
    func version(_ outcome: RepositoryPublisher.Outcome) -> String {
      switch outcome {
      case .published(let publication): "\(publication.version) \(publication.parameters)"
      case .unchanged(let version): "unchanged \(version)"
      }
    }
    let outcomes = [
      try publish(nil), try publish(2.5), try publish(2.5), try publish(4, percent: 20), try publish(4, percent: 20),
      try publish(4), try publisher.rollBack(name, now: Fixture.start),
    ].map(version)
    #expect(
      outcomes == [
        "1 [:]", #"2 ["factor": 2.5]"#, "unchanged 2", #"3 ["factor": 4]"#, "unchanged 3", #"3 ["factor": 4]"#,
        #"4 ["factor": 2.5]"#,
      ])
  }

  @Test func theValuesAreSignedAsTexts() async throws {
    let values: [String: Value] = ["a": 0.1, "b": "text", "c": .list([1, .null]), "d": 10.0]
    let publication = Publication(version: 1, content: "sha256:aa", parameters: values)
    #expect(
      publication.custom.member("streamrun")?.member("parameters")
        == ["a": "0.1", "b": #""text""#, "c": "[1,null]", "d": "10.0"])
    var fixture = try Fixture()
    try fixture.repository.publish([.init(path: "a.json", bytes: [], custom: publication.custom)], now: Fixture.start)
    var client = try RepositoryClient(
      metadata: try fixture.metadata(), store: try fixture.trustingStore(), now: Fixture.start)
    try await client.refresh()
    let target = try #require(try await client.target("a.json"))
    let read = try Publication(of: target)
    #expect(read == publication)
  }
}
#endif
