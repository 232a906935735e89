internal import StreamRuntime

extension OperatorPlace {
  /// The node for a machine at this place: for operators that choose a machine by their fields.
  func node(running machine: some Machine) -> PipelineNode {
    .machine(
      machine, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
  }
}
