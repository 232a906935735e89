internal import Synchronization

/// The version of the programs.
package enum ProgramVersion {
  package static let text = "0.1.0"
  private static let commit = Mutex("")

  /// Declares the commit from which this program is built, and its date; empty if the sources had none.
  package static func declare(commit: String) { self.commit.withLock { $0 = commit } }

  /// The commit without its date, as in `5e38aee3` or `5e38aee3 with changes`; empty if the sources had none.
  package static var commitName: String { String(commit.withLock(\.self).prefix { $0 != "," }) }

  /// The version with the commit, as in `0.1.0 (5e38aee3, 2026-11-27)`.
  package static var full: String {
    let commit = commit.withLock(\.self)
    return "\(text) (\(commit.isEmpty ? "built from sources without a commit" : commit))"
  }
}
