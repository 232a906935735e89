internal import StreamCore

/// A part of a machine's state that counts what has been asked for and has not been answered.
///
/// A machine that asks upstream for as much as it is asked for has none: it owes what upstream owes it.
public protocol DemandCounting {
  var unansweredDemand: Demand { get }
}

extension Backlog: DemandCounting {
  var unansweredDemand: Demand { demand }
}

extension Stage {
  /// What a state counts: itself, or in one of its parts, or as a `Demand` among them; nil where it counts nothing.
  static func unansweredDemand(in state: Any) -> Demand? {
    if let state = state as? any DemandCounting { return state.unansweredDemand }
    let parts = Mirror(reflecting: state).children.map(\.value)
    return parts.lazy.compactMap { $0 as? Demand }.first
      ?? parts.lazy.compactMap { ($0 as? any DemandCounting)?.unansweredDemand }.first
  }
}

extension PipelineNode {
  /// Looks at a stage of the node that has taken up what was saved of another one.
  ///
  /// - Throws: why it cannot.
  func looking<Result>(
    at state: Value, of pipeline: Pipeline, _ body: (Stage) throws(Diagnostics) -> Result
  ) throws(Diagnostics) -> Result {
    let execution = Execution(pipeline)
    let frame = Frame(number: 0, outer: nil, values: [])
    let stage = plain.makeStage(downstream: nil, port: 0, frame: frame, execution)
    // NB: the stage does not count its frame and its execution.
    defer { withExtendedLifetime((execution, frame)) {} }
    try stage.restoreState(state)
    return try body(stage)
  }
}
