extension PipelineNode {
  /// The operators that run here as one program, in the order of the data flow; empty if a machine runs. The program of
  /// a keyed operator also contains the operators of its inner stream, which are listed there.
  package var fusedOperators: [PipelineNode] {
    guard let segment = self as? SegmentNode, !segment.isBaseline else { return [] }
    return segment.isOpen ? segment.segment.operators.map(\.node) : [segment.operator]
  }

  /// The optimized program that runs here; nil if there is none.
  package var program: Program? {
    guard let segment = self as? SegmentNode, !segment.isBaseline else { return nil }
    return segment.segment.program
  }

  /// Whether all its subscribers share one upstream subscription.
  package var isShared: Bool { self is SharedNode }
}
