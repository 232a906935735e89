public import StreamCore

/// The keys of all top-level roles.
struct RootRole: RoleContent {
  static let type = RoleName.root
  let header: MetadataHeader
  /// Whether files are named by their versions and hashes.
  let isConsistentSnapshot: Bool
  private let authorities: [RoleName: RoleKeys]

  init(_ signed: MetadataReader, _ header: MetadataHeader) throws(TrustError) {
    self.header = header
    isConsistentSnapshot = try signed.optional("consistent_snapshot")?.flag ?? false
    let keys = try RoleKeys.table(try signed["keys"])
    var authorities: [RoleName: RoleKeys] = [:]
    let roles = try signed["roles"]
    for name in RoleName.allCases { authorities[name] = try RoleKeys(try roles[name.rawValue], among: keys) }
    self.authorities = authorities
  }

  /// The keys that sign a role.
  subscript(role: RoleName) -> RoleKeys {
    guard let keys = authorities[role] else { preconditionFailure("a root names the keys of every top-level role") }
    return keys
  }
}

/// The newest snapshot.
struct TimestampRole: RoleContent {
  static let type = RoleName.timestamp
  let header: MetadataHeader
  let snapshot: MetadataDescription

  init(_ signed: MetadataReader, _ header: MetadataHeader) throws(TrustError) {
    self.header = header
    snapshot = try MetadataDescription(try signed["meta"]["snapshot.json"])
  }
}

/// The versions of all roles that list targets.
struct SnapshotRole: RoleContent {
  static let type = RoleName.snapshot
  let header: MetadataHeader
  /// Descriptions by file name, for example `targets.json`.
  let meta: [String: MetadataDescription]

  init(_ signed: MetadataReader, _ header: MetadataHeader) throws(TrustError) {
    self.header = header
    var meta: [String: MetadataDescription] = [:]
    for (name, description) in try signed["meta"].members { meta[name] = try MetadataDescription(description) }
    guard meta["targets.json"] != nil else { throw signed.problem("meta", "there is no member 'targets.json'") }
    self.meta = meta
  }
}

/// Targets, and the roles to which some of their paths are delegated.
struct TargetsRole: RoleContent {
  static let type = RoleName.targets
  let header: MetadataHeader
  let targets: [String: Target]
  let delegations: Delegations?

  init(_ signed: MetadataReader, _ header: MetadataHeader) throws(TrustError) {
    self.header = header
    var targets: [String: Target] = [:]
    for (path, target) in try signed["targets"].members { targets[path] = try Target(target, path: path) }
    self.targets = targets
    delegations = try signed.optional("delegations").map { value throws(TrustError) in try Delegations(value) }
  }
}

/// A file of a repository, as signed.
public struct Target: Hashable, Sendable {
  /// The path within the repository, for example `checkout/fraud.json`.
  public let path: String
  /// Length in bytes.
  public var length: Int { file.length ?? 0 }
  /// The member `custom`; an empty object if there is none.
  public let custom: Value
  let file: FileDescription

  init(_ target: MetadataReader, path: String) throws(TrustError) {
    self.path = path
    file = try FileDescription(target, isRequired: true)
    let custom = try target.optional("custom")
    if let custom { _ = try custom.map }
    self.custom = custom?.value ?? .map(ValueMap())
  }
}
