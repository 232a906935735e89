internal import StreamCore

/// The metadata that a client trusts: a state machine without I/O, whose rules are those of TUF 1.0, section 5.
///
/// Each step replaces metadata only after all checks of that step. Bytes that are refused change nothing, except that
/// verified metadata which is expired or outdated stays for the comparison of versions: see `TUF 5.4.3` and `5.5.5`.
struct TrustedMetadata: Sendable {
  /// The start of the update, for all expirations.
  let now: Timestamp
  private(set) var root: SignedMetadata<RootRole>
  private(set) var timestamp: SignedMetadata<TimestampRole>?
  private(set) var snapshot: SignedMetadata<SnapshotRole>?
  /// The roles that list targets, by name.
  private(set) var targets: [String: SignedMetadata<TargetsRole>] = [:]
  /// The roles in `targets`, with the parents by whose keys their signatures have been verified.
  private var verified: Set<Delegation> = []

  private struct Delegation: Hashable {
    let role: String
    let parent: String?
  }

  /// Begins with a root that the application trusts, and which has to be signed by its own keys.
  init(root bytes: [UInt8], at now: Timestamp) throws(TrustError) {
    let root = try SignedMetadata<RootRole>(bytes, name: "root")
    try root.verify(by: root.role[.root])
    self.root = root
    self.now = now
  }

  var isConsistentSnapshot: Bool { root.role.isConsistentSnapshot }

  /// Replaces the root by the next version, which both the old and the new keys have signed.
  mutating func update(root bytes: [UInt8]) throws(TrustError) {
    let next = try SignedMetadata<RootRole>(bytes, name: "root")
    try next.verify(by: root.role[.root])
    let expected = root.role.header.version + 1
    guard next.role.header.version == expected else {
      throw TrustError(.wrongVersion, "root", "version \(next.role.header.version); expected \(expected)")
    }
    try next.verify(by: next.role[.root])
    root = next
    // The keys of `targets` may be others.
    verified = []
  }

  /// Checks the newest root: called once no newer one can be had.
  func checkRoot() throws(TrustError) { try root.checkExpiration(at: now) }

  /// Replaces the timestamp. Returns false, without an effect, if its version is the trusted one.
  mutating func update(timestamp bytes: [UInt8]) throws(TrustError) -> Bool {
    let next = try SignedMetadata<TimestampRole>(bytes, name: "timestamp")
    try next.verify(by: root.role[.timestamp])
    if let old = timestamp?.role {
      try Self.refuseRollback(of: "timestamp", from: old.header.version, to: next.role.header.version)
      guard next.role.header.version > old.header.version else {
        try timestamp?.checkExpiration(at: now)
        return false
      }
      try Self.refuseRollback(of: "snapshot", from: old.snapshot.version, to: next.role.snapshot.version)
    }
    timestamp = next
    try next.checkExpiration(at: now)
    return true
  }

  /// The description of the snapshot to load.
  var newestSnapshot: MetadataDescription {
    get throws(TrustError) {
      guard let timestamp else { throw TrustError(.notFound, "timestamp", "there is no trusted timestamp") }
      try timestamp.checkExpiration(at: now)
      return timestamp.role.snapshot
    }
  }

  /// Replaces the snapshot.
  ///
  /// - Parameter isStored: Whether the client has stored the bytes earlier, after checking their hash.
  mutating func update(snapshot bytes: [UInt8], isStored: Bool = false) throws(TrustError) {
    let newest = try newestSnapshot
    if !isStored { try newest.file.check(bytes, of: "snapshot") }
    let next = try SignedMetadata<SnapshotRole>(bytes, name: "snapshot")
    try next.verify(by: root.role[.snapshot])
    if let old = snapshot?.role {
      for (name, description) in old.meta {
        let role = Self.role(ofFile: name)
        guard let newer = next.role.meta[name] else {
          throw TrustError(.rollback, "snapshot", "the role '\(role)' is gone")
        }
        try Self.refuseRollback(of: role, from: description.version, to: newer.version)
      }
    }
    snapshot = next
    // Roles of an earlier snapshot are not those of this one.
    targets = [:]
    verified = []
    try checkSnapshot()
  }

  private func checkSnapshot() throws(TrustError) {
    guard let snapshot else { throw TrustError(.notFound, "snapshot", "there is no trusted snapshot") }
    let newest = try newestSnapshot
    try snapshot.checkExpiration(at: now)
    guard snapshot.role.header.version == newest.version else {
      throw TrustError(
        .wrongVersion, "snapshot", "version \(snapshot.role.header.version); expected \(newest.version)")
    }
  }

  /// The description of a role that lists targets.
  func description(of role: String) throws(TrustError) -> MetadataDescription {
    try checkSnapshot()
    guard let description = snapshot?.role.meta["\(role).json"] else {
      throw TrustError(.notFound, role, "the snapshot has no such role")
    }
    return description
  }

  /// Adds a role that lists targets.
  ///
  /// - Parameters:
  ///   - name: `targets`, or the name of a delegated role.
  ///   - parent: The role that delegates to it; nil for `targets`.
  mutating func update(
    targets bytes: [UInt8], name: String, parent: String?
  ) throws(TrustError) -> SignedMetadata<TargetsRole> {
    let description = try description(of: name)
    try description.file.check(bytes, of: name)
    let next = try SignedMetadata<TargetsRole>(bytes, name: name)
    try next.verify(by: authority(of: name, parent: parent))
    guard next.role.header.version == description.version else {
      throw TrustError(
        .wrongVersion, name, "version \(next.role.header.version); expected \(description.version)")
    }
    try next.checkExpiration(at: now)
    targets[name] = next
    verified = verified.filter { $0.role != name && $0.parent != name }
    verified.insert(Delegation(role: name, parent: parent))
    return next
  }

  /// Returns a role that was added before; nil if it was not.
  ///
  /// - Parameter parent: The role that delegates to it. Two roles may delegate to one of this name with different keys, so
  ///   the signatures are verified by those of this parent.
  mutating func known(_ name: String, parent: String?) throws(TrustError) -> TargetsRole? {
    guard let known = targets[name] else { return nil }
    let delegation = Delegation(role: name, parent: parent)
    if !verified.contains(delegation) {
      try known.verify(by: authority(of: name, parent: parent))
      verified.insert(delegation)
    }
    return known.role
  }

  private func authority(of name: String, parent: String?) throws(TrustError) -> RoleKeys {
    guard let parent else { return root.role[.targets] }
    guard let authority = targets[parent]?.role.delegations?.authority(of: name) else {
      throw TrustError(.notFound, name, "'\(parent)' does not delegate to it")
    }
    return authority
  }

  private static func refuseRollback(of role: String, from old: Int64, to new: Int64) throws(TrustError) {
    guard new < old else { return }
    throw TrustError(.rollback, role, "version \(new) is older than version \(old), which is trusted")
  }

  private static func role(ofFile name: String) -> String {
    name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }
}
