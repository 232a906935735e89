internal import StreamCore
internal import StreamSharing

/// The lines that a run prints for the events of the stream that it follows. The run itself reports swaps.
struct FollowingNarration {
  private let name: String
  private let isOffline: Bool
  private var last: SharedStreamState?
  /// The roles whose expiration was reported, with its urgency.
  private var told: [String: RoleExpiration.Urgency] = [:]

  /// - Parameter isOffline: Whether the person does not want the repository, so that its absence is not reported.
  init(_ name: String, isOffline: Bool = false) {
    self.name = name
    self.isOffline = isOffline
  }

  /// The lines of the beginning.
  mutating func begin(_ state: SharedStreamState, at now: Int64) -> [String] {
    let suffix = state.phase == .probation ? ", on probation" : ""
    return ["\(name): runs \(Self.version(state))\(suffix)"] + lines(for: state, at: now)
  }

  /// The lines about what has changed.
  mutating func lines(for state: SharedStreamState, at now: Int64) -> [String] {
    defer { last = state }
    return connection(state) + versions(state) + expirations(state, at: now)
  }

  private static func version(_ state: SharedStreamState) -> String {
    state.version.map { "version \($0)" } ?? "the version built in"
  }

  private func connection(_ state: SharedStreamState) -> [String] {
    guard !isOffline else { return [] }
    let wasCutOff = last?.isCutOff ?? false
    guard state.isCutOff, let problem = state.problem else {
      return wasCutOff && !state.isCutOff ? ["\(name): follows the repository again"] : []
    }
    // A server that does not answer can cause different errors in turn; the change is not reported.
    guard !wasCutOff || last?.problem?.kind != problem.kind else { return [] }
    return ["\(name): cut off from the repository, \(Self.version(state)) continues: \(problem)"]
  }

  private func versions(_ state: SharedStreamState) -> [String] {
    var lines: [String] = []
    if state.phase == .good, let last, last.phase == .probation, last.content == state.content {
      lines.append("\(name): \(Self.version(state)) has passed its probation")
    }
    // A version that has failed while it ran was reported with the failure.
    if let refusal = state.refusal, refusal != last?.refusal, state.phase != .restored {
      lines.append("\(name): version \(refusal.version) is refused: \(refusal.reasons.first ?? "it cannot run")")
    }
    return lines
  }

  private mutating func expirations(_ state: SharedStreamState, at now: Int64) -> [String] {
    var lines: [String] = []
    for expiring in state.expiring {
      let urgency = expiring.urgency(at: now)
      if urgency > told[expiring.role] ?? .none { lines.append("\(name): \(expiring.text(at: now))") }
    }
    told = Dictionary(state.expiring.map { ($0.role, $0.urgency(at: now)) }) { first, _ in first }
    return lines
  }
}
