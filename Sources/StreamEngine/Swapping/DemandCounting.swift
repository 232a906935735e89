internal import StreamCore

/// State of a machine that counts requested values not yet published.
///
/// A machine that passes its demand upstream unchanged has no such count: the upstream has it.
package protocol DemandCounting {
  var unansweredDemand: Demand { get }
}

extension Backlog: DemandCounting {
  var unansweredDemand: Demand { demand }
}

extension Stage {
  /// Returns the demand that a state counts: itself, in one of its parts, or as a part of type `Demand`; nil if none.
  static func unansweredDemand(in state: Any) -> Demand? {
    if let state = state as? any DemandCounting { return state.unansweredDemand }
    let parts = Mirror(reflecting: state).children.map(\.value)
    return parts.lazy.compactMap { $0 as? Demand }.first
      ?? parts.lazy.compactMap { ($0 as? any DemandCounting)?.unansweredDemand }.first
  }
}

extension PipelineNode {
  /// Calls a function with a stage of the node that has restored a saved state.
  ///
  /// - Throws: The diagnostics if the state cannot be restored, and those of the function.
  func looking<Result>(
    at state: Value, of pipeline: Pipeline, _ body: (Stage) throws(Diagnostics) -> Result
  ) throws(Diagnostics) -> Result {
    let execution = Execution(pipeline)
    let frame = Frame(number: 0, outer: nil, values: [])
    let stage = plain.makeStage(downstream: nil, port: 0, frame: frame, execution)
    // NB: The stage does not retain its frame and its execution.
    defer { withExtendedLifetime((execution, frame)) {} }
    try stage.restoreState(state)
    return try body(stage)
  }
}

/// Determines by trial whether an operator counts its demand or passes it upstream.
struct DemandProbe {
  /// Whether the operator counts its demand itself.
  private(set) var counts = false
  /// Number of values that it requests upstream for each requested value, if it does not count.
  private(set) var ratio = 1

  private static let tried = Demand(7)

  init(_ node: PipelineNode, of pipeline: Pipeline) {
    let execution = Execution(pipeline)
    let frame = Frame(number: 0, outer: nil, values: [])
    let stage = node.plain.makeStage(downstream: nil, port: 0, frame: frame, execution)
    defer { withExtendedLifetime((execution, frame, stage)) { execution.stack.removeAll() } }
    // A stage that is fed from outside counts; to start it would subscribe it to its feeder.
    if stage is InputStage || stage is SharedStage || stage is FeedStage {
      counts = true
      return
    }
    do throws(StreamFailure) {
      let effects = Effects(execution, stage: stage)
      try stage.start(effects)
      let before = stage.unansweredDemand
      try stage.request(Self.tried, effects)
      counts = stage.unansweredDemand != before
      measure(execution)
    } catch {
      counts = true
    }
  }

  private mutating func measure(_ execution: Execution) {
    var asked = Demand.none
    execution.stack.forEach { work in
      if work.kind == .request, work.number == 0 { asked += work.demand }
    }
    if !asked.isUnlimited { ratio = max(1, asked.count / Self.tried.count) }
  }
}
