internal import StreamCore

/// A place in the new pipeline that is fed: by what goes on there, or by what begins.
struct SwapEdge {
  /// Who is fed, by place in the new list; nil for the host.
  let downstream: Int?
  let port: Int
  /// What feeds it, and which of the other's upstreams that is.
  let node: PipelineNode
  let upstream: Int
  /// What fed it before, by place in the old list.
  let feeder: Int
  /// What it has been asked for and has not published.
  let demand: Demand
  /// What it is started for, by place in the frames, and the frame that was made for it.
  let frame: Int
  let portFrame: Int?
}

/// What becomes of an edge: a line of stages, from the one that feeds it on upstream.
struct SwapLine {
  /// One stage of the line.
  struct Step {
    let node: PipelineNode
    /// The stage as which it goes on, by place in the old list.
    let kept: Int?
    let probe: StartProbe?
    /// What it is asked for; nothing where the one downstream begins, and asks by itself.
    let demand: Demand
    /// What it is asked for beside what it owes already.
    var more = Demand.none
    /// Whether it has been asked for everything before.
    var isUnlimited = false
  }

  private(set) var steps: [Step] = []
  /// What keeps those further upstream from going on.
  private(set) var obstacle: SwapObstacle?
  /// What fed the last of the steps; nil if nothing did.
  private(set) var feeder: Int?
  /// What that was asked for and has not published.
  private(set) var demand: Demand

  /// Follows the new pipeline upstream for as long as something of it goes on.
  ///
  /// - Parameters:
  ///   - key: what tells an old stage from every other.
  ///   - partner: the old stage that goes on as a node, of those with the same key.
  ///   - probe: what an operator does when it is started and asked.
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
        // What feeds it through another door, or not at all, is no part of the line.
        guard main != nil, node.sharedNumber == nil else { break }
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

  /// A stage that goes on, where what it was asked for and what it is asked for now can be brought together.
  ///
  /// - Parameters:
  ///   - feeder: what was there before.
  ///   - isAsked: whether the one downstream begins, and asks by itself.
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
