internal import StreamCore

/// Determines by trial what an operator does when it is started and receives demand.
struct StartProbe {
  /// State before the start.
  let fresh: Value
  /// Whether the operator subscribes to its main upstream at once.
  var joins = false
  /// State afterwards, if the operator has only subscribed and requested; otherwise nil.
  var begun: Value?
  /// Demand that the operator sends to its main upstream.
  var demand = Demand.none

  /// - Parameters:
  ///   - pipeline: The pipeline of the operator.
  ///   - demand: The demand that the operator receives.
  init?(_ node: PipelineNode, of pipeline: Pipeline, like snapshot: SavedExecution, demand: Demand) {
    let execution = Execution(pipeline, origin: snapshot.origin, skipsErrors: snapshot.skipsErrors)
    execution.time = snapshot.time
    let frame = Frame(number: 0, outer: nil, values: [])
    let stage = node.plain.makeStage(downstream: nil, port: 0, frame: frame, execution)
    stage.prepareToSave(execution)
    guard let fresh = try? stage.saveState() else { return nil }
    self.fresh = fresh
    withExtendedLifetime((frame, stage)) {
      let effects = Effects(execution, stage: stage)
      do throws(StreamFailure) {
        try stage.start(effects)
        var kinds = Self.kinds(of: execution)
        joins = kinds.contains(.joining)
        let isPlain = kinds == [.joining]
        if demand > .none { try stage.request(demand, effects) }
        kinds = Self.kinds(of: execution)
        execution.stack.forEach { work in
          if work.kind == .request, work.number == 0 { self.demand += work.demand }
        }
        let isPlainlyAsked = kinds == [.joining] || kinds == [.joining, .asking]
        if isPlain, isPlainlyAsked, (execution.coldState?.timers.isEmpty ?? true),
          (execution.coldState?.ticket ?? 0) == 0
        {
          stage.prepareToSave(execution)
          begun = try? stage.saveState()
        }
      } catch {
        joins = false
      }
      execution.stack.removeAll()
    }
  }

  private enum Kind { case joining, asking, other }

  private static func kinds(of execution: Execution) -> [Kind] {
    var kinds: [Kind] = []
    execution.stack.forEach { work in
      switch work.kind {
      case .subscribe where work.number == 0 && work.upstream == 0: kinds.append(.joining)
      case .request where work.number == 0: kinds.append(.asking)
      default: kinds.append(.other)
      }
    }
    return kinds
  }
}

extension PipelineNode {
  /// Whether a stage of the node can restore a saved state.
  func takes(_ state: Value, of pipeline: Pipeline) -> Bool {
    (try? looking(at: state, of: pipeline) { _ in true }) ?? false
  }
}
