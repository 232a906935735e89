internal import StreamCore

/// A client of a TUF repository: it refreshes the metadata that it trusts, and finds and checks targets.
///
/// The workflow is that of The Update Framework 1.0, section 5. Time is given by the caller; an update uses one instant.
/// Not for concurrent use: one task at a time.
public struct RepositoryClient: Sendable {
  private let metadata: any RepositoryTransport
  private let store: any MetadataStore
  private let limits: RepositoryLimits
  private var trusted: TrustedMetadata

  /// Begins an update with the stored root.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the repository.
  ///   - store: The client's metadata. It has a root: see `trust(_:in:)`.
  ///   - limits: Bounds of what is read.
  ///   - now: The current time, in seconds since 1970.
  public init(
    metadata: any RepositoryTransport, store: any MetadataStore, limits: RepositoryLimits = RepositoryLimits(),
    now: Int64
  ) throws(TrustError) {
    guard let root = try store.load("root") else {
      throw TrustError(.notFound, "root", "no root is trusted yet; begin with the root of the repository's publisher")
    }
    trusted = try TrustedMetadata(root: root, at: Timestamp(seconds: now))
    self.metadata = metadata
    self.store = store
    self.limits = limits
  }

  /// Stores the first root, which the caller trusts.
  ///
  /// - Throws: `malformed` or `unsigned` for bytes that are not a root.
  public static func trust(_ root: [UInt8], in store: any MetadataStore) throws(TrustError) {
    try checkRoot(root)
    try store.store(root, as: "root")
  }

  /// Checks that bytes are a root that its own keys have signed.
  package static func checkRoot(_ root: [UInt8]) throws(TrustError) {
    _ = try TrustedMetadata(root: root, at: Timestamp(seconds: 0))
  }

  // MARK: Refreshing

  /// Brings the top-level roles up to date: roots, timestamp, snapshot, targets.
  public mutating func refresh() async throws(TrustError) {
    try await refreshRoot()
    try await refreshTimestamp()
    try await refreshSnapshot()
    _ = try await load("targets", parent: nil)
  }

  private mutating func refreshRoot() async throws(TrustError) {
    for _ in 0..<limits.rootRotations {
      let next = trusted.root.role.header.version + 1
      guard let bytes = try await metadata.read("\(next).root.json", atMost: limits.rootBytes) else { break }
      try trusted.update(root: bytes)
      try store.store(bytes, as: "root")
    }
    try trusted.checkRoot()
  }

  private mutating func refreshTimestamp() async throws(TrustError) {
    // A stored timestamp that is no longer signed, since keys were rotated, or that has expired is not refused: it is
    // only compared with the new one, if it is valid.
    if let stored = try store.load("timestamp") { _ = try? trusted.update(timestamp: stored) }
    let bytes = try await read("timestamp.json", "timestamp", atMost: limits.timestampBytes)
    if try trusted.update(timestamp: bytes) { try store.store(bytes, as: "timestamp") }
  }

  private mutating func refreshSnapshot() async throws(TrustError) {
    if let stored = try store.load("snapshot"), isCurrent(storedSnapshot: stored) { return }
    let newest = try trusted.newestSnapshot
    let bytes = try await read(
      versioned("snapshot", newest.version), "snapshot", atMost: newest.file.length ?? limits.snapshotBytes)
    try trusted.update(snapshot: bytes)
    try store.store(bytes, as: "snapshot")
  }

  private mutating func isCurrent(storedSnapshot bytes: [UInt8]) -> Bool {
    (try? trusted.update(snapshot: bytes, isStored: true)) != nil
  }

  private mutating func load(_ role: String, parent: String?) async throws(TrustError) -> TargetsRole {
    if let known = try trusted.known(role, parent: parent) { return known }
    if let stored = try store.load(role), let current = try? trusted.update(targets: stored, name: role, parent: parent)
    {
      return current.role
    }
    let description = try trusted.description(of: role)
    let bytes = try await read(
      versioned(role, description.version), role, atMost: description.file.length ?? limits.targetsBytes)
    let loaded = try trusted.update(targets: bytes, name: role, parent: parent)
    try store.store(bytes, as: role)
    return loaded.role
  }

  private func versioned(_ role: String, _ version: Int64) -> String {
    let name = PercentEncoding.encode(role) + ".json"
    return trusted.isConsistentSnapshot ? "\(version).\(name)" : name
  }

  private func read(_ path: String, _ subject: String, atMost limit: Int) async throws(TrustError) -> [UInt8] {
    guard let bytes = try await metadata.read(path, atMost: limit) else {
      throw TrustError(.unreachable, subject, "the repository has no file '\(path)'")
    }
    return bytes
  }

  // MARK: Targets

  /// Finds a target, in `targets` or in a role that its path is delegated to, depth first. Call `refresh` before.
  ///
  /// - Returns: nil if no role lists it, or none of the first delegated roles, as many as the limits permit.
  public mutating func target(_ path: String) async throws(TrustError) -> Target? {
    var waiting: [(role: String, parent: String?)] = [("targets", nil)]
    var visited: Set<String> = []
    while let (role, parent) = waiting.popLast() {
      guard visited.insert(role).inserted else { continue }
      // TUF 5.6.7.1: the target is then reported as not found.
      guard visited.count <= limits.delegations + 1 else { return nil }
      let content = try await load(role, parent: parent)
      if let target = content.targets[path] { return target }
      guard let delegations = content.delegations else { continue }
      let delegated = delegations.roles(for: path)
      if delegated.last?.isTerminating == true { waiting = [] }
      waiting += delegated.reversed().map { ($0.name, role) }
    }
    return nil
  }

  /// The paths of all targets, of bins excepted. Call `refresh` before.
  ///
  /// - Throws: `tooLarge` if there are more delegated roles than the limits permit.
  public mutating func paths() async throws(TrustError) -> [String] {
    var waiting: [(role: String, parent: String?)] = [("targets", nil)]
    var visited: Set<String> = []
    var paths: Set<String> = []
    while let (role, parent) = waiting.popLast() {
      guard visited.insert(role).inserted else { continue }
      guard visited.count <= limits.delegations + 1 else {
        throw TrustError(.tooLarge, role, "more than \(limits.delegations) delegated roles")
      }
      let content = try await load(role, parent: parent)
      paths.formUnion(content.targets.keys)
      waiting += content.delegations?.roleNames.map { ($0, role) } ?? []
    }
    return paths.sorted()
  }

  /// The signed parts of the root and of all roles that list targets, by their names. Call `refresh` before.
  mutating func signedParts() async throws(TrustError) -> [String: ValueMap] {
    _ = try await paths()
    var parts = ["root": try trusted.root.signedPart]
    for (name, role) in trusted.targets { parts[name] = try role.signedPart }
    return parts
  }

  /// The expirations of the roles that were read.
  package var expirations: [RoleExpiration] {
    let others = [
      ("timestamp", trusted.timestamp?.role.header.expires), ("snapshot", trusted.snapshot?.role.header.expires),
    ]
    let lists = trusted.targets.sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value.role.header.expires)) }
    return ([("root", Optional(trusted.root.role.header.expires))] + others + lists).compactMap { role, expires in
      expires.map { RoleExpiration(role: role, expires: $0.seconds) }
    }
  }

  /// The expiration of the role that lists a target, in seconds since 1970; 0 for a target of another repository.
  func expiration(of target: Target) -> Int64 {
    trusted.targets.values.filter { $0.role.targets[target.path] == target }
      .map(\.role.header.expires.seconds).max() ?? 0
  }

  /// Reads a target and checks its length and hashes.
  ///
  /// - Parameters:
  ///   - target: The description of the target, from `target(_:)`.
  ///   - targets: The targets of the repository.
  public func read(_ target: Target, from targets: any RepositoryTransport) async throws(TrustError) -> [UInt8] {
    guard target.length <= limits.targetBytes else {
      throw TrustError(.tooLarge, target.path, "\(target.length) bytes; at most \(limits.targetBytes) are read")
    }
    let path = location(of: target)
    guard let bytes = try await targets.read(path, atMost: target.length) else {
      throw TrustError(.unreachable, target.path, "the repository has no file '\(path)'")
    }
    try check(bytes, as: target)
    return bytes
  }

  /// Checks the length and the hashes of bytes that may be a target.
  public func check(_ bytes: [UInt8], as target: Target) throws(TrustError) {
    try target.file.check(bytes, of: target.path)
  }

  /// The place of a target: with consistent snapshots, its hash precedes the file name.
  private func location(of target: Target) -> String {
    var names = target.path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
    if trusted.isConsistentSnapshot, let hash = target.file.preferredHash, let name = names.popLast() {
      names.append("\(hash).\(name)")
    }
    return names.joined(separator: "/")
  }
}
