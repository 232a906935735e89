internal import CEL

extension Pipeline {
  /// Which fields of an input's records the stream may look at; nil where it may look at all there is of a value, or keep
  /// it.
  ///
  /// A host that does not know the other fields may hand such records to `Execution.hand(part:)`. Where the stream passes
  /// one on as it came, it comes out as it came: the host knows what it stands for.
  package func fieldsRead(of input: Int) -> Set<String>? {
    guard inputs.indices.contains(input), !inputs[input].isCurrent, let segment = onlyHearer(of: input) else {
      return nil
    }
    let use = segment.segment.program.inputUse
    return use.isEmitted && segment !== root ? nil : use.fields
  }

  /// The segment that hears an input, if nobody else does and it is subscribed to once.
  private func onlyHearer(of input: Int) -> SegmentNode? {
    var hearers: [PipelineNode] = []
    var downstreams: [ObjectIdentifier: [PipelineNode]] = [:]
    var next = [root]
    var seen = Set(next.map(ObjectIdentifier.init))
    while let node = next.popLast() {
      for upstream in node.upstreams {
        if (upstream as? InputNode)?.number == input { hearers.append(node) }
        downstreams[ObjectIdentifier(upstream), default: []].append(node)
        if seen.insert(ObjectIdentifier(upstream)).inserted { next.append(upstream) }
      }
    }
    guard hearers.count == 1, let segment = hearers[0] as? SegmentNode, segment.frameDepth == 0 else { return nil }
    var node = hearers[0]
    while node !== root {
      guard let users = downstreams[ObjectIdentifier(node)], users.count == 1 else { return nil }
      node = users[0]
    }
    return segment
  }
}
