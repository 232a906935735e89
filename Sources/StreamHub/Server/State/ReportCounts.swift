internal import StreamCore
internal import StreamSharing

/// The latest state of each client with each version. Not thread-safe.
struct ReportCounts {
  struct Key: Hashable {
    let stream: StreamName
    let version: Int
  }

  /// The reports on one version.
  struct Version {
    /// The states by clients, which are known by a hash of their IDs only.
    fileprivate(set) var states: [UInt64: StreamReport.State] = [:]
    fileprivate(set) var counts: [StreamReport.State: Int] = [:]
    /// The last failures, the newest last.
    fileprivate(set) var failures: [Failure] = []

    subscript(state: StreamReport.State) -> Int { counts[state] ?? 0 }
    var total: Int { states.count }
  }

  struct Failure {
    let time: Int64
    let diagnostics: [String]
  }

  private(set) var versions: [Key: Version] = [:]
  /// The number of clients of all versions.
  private(set) var total = 0

  /// Maximum number of clients that are counted for one version.
  static let clientLimit = 1_000_000
  /// Maximum number of clients that are counted for all versions together.
  static let totalLimit = 4_000_000
  /// Maximum number of failures that are kept for one version.
  static let failureLimit = 10
  /// Number of versions of a stream for which reports are kept.
  static let versionLimit = 10

  subscript(stream: StreamName, version: Int) -> Version? { versions[Key(stream: stream, version: version)] }

  /// The clients by a hash, so that their IDs are not stored.
  static func hash(of client: String) -> UInt64 {
    var digest = ContentDigest()
    digest.update(client)
    return digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Counts a report.
  ///
  /// - Returns: Whether it changes anything.
  mutating func add(
    _ client: UInt64, _ stream: StreamName, _ number: Int, _ state: StreamReport.State, _ diagnostics: [String],
    time: Int64
  ) -> Bool {
    let key = Key(stream: stream, version: number)
    var version = versions.removeValue(forKey: key) ?? Version()
    defer { versions[key] = version }
    let last = version.states[client]
    guard last != state, last != nil || (version.states.count < Self.clientLimit && total < Self.totalLimit) else {
      return false
    }
    if last == nil { total += 1 }
    if let last { version.counts[last, default: 0] -= 1 }
    version.counts[state, default: 0] += 1
    version.states[client] = state
    if state == .failed, !diagnostics.isEmpty {
      version.failures.append(Failure(time: time, diagnostics: diagnostics))
      if version.failures.count > Self.failureLimit { version.failures.removeFirst() }
    }
    return true
  }

  /// Forgets reports about versions that are not among the newest of a stream.
  mutating func keep(_ streams: [HubStream]) {
    var kept: Set<Key> = []
    for stream in streams {
      for version in stream.versions.prefix(Self.versionLimit) {
        kept.insert(Key(stream: stream.name, version: version.number))
      }
    }
    versions = versions.filter { kept.contains($0.key) }
    total = versions.values.reduce(0) { $0 + $1.total }
  }
}
