package import CEL

extension PipelineNode {
  /// The operators that run here as one program, from the one that hears upstream; empty where a machine runs.
  package var fusedOperators: [PipelineNode] {
    (self as? SegmentNode)?.segment.operators.map(\.node) ?? []
  }

  /// The program that runs here, if one does.
  package var program: Program? { (self as? SegmentNode)?.segment.program }

  /// Whether all its subscribers share one subscription to what is upstream.
  package var isShared: Bool { self is SharedNode }
}
