package import StreamCore
internal import Synchronization

/// Collects warnings about a file that compiles. Their pointers are those of the main file.
package final class RemarkLog: Sendable {
  private let found = Mutex<[Diagnostic]>([])

  package init() {}

  /// The warnings, each once.
  package var all: [Diagnostic] { found.withLock { $0 } }

  /// NB: An expression may be planned again when more is known of its types.
  func add(_ remark: Diagnostic) { found.withLock { if !$0.contains(remark) { $0.append(remark) } } }
}
