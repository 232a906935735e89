package import StreamCore
internal import Synchronization

/// Collects warnings about a file that compiles. Their pointers are those of the main file.
package final class RemarkLog: Sendable {
  private let found = Mutex<(list: [Diagnostic], known: Set<Diagnostic>)>(([], []))

  package init() {}

  /// The warnings, each once.
  package var all: [Diagnostic] { found.withLock { $0.list } }

  /// NB: An expression may be planned again when more is known of its types.
  func add(_ remark: Diagnostic) { found.withLock { if $0.known.insert(remark).inserted { $0.list.append(remark) } } }
}
