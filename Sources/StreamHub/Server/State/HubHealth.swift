internal import StreamCore
internal import StreamSharing

/// Whether a hub can do what its clients need: signatures that stay valid, and changes that are made.
struct HubHealth: Sendable {
  /// The last time at which the regular work was done, in milliseconds of the clock of the server; nil before the first.
  var lastWork: Int64?
  /// The reason why the repository cannot be read or written; nil if it can.
  var repositoryProblem: String?

  /// Milliseconds without regular work, which is done each second, after which changes count as blocked.
  static let patience: Int64 = 30_000

  /// The reasons why the hub is not ready.
  ///
  /// - Parameters:
  ///   - expirations: The expirations of all roles.
  ///   - seconds: The calendar time, in seconds since 1970.
  ///   - milliseconds: The time of the clock of the server.
  func problems(_ expirations: [RoleExpiration], at seconds: Int64, _ milliseconds: Int64) -> [String] {
    var problems = expirations.filter { $0.urgency(at: seconds) >= .urgent }.map { $0.text(at: seconds) }
    if let repositoryProblem { problems.append(repositoryProblem) }
    if let lastWork, milliseconds - lastWork > Self.patience {
      problems.append("no change has been possible for \((milliseconds - lastWork) / 1_000) s")
    }
    return problems
  }
}

extension RoleExpiration {
  /// The entry of the response of `/readyz`.
  func json(at now: Int64) -> Value {
    .object(
      ("role", .string(role)), ("expires", .string(Timestamp(seconds: expires).rfc3339)),
      ("seconds", .int(expires - now)))
  }
}
