internal import CEL

extension Pipeline {
  /// Which fields of an input's records the stream may look at; nil where it may look at all there is of a value, or keep
  /// it.
  ///
  /// A host that does not know the other fields may hand such records to `Execution.hand(part:)`. Where the stream passes
  /// one on as it came, it comes out as it came: the host knows what it stands for.
  package func fieldsRead(of input: Int) -> Set<String>? {
    var hearers: [PipelineNode] = []
    var seen: Set<ObjectIdentifier> = []
    var next = [root]
    while let node = next.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      for upstream in node.upstreams where (upstream as? InputNode)?.number == input { hearers.append(node) }
      next += node.upstreams
    }
    guard inputs.indices.contains(input), !inputs[input].isCurrent, hearers.count == 1,
      let segment = hearers[0] as? SegmentNode
    else { return nil }
    let use = segment.segment.program.inputUse
    return use.isEmitted && segment !== root ? nil : use.fields
  }
}
