package import StreamProgram

extension PipelineNode {
  /// The operators that run here as one program, from the one that hears upstream; empty if a machine runs. The program
  /// of a keyed operator also contains the operators of its inner stream, which are listed there.
  package var fusedOperators: [PipelineNode] {
    guard let segment = self as? SegmentNode, !segment.isBaseline else { return [] }
    return segment.isOpen ? segment.segment.operators.map(\.node) : [segment.operator]
  }

  /// The optimized program that runs here, if one does.
  package var program: Program? {
    guard let segment = self as? SegmentNode, !segment.isBaseline else { return nil }
    return segment.segment.program
  }

  /// Whether all its subscribers share one subscription to what is upstream.
  package var isShared: Bool { self is SharedNode }
}
