package import CEL
package import StreamEngine

/// A compiled stream: its pipeline and the type of its values.
package struct CompiledStream: Sendable {
  package let node: PipelineNode
  /// The type of the values; `dyn` if it is unknown.
  package let type: CELType

  package init(_ node: PipelineNode, type: CELType = .dyn) {
    self.node = node
    self.type = type
  }
}
