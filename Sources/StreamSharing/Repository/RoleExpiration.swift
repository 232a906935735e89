internal import StreamCore

/// The time at which the metadata of a role expire, and whether an administrator has to act.
///
/// A hub signs the timestamp, the snapshot and the streams again in the second half of their time, so less time is left
/// only if the hub does not sign. The root is signed by people, once a year.
public struct RoleExpiration: Hashable, Sendable {
  /// How urgent a signature is.
  public enum Urgency: Int, Hashable, Sendable, Comparable {
    case none
    /// Less than 30 days, or a third of the role's time, are left.
    case soon
    /// Less than 7 days, or a seventh of the role's time, are left.
    case urgent
    /// Clients refuse the metadata.
    case expired

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The name of the role.
  public let role: String
  /// The time, in seconds since 1970.
  public let expires: Int64

  public init(role: String, expires: Int64) {
    self.role = role
    self.expires = expires
  }

  /// How urgent a signature is.
  ///
  /// - Parameter now: The current time, in seconds since 1970.
  public func urgency(at now: Int64) -> Urgency {
    let lifetime = Lifetimes()[RoleName(rawValue: role) ?? .targets]
    let left = expires - now
    if left <= 0 { return .expired }
    if left < min(7 * Self.day, lifetime / 7) { return .urgent }
    return left < min(30 * Self.day, lifetime / 3) ? .soon : .none
  }

  /// A sentence for people: the time that is left, and the command that signs again.
  public func text(at now: Int64) -> String {
    let isOnline = role == RoleName.timestamp.rawValue || role == RoleName.snapshot.rawValue
    let command = "'streamhub renew\(isOnline ? "" : " \(role)")'"
    let left = expires - now
    guard left > 0 else {
      return "the metadata of '\(role)' expired \((-left).durationText) ago; \(command) signs them again"
    }
    return "the metadata of '\(role)' expire in \(left.durationText); \(command) signs them again"
  }

  private static let day: Int64 = 86_400
}

extension Int64 {
  /// A number of seconds for people, in whole units, such as `3 days`.
  package var durationText: String {
    for (unit, seconds) in [("day", 86_400), ("hour", 3_600), ("minute", 60)] as [(String, Int64)]
    where self >= 2 * seconds {
      return (self / seconds).counted(unit)
    }
    return counted("second")
  }
}
