/// A connection in the new pipeline whose feeder either continues or starts again.
struct SwapEdge {
  /// The stage that is fed, by index in the new list; nil for the host.
  let downstream: Int?
  let port: Int
  /// The node that feeds it, and its index among the upstreams of the node downstream.
  let node: PipelineNode
  let upstream: Int
  /// The previous feeder, by index in the old list.
  let feeder: Int
  /// Demand on the feeder that is not satisfied yet.
  let demand: Demand
  /// The frame of the stage downstream and the frame created for this connection, by index; the latter nil if none was.
  let frame: Int
  let portFrame: Int?
}

/// The stages that feed an edge in the new pipeline, from its feeder upstream.
struct SwapLine {
  /// One stage of the line.
  struct Step {
    let node: PipelineNode
    /// The old stage that continues here, by index in the old list; nil if the stage starts again.
    let kept: Int?
    let probe: StartProbe?
    /// Demand on a stage that begins; none if the stage downstream is yet to start, and sends its own demand then.
    let demand: Demand
    /// Demand in addition to the unsatisfied demand of a stage that continues.
    var more = Demand.none
    /// Whether the stage has already received unlimited demand.
    var isUnlimited = false
  }

  private(set) var steps: [Step] = []
  /// The reason why stages further upstream do not continue.
  private(set) var obstacle: SwapObstacle?
  /// The old stage that fed the last of the steps, or the edge if there are no steps; nil if none did.
  private(set) var feeder: Int?
  /// Demand on `feeder` that is not satisfied yet.
  private(set) var demand: Demand

  /// Follows the new pipeline upstream, up to the last stage that continues.
  ///
  /// - Parameters:
  ///   - key: Returns the key of an old stage.
  ///   - partner: Returns the old stage that continues as a node, among those with the same key.
  ///   - probe: Determines what an operator does when it is started and receives demand.
  init(
    _ edge: SwapEdge, in old: OldStages, _ plan: SwapPlan, key: (Int) -> NodeKey?,
    partner: (PipelineNode, [Int]) -> Int?, probe: (PipelineNode, Demand) -> StartProbe?
  ) {
    feeder = edge.feeder
    demand = edge.demand
    var available: [NodeKey: [Int]] = [:]
    for place in old.line(from: edge.feeder) { if let key = key(place) { available[key, default: []].append(place) } }
    var (demand, feeder) = (edge.demand, Optional(edge.feeder))
    var isBeginning = false
    var next: PipelineNode? = edge.node
    var line: [Step] = []
    while let node = next {
      if let key = plan.newKey(node), let place = partner(node, available[key] ?? []) {
        available[key]?.removeAll { $0 == place }
        guard let step = Self.step(node, place, demand, after: feeder, isAsked: isBeginning, in: old) else {
          obstacle = .askedForMore
          break
        }
        line.append(step)
        let main = old.main(place)
        feeder = main?.place
        demand = old.owed(main?.place) ?? Demand(1)
        steps = line
        (self.feeder, self.demand) = (feeder, demand)
        isBeginning = false
        // A stage that is fed as a shared stream, by several outputs, or not at all, ends the line.
        guard main != nil, node.sharedNumber == nil, !node.isOfOutputs else { break }
      } else {
        let found = probe(node, demand)
        guard let found, found.joins, !plan.isSource(node), node.sharedNumber == nil else {
          obstacle = .behind(name: node.name, pointer: node.pointer)
          break
        }
        line.append(
          Step(
            node: node, kept: nil, probe: isBeginning ? probe(node, .none) : found,
            demand: isBeginning ? .none : demand))
        demand = found.demand
        feeder = nil
        isBeginning = isBeginning || found.begun == nil
      }
      next = node.upstreams.first?.plain
    }
  }

  /// Returns the step of a stage that continues; nil if its old demand is not compatible with its new demand.
  ///
  /// - Parameters:
  ///   - feeder: The old stage in this position.
  ///   - isAsked: Whether the stage downstream is yet to start, and sends its own demand then.
  private static func step(
    _ node: PipelineNode, _ place: Int, _ demand: Demand, after feeder: Int?, isAsked: Bool, in old: OldStages
  ) -> Step? {
    var step = Step(node: node, kept: place, probe: nil, demand: demand)
    step.isUnlimited = old.snapshot.stages[place].isUnlimited
    guard place != feeder else { return step }
    let owed = old.owed(place) ?? .none
    if demand.isUnlimited {
      step.isUnlimited = owed.isUnlimited
      step.more = owed.isUnlimited || isAsked ? .none : .unlimited
      return step
    }
    step.isUnlimited = false
    guard !owed.isUnlimited, owed <= demand, !isAsked || owed == .none else { return nil }
    step.more = isAsked ? .none : Demand(demand.count - owed.count)
    return step
  }
}
