internal import StreamCore

/// The keys of a role, and the number of them that have to sign.
public struct RoleAuthority: Sendable {
  public var keys: [SigningKey]
  /// From 1 to the number of keys.
  public var threshold: Int

  public init(_ keys: [SigningKey], threshold: Int = 1) {
    self.keys = keys
    self.threshold = threshold
  }

  /// Checks that the threshold can be reached.
  func check(_ role: String) throws(TrustError) {
    guard threshold >= 1, threshold <= Set(keys.map(\.id)).count else {
      throw TrustError(
        .unsigned, role, "a threshold of \(threshold) with \(keys.count.counted("key"))")
    }
  }
}

/// The time until the metadata of each role expires, in seconds.
public struct Lifetimes: Hashable, Sendable {
  /// Default 365 days.
  public var root: Int64 = 365 * 86_400
  /// Default 90 days.
  public var targets: Int64 = 90 * 86_400
  /// Default 30 days.
  public var snapshot: Int64 = 30 * 86_400
  /// Default 7 days.
  public var timestamp: Int64 = 7 * 86_400

  public init() {}

  subscript(role: RoleName) -> Int64 {
    switch role {
    case .root: root
    case .targets: targets
    case .snapshot: snapshot
    case .timestamp: timestamp
    }
  }
}
