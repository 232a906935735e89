internal import StreamRuntime

extension OperatorPlace {
  /// The operator at this place, run by this machine: for operators whose fields choose between machines.
  func node(running machine: some Machine) -> PipelineNode {
    .machine(
      machine, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
  }
}
