#if Sharing
import StreamCore
import StreamKit
import StreamTesting
import Synchronization
import Testing

@testable import StreamSharing

/// A repository whose files a test changes, a cache, and the clients of one installation.
final class FollowedRepository {
  private(set) var fixture: Fixture
  let metadata = MemoryFiles()
  let targets = MemoryFiles()
  var cache = SharingCache(metadata: MemoryFiles(), streams: MemoryFiles())
  let clock = ManualClock()
  /// Added to the calendar.
  let offset = Mutex<Int64>(60)
  let reports = ReportRecorder()
  /// Never scheduled, so that tests decide.
  var schedule = RefreshSchedule(seconds: 1e9, jitter: 0, firstRetry: 1e9, longestRetry: 1e9, noticeSpread: 0)

  init(lifetimes: Lifetimes = Lifetimes()) throws {
    fixture = try Fixture(lifetimes: lifetimes)
    try update()
  }

  /// Publishes a stream file as the stable one.
  func publish(
    _ text: String, version: Int, as name: String = "total", content: String? = nil, requires: [String] = [],
    candidates: [Publication.Candidate] = []
  ) throws {
    try add([(text, version, "\(name).json", content, requires, candidates)])
  }

  /// Publishes a stable file, and a candidate for all clients.
  func publish(_ text: String, version: Int, candidate: String, version number: Int, percent: Int = 100) throws {
    let offered = Publication.Candidate(path: "total@\(number).json", rollout: Rollout(percent: percent, salt: "s"))
    try add([
      (text, version, "total.json", nil, [], [offered]), (candidate, number, "total@\(number).json", nil, [], []),
    ])
  }

  /// Publishes a stable file with values for its parameters.
  func publish(_ text: String, version: Int, setting parameters: [String: Value]) throws {
    let publication = Publication(version: version, content: try contentID(text), parameters: parameters)
    try fixture.repository.publish(
      [.init(path: "total.json", bytes: Array(text.utf8), custom: publication.custom)], now: now)
    try update()
  }

  private func add(_ files: [(String, Int, String, String?, [String], [Publication.Candidate])]) throws {
    let additions = try files.map { text, version, path, content, requires, candidates in
      Repository.Addition(
        path: path, bytes: Array(text.utf8),
        custom: Publication(
          version: version, content: try content ?? contentID(text), requires: requires, candidates: candidates
        ).custom)
    }
    try fixture.repository.publish(additions, now: now)
    try update()
  }

  /// Publishes the current repository to clients.
  func update() throws {
    for (name, bytes) in try fixture.metadata().files { metadata[name] = bytes }
    for (path, bytes) in try fixture.targets().files {
      targets[path.split(separator: "/").map(PercentEncoding.encode).joined(separator: "/")] = bytes
    }
  }

  var now: Int64 { Fixture.start + offset.withLock { $0 } }

  /// A process of the app.
  func open(_ other: (any RepositoryTransport)? = nil, as id: String = "c1") throws -> SharedRepository {
    let root = try #require(try fixture.metadata()["1.root.json"])
    return try SharedRepository(
      metadata: other ?? metadata, targets: targets, trust: root, cache: cache, id: id,
      attributes: ValueMap([("platform", "ios")]), reports: reports, schedule: schedule, clock: clock,
      now: { [self] in now })
  }
}

extension FollowedRepository: @unchecked Sendable {}

func contentID(_ text: String) throws -> String { try JSONDocument(reading: text, file: "test").contentID() }

/// A repository that cannot be reached.
struct Unreachable: RepositoryTransport {
  func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    throw TrustError(.unreachable, path, "the server cannot be reached")
  }
}

/// Records reports as `version state`.
final class ReportRecorder: ReportReceiver {
  private let content = Mutex<[StreamReport]>([])
  var all: [StreamReport] { content.withLock { $0 } }
  var texts: [String] { all.map { "\($0.version) \($0.state.rawValue)" } }

  func receive(_ report: StreamReport) async throws {
    content.withLock { $0.append(report) }
    // A receiver that throws has no effect.
    throw CancellationError()
  }

  /// Waits for a number of reports.
  func count(_ number: Int) async { while all.count < number { await Task.yield() } }
}

/// Stream files with one input, `a`, whose sum is kept.
enum Total {
  static let sum = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#

  static func file(_ operators: String = "") -> String {
    #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(sum)\#(operators)]}"#
  }

  /// The sum.
  static let plain = file()
  /// The sum, negative.
  static let negative = file(#", {"map": {"expression": "-value"}}"#)
  /// Ten times the sum.
  static let tenfold = file(#", {"map": {"expression": "value * 10"}}"#)
  /// Fails for sums from 10.
  static let picky = file(#", {"map": {"expression": "value < 10 ? -value : value / 0"}}"#)
  /// Fails for each value.
  static let broken = file(#", {"map": {"expression": "value / 0"}}"#)
  /// Cannot be compiled.
  static let wrong = file(#", {"map": {"expression": "nothing"}}"#)
  static let custom = file(#", {"acme.smooth": {}}"#)
}

/// A subscriber whose values are taken one by one.
struct Subscriber {
  let input = PassthroughInput<Int>()
  private var values: SharedValues<Int>.Iterator

  init(_ shared: SharedStream) { values = shared.values(of: Int.self, inputs: ["a": input]).makeAsyncIterator() }

  /// Sends a value, and returns the next one of the stream.
  mutating func send(_ value: Int) async throws -> Int? {
    input.send(value)
    return try await values.next()
  }

  mutating func next() async throws -> Int? { try await values.next() }
}

extension SharedStream {
  /// Waits for a state.
  @discardableResult
  func state(_ phase: SharedStreamState.Phase, version: Int? = nil) async -> SharedStreamState? {
    for await state in states where state.phase == phase && (version == nil || state.version == version) {
      return state
    }
    return nil
  }
}
#endif
