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
  ///
  /// - Parameters:
  ///   - refreshed: The time at which the repository was read last, in seconds since 1970; nil if that is not known.
  ///   - isAnswered: Whether the repository has been read since the start, or the run has not waited for it.
  mutating func begin(
    _ state: SharedStreamState, at now: Int64, refreshed: Int64?, isAnswered: Bool = true
  ) -> [String] {
    let isOnProbation = [.inconclusive, .probation].contains(state.phase)
    var lines = ["\(name): runs \(Self.version(state))\(isOnProbation ? ", on probation" : "")"]
    if state.failures > 0, let failing = state.waitingVersion ?? state.version {
      let again = isOnProbation || state.waitingVersion != nil ? " is on probation again: it" : ""
      let runs = state.failures == 1 ? "run" : "\(state.failures) runs"
      lines.append("\(name): version \(failing)\(again) has failed in the last \(runs)")
    }
    if !isOffline, state.isCutOff || !isAnswered {
      let age = refreshed.map { ", as of \(max(0, now - $0).durationText) ago" } ?? ""
      let reason = (state.isCutOff ? state.problem?.description : nil) ?? "there is no reply yet"
      lines.append(
        "warning: \(name): the repository cannot be read; \(Self.version(state)) runs\(age): \(reason)")
      last = state
    }
    return lines + self.lines(for: state, at: now)
  }

  /// The line of the end; nil if there is nothing to report.
  ///
  /// - Parameter state: The state before the run was closed.
  func end(_ state: SharedStreamState) -> String? {
    guard state.phase == .inconclusive else { return nil }
    return "\(name): no value has reached \(Self.version(state)); its probation is inconclusive, and continues with "
      + "the next run"
  }

  /// The lines about what has changed.
  mutating func lines(for state: SharedStreamState, at now: Int64) -> [String] {
    defer { last = state }
    return connection(state) + versions(state) + expirations(state, at: now)
  }

  /// The version that runs, in messages.
  static func version(_ state: SharedStreamState) -> String {
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
    if state.phase == .good, let last, [.probation, .inconclusive].contains(last.phase), last.content == state.content {
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
