package import StreamCore

/// Measures which operator of a stream works longest.
///
/// The time between two publications counts for the operator that publishes the second one.
package final class WorkShares {
  private var shares: [ObjectIdentifier: (node: PipelineNode, nanoseconds: Int64)] = [:]
  private var latest = ThreadTime.now

  package init() {}

  /// Watches an execution until `end` is called.
  package func begin(_ execution: Execution) {
    execution.publicationWatcher = { [self] node, _ in
      let now = ThreadTime.now
      shares[ObjectIdentifier(node), default: (node, 0)].nanoseconds += now.since(latest)
      latest = now
    }
  }

  package func end(_ execution: Execution) { execution.publicationWatcher = nil }

  /// The operator or source that has worked longest; nil if none has published.
  package var longest: (name: String, pointer: JSONPointer)? {
    shares.values.max { $0.nanoseconds < $1.nanoseconds }.map { ($0.node.name, $0.node.pointer) }
  }
}
