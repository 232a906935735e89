#if Sharing
import CLibrary
import Dispatch
import Foundation
import StreamConsole
import StreamCore
import StreamSharing
import Synchronization
import Testing

@testable import StreamHub

/// A repository in memory. A file is refused if it contains "wrong".
final class FakeRepository: HubRepository {
  private struct State {
    var streams: [StreamName: HubStream] = [:]
    var files: [String: [UInt8]] = [:]
    var failure: TrustError?
    var renewals = 0
    var days: [String: Int64] = ["root": 300, "timestamp": 7]
    var keys = HubKeyState()
    var timestamp: Int64 = 1
  }

  private let state = Mutex(State())

  /// The error of the next call.
  func fail(_ failure: TrustError?) { state.withLock { $0.failure = failure } }

  private func check() throws(TrustError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func streams() throws(TrustError) -> [HubStream] {
    try check()
    return state.withLock { $0.streams.values.sorted { $0.name.description < $1.name.description } }
  }

  func bytes(of name: StreamName, version: Int) throws(TrustError) -> [UInt8] {
    state.withLock { $0.files[name.path(ofVersion: version)] ?? [] }
  }

  func check(_ file: PublishedFile, of name: StreamName, within bounds: TestBounds) -> HubCheck {
    let text = String(decoding: file.bytes, as: UTF8.self)
    if text.contains("slow") { slowChecks.wait() }
    var check = HubCheck()
    if text.contains("wrong") { check.diagnostics = Diagnostics(.unsupportedFormat, "the file is wrong") }
    if text.contains("failing") {
      check.failedTests = [HubCheck.FailedTest(name: "first", differences: ["expected 1, found 2"])]
    }
    return check
  }

  func difference(of name: StreamName, from: Int, to: Int) throws(TrustError) -> Value {
    ["same": .bool(from == to)]
  }

  func publish(_ publication: HubPublication, now: Int64) throws(TrustError) -> (version: Int, isNew: Bool) {
    try check()
    let content = EntityTag.of(publication.bytes)
    return state.withLock { state in
      let old = state.streams[publication.name]
      if old.flatMap({ $0[$0.stable] })?.content == content { return (old?.stable ?? 0, false) }
      let number = (old?.versions.first?.number ?? 0) + 1
      let new = HubStream.Version(
        number: number, content: content, behavior: nil, requires: [], notes: publication.notes, time: now,
        length: publication.bytes.count, state: publication.rollout.map(HubStream.State.candidate) ?? .stable)
      state.files[publication.name.path(ofVersion: number)] = publication.bytes
      let versions = (old?.versions ?? []).map { version in
        publication.rollout == nil && version.state == .stable ? version.with(.earlier) : version
      }
      state.streams[publication.name] = HubStream(
        name: publication.name, stable: publication.rollout == nil ? number : old?.stable ?? number,
        versions: [new] + versions)
      return (number, true)
    }
  }

  func promote(_ name: StreamName, version: Int?, percent: Int?, now: Int64) throws(TrustError) -> Int {
    try change(name, version) { stream, candidate in
      guard case .candidate(var rollout) = candidate.state else { return stream }
      if let percent {
        rollout.percent = percent
        return stream.with(candidate.with(.candidate(rollout)))
      }
      var versions = stream.with(candidate.with(.stable)).versions
      versions = versions.map { $0.number < candidate.number ? $0.with(.earlier) : $0 }
      return HubStream(name: name, stable: candidate.number, versions: versions)
    }
  }

  func halt(_ name: StreamName, version: Int?, reason: String, now: Int64) throws(TrustError) -> Int {
    try change(name, version) { stream, candidate in stream.with(candidate.with(.halted(reason))) }
  }

  private func change(
    _ name: StreamName, _ version: Int?, _ change: (HubStream, HubStream.Version) -> HubStream
  ) throws(TrustError) -> Int {
    try check()
    let number = state.withLock { state -> Int? in
      guard let stream = state.streams[name],
        let candidate = stream.versions.first(where: { $0.isCandidate && (version == nil || $0.number == version) })
      else { return nil }
      state.streams[name] = change(stream, candidate)
      return candidate.number
    }
    guard let number else { throw TrustError(.notFound, name.description, "there is no candidate") }
    return number
  }

  func rollback(_ name: StreamName, to version: Int, notes: String?, now: Int64) throws(TrustError) -> Int {
    let bytes = try bytes(of: name, version: version)
    guard !bytes.isEmpty else { throw TrustError(.notFound, name.description, "there is no version \(version)") }
    return try publish(HubPublication(name: name, bytes: bytes), now: now).version
  }

  func review(_ change: SignedChange, of name: StreamName, now: Int64) throws(TrustError) -> [PublishedFile] {
    throw TrustError(.unsigned, change.role, "0 valid signatures; 1 required")
  }

  func accept(_ change: SignedChange, now: Int64) throws(TrustError) {}

  func renewIfNeeded(now: Int64) throws(TrustError) -> Bool {
    state.withLock { $0.renewals += 1 }
    return false
  }

  var expirations: [RoleExpiration] {
    let days = state.withLock(\.days)
    return ["root", "timestamp"].map { role in
      RoleExpiration(role: role, expires: SystemClock.seconds + (days[role] ?? 7) * 86_400 + 100)
    }
  }

  var keyState: HubKeyState { state.withLock(\.keys) }

  var timestampVersion: Int64 { state.withLock(\.timestamp) }

  /// Replaces the repository by another state of it.
  func restore(_ timestamp: Int64) { state.withLock { $0.timestamp = timestamp } }

  /// Sets the days until a role expires.
  func expire(_ role: String, in days: Int64) { state.withLock { $0.days[role] = days } }

  /// Signaled for each check of a text with "slow" to end.
  let slowChecks = DispatchSemaphore(value: 0)
}

extension HubStream {
  fileprivate func with(_ version: Version) -> HubStream {
    HubStream(name: name, stable: stable, versions: versions.map { $0.number == version.number ? version : $0 })
  }
}

extension HubStream.Version {
  fileprivate func with(_ state: HubStream.State) -> HubStream.Version {
    HubStream.Version(
      number: number, content: content, behavior: behavior, requires: requires, notes: notes, time: time,
      length: length, state: state)
  }
}

/// A hub that runs in the process.
final class TestHub {
  let folder: TemporaryFolder
  let repository: any HubRepository
  private(set) var running: RunningHub
  private let options: HubOptions

  init(
    _ repository: any HubRepository = FakeRepository(), in folder: TemporaryFolder? = nil,
    log: HubLog = HubLog { _ in },
    _ adjust: (inout HubOptions) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.repository = repository
    var options = HubOptions(repository: "\(folder.path)/repository", state: "\(folder.path)/hub")
    // Tests send many requests at once.
    (options.rate, options.reportRate) = (100_000, 100_000)
    adjust(&options)
    self.options = options
    running = try RunningHub(
      options, repository: repository, host: "127.0.0.1", port: 0, limits: HTTPLimits(), log: log)
  }

  deinit { running.stop() }

  func restart() throws {
    running.stop()
    running = try RunningHub(
      options, repository: repository, host: "127.0.0.1", port: 0, limits: HTTPLimits(), log: HubLog { _ in })
  }

  var port: UInt16 { running.server.port }

  /// Creates a token.
  func token(_ scopes: TokenScope..., expires: Int64? = nil) throws -> String {
    let (token, text) = Token.make(scopes: scopes, note: nil, expires: expires, now: SystemClock.seconds)
    try running.hub.tokens.change { $0[token.id] = token }
    return text
  }

  func send(
    _ method: String, _ path: String, token: String? = nil, _ fields: [String: String] = [:], body: String? = nil
  ) throws -> Reply {
    var fields = fields
    if let token { fields["Authorization"] = "Bearer \(token)" }
    return try RawClient.send(method, path, to: port, fields, body: body.map { Array($0.utf8) })
  }

  /// Publishes a version. Returns the response.
  @discardableResult
  func publish(_ name: String, _ text: String, _ token: String, query: String = "") throws -> Reply {
    let known = try send("GET", "/v1/streams/\(name)", token: token)
    let condition = known.fields["etag"].map { ["If-Match": $0] } ?? ["If-None-Match": "*"]
    return try send("PUT", "/v1/streams/\(name)\(query)", token: token, condition, body: text)
  }

  /// A reader of events, after the header.
  func reader(_ token: String, after last: String? = nil) throws -> RawClient {
    let client = try RawClient(port)
    var fields = ["Authorization": "Bearer \(token)"]
    if let last { fields["Last-Event-ID"] = last }
    client.send(RawClient.request("GET", "/v1/events", fields))
    let reply = try client.reply()
    try #require(reply.status == 200)
    return client
  }
}
#endif
