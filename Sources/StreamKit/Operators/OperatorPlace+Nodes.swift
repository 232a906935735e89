internal import StreamEngine

extension OperatorPlace {
  /// The node of a machine.
  func node(running machine: some Machine) -> PipelineNode {
    .machine(
      machine, name: name, pointer: pointer, upstreams: upstreams, errorPolicy: errorPolicy, frameDepth: frameDepth)
  }

  /// The node of steps.
  func node(running steps: Steps, _ context: OperatorContext) -> PipelineNode {
    .steps(
      steps, over: context.inputType, name: name, pointer: pointer, upstream: upstreams[0], errorPolicy: errorPolicy,
      frameDepth: frameDepth, fuses: context.fuses)
  }

  /// The node of an operator that finishes at once, without subscribing to upstream.
  func nodeWithoutValues() -> PipelineNode { node(running: FinishedMachine()) }
}

private struct FinishedMachine: Machine {
  mutating func start(_ effects: Effects) { effects.finish() }
}
