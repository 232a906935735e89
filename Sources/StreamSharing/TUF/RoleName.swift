/// The top-level roles of a repository.
public enum RoleName: String, Hashable, Sendable, CaseIterable {
  case root, timestamp, snapshot, targets
}
