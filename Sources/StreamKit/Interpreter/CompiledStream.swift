public import CEL
public import StreamEngine

/// A compiled stream: its pipeline and the type of its values.
public struct CompiledStream: Sendable {
  public let node: PipelineNode
  /// The type of the values; `dyn` if it is unknown.
  public let type: CELType

  public init(_ node: PipelineNode, type: CELType = .dyn) {
    self.node = node
    self.type = type
  }
}
