extension StreamOutline {
  /// A source or an operator, with its unique name in the file.
  package struct Stage {
    package let title: String
    package let step: Step
  }

  /// Every source and operator of the file, with those of named and inner streams, in the order in which values pass.
  /// Inputs and streams that are named elsewhere are not among them.
  package var stages: [Stage] { stages(within: "") }

  private func stages(within path: String) -> [Stage] {
    var stages = streams.flatMap { $0.stages(within: path + ($0.name.map { "\($0) · " } ?? "")) }
    stages += outputs.flatMap { $0.stream.stages(within: path + "\($0.name) · ") }
    for step in steps {
      for branch in step.branches {
        guard case .outline(let outline) = branch.content else { continue }
        let name = branch.relation == .applied ? outline.name ?? step.name : step.name
        stages += outline.stages(within: branch.relation == .part ? path : "\(path)\(name) › ")
      }
      if step.isApplied { continue }
      switch step.kind {
      case .source, .operator: stages.append(Stage(title: path + (step.label ?? step.name), step: step))
      case .fed: stages.append(Stage(title: path + "fed", step: step))
      case .input, .reference, .file: break
      }
    }
    return stages
  }
}
