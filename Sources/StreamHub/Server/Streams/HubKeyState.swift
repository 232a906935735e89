internal import StreamCore
internal import StreamSharing

/// The roles that a hub can sign, and the reason why it cannot sign those that it must.
struct HubKeyState: Hashable, Sendable {
  /// The roles whose keys are at hand.
  var signs: [String] = []
  /// The reason why the hub can make no change, for people; nil if it can, or serves only what others publish.
  var problem: String?
  /// The reason why a key in the folder is not used; nil if there is none.
  var unusedKey: TrustError?

  init(signs: [String] = [], problem: String? = nil) {
    self.signs = signs
    self.problem = problem
  }

  init(_ reading: HubKeyReading, of repository: Repository) {
    signs = repository.roleNames.filter { $0 != RoleName.root.rawValue && repository.canSign($0) }
    unusedKey = reading.problem
    let missing = [RoleName.snapshot, .timestamp].map(\.rawValue).filter { !signs.contains($0) }
    guard reading.isMeantToSign, !missing.isEmpty else { return }
    let reason = reading.problem.map { ": \($0)" } ?? ", since their keys are not in the folder of the keys"
    problem =
      "the hub cannot sign \(missing.map { "'\($0)'" }.joined(separator: " and "))\(reason); no change can be made, and "
      + "clients follow it until the timestamp expires"
  }
}
