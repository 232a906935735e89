internal import StreamCore

/// State of a machine that counts requested values not yet published.
///
/// A machine that passes its demand upstream unchanged has no such count: the upstream has it.
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

/// Where an operator leaves the demand that it is told of, found out by trying.
struct DemandProbe {
  /// Whether it counts it itself.
  private(set) var counts = false
  /// Else how many values of upstream it asks for in place of one.
  private(set) var ratio = 1

  private static let tried = Demand(7)

  init(_ node: PipelineNode, of pipeline: Pipeline) {
    let execution = Execution(pipeline)
    let frame = Frame(number: 0, outer: nil, values: [])
    let stage = node.plain.makeStage(downstream: nil, port: 0, frame: frame, execution)
    defer { withExtendedLifetime((execution, frame, stage)) { execution.stack.removeAll() } }
    // What is fed from outside counts; to start it would join it to what it is fed by.
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
