public import CEL
public import StreamRuntime

/// A stream compiled: what runs, and what its values are.
public struct CompiledStream: Sendable {
  public let node: PipelineNode
  /// The type of the values, `dyn` where it cannot be told.
  public let type: CELType

  public init(_ node: PipelineNode, type: CELType = .dyn) {
    self.node = node
    self.type = type
  }
}
