internal import StreamCore
internal import StreamSharing

/// The condition of a hub: whether it can serve and make changes, and the reasons to act before it cannot.
struct HubHealth: Sendable {
  /// The last time at which the regular work was done, in milliseconds of the clock of the server; nil before the first.
  var lastWork: Int64?
  /// The reason why the repository cannot be read or signed; nil if it can.
  var repositoryProblem: String?
  /// The reason why a folder cannot be written to, by its path.
  var writeProblems: [String: String] = [:]
  /// The free space of the folders that the hub writes to, by path.
  var space: [String: DiskSpace] = [:]
  var keys = HubKeyState()
  /// The reason why clients may refuse the repository although it is in order; nil if there is none.
  var ageProblem: String?

  /// Milliseconds without regular work, which is done each second, after which changes count as blocked.
  static let patience: Int64 = 30_000

  /// Returns the present problems.
  ///
  /// - Parameters:
  ///   - expirations: The expirations of all roles.
  ///   - seconds: The calendar time, in seconds since 1970.
  ///   - milliseconds: The time of the clock of the server.
  func causes(_ expirations: [RoleExpiration], at seconds: Int64, _ milliseconds: Int64) -> [HealthCause] {
    var causes: [HealthCause] = []
    for expiring in expirations {
      let urgency = expiring.urgency(at: seconds)
      guard urgency > .none else { continue }
      // Clients refuse metadata that have expired, and nothing else: until then, the hub serves them.
      causes.append(HealthCause(.expiring, expiring.text(at: seconds), isBlocking: urgency == .expired))
    }
    if let problem = keys.problem { causes.append(HealthCause(.keys, problem, isBlocking: true)) }
    if let unused = keys.unusedKey, keys.problem == nil {
      causes.append(HealthCause(.keys, "a key is not used: \(unused)", isBlocking: false))
    }
    if let repositoryProblem { causes.append(HealthCause(.repository, repositoryProblem, isBlocking: true)) }
    for (_, problem) in writeProblems.sorted(by: { $0.key < $1.key }) {
      causes.append(HealthCause(.storage, problem, isBlocking: true))
    }
    for (folder, space) in space.sorted(by: { $0.key < $1.key }) where space.isNearlyFull {
      causes.append(HealthCause(.disk, "the disk of '\(folder)' is nearly full: \(space.text)", isBlocking: false))
    }
    if let ageProblem { causes.append(HealthCause(.older, ageProblem, isBlocking: false)) }
    if let lastWork, milliseconds - lastWork > Self.patience {
      let seconds = (milliseconds - lastWork) / 1_000
      causes.append(HealthCause(.blocked, "no change has been possible for \(seconds) s", isBlocking: true))
    }
    return causes
  }
}

/// A reason why a hub is not ready, or will not be unless an administrator acts.
struct HealthCause: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// The metadata of a role expire soon, or have expired.
    case expiring
    /// Keys are missing, or cannot be read.
    case keys
    /// The repository cannot be read or signed.
    case repository
    /// A folder cannot be written to.
    case storage
    /// A disk is nearly full.
    case disk
    /// The repository is older than a repository that the hub has served, such as after a restoration.
    case older
    /// Changes are blocked.
    case blocked
  }

  let kind: Kind
  /// A sentence for people.
  let detail: String
  /// Whether the hub is not ready because of it.
  let isBlocking: Bool

  init(_ kind: Kind, _ detail: String, isBlocking: Bool) {
    self.kind = kind
    self.detail = detail
    self.isBlocking = isBlocking
  }

  /// The entry of the response of `/health`.
  var json: Value {
    .object(
      ("kind", .string(kind.rawValue)), ("detail", .string(detail)),
      ("status", .string(isBlocking ? "fail" : "warn")))
  }
}

extension RoleExpiration {
  /// The entry of the response of `/health`.
  func json(at now: Int64) -> Value {
    .object(
      ("role", .string(role)), ("expires", .string(Timestamp(seconds: expires).rfc3339)),
      ("seconds", .int(expires - now)))
  }
}
