/// Bounds of what a client reads from a repository.
public struct RepositoryLimits: Hashable, Sendable {
  /// Maximum length of a root, in bytes.
  public var rootBytes = 512 * 1024
  /// Maximum length of a timestamp, in bytes.
  public var timestampBytes = 16 * 1024
  /// Maximum length of a snapshot if the timestamp does not state it, in bytes.
  public var snapshotBytes = 2 * 1024 * 1024
  /// Maximum length of a role that lists targets if the snapshot does not state it, in bytes.
  public var targetsBytes = 5 * 1024 * 1024
  /// Maximum length of a target, in bytes.
  public var targetBytes = 64 * 1024 * 1024
  /// Maximum number of new roots in one update.
  public var rootRotations = 256
  /// Maximum number of delegated roles that a search reads.
  public var delegations = 32

  public init() {}

  /// The limits by their names.
  package static let names: [(name: String, path: any WritableKeyPath<RepositoryLimits, Int> & Sendable)] = [
    ("rootBytes", \.rootBytes), ("timestampBytes", \.timestampBytes), ("snapshotBytes", \.snapshotBytes),
    ("targetsBytes", \.targetsBytes), ("targetBytes", \.targetBytes), ("rootRotations", \.rootRotations),
    ("delegations", \.delegations),
  ]
}
