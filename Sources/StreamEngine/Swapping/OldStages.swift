internal import StreamCore

/// The saved stages of a pipeline with their nodes and connections.
struct OldStages {
  let snapshot: SavedExecution
  private let pipeline: Pipeline
  /// The node of each stage, by index.
  let nodes: [PipelineNode]
  /// The feeders of each stage, by index.
  let upstreams: [[Feeder]]
  /// Pending work of each stage, by index.
  private let work: [Int: [SavedExecution.SavedWork]]

  /// A stage that feeds another one.
  struct Feeder {
    let place: Int
    let port: Int
    /// Index of the feeder among the upstreams of the other stage's node.
    let upstream: Int
  }

  /// - Throws: `snapshotMismatch` if the snapshot is not of this pipeline.
  init(_ snapshot: SavedExecution, of pipeline: Pipeline) throws(Diagnostics) {
    self.snapshot = snapshot
    self.pipeline = pipeline
    nodes = try SnapshotCheck(snapshot, of: pipeline).nodes
    var upstreams: [[Feeder]] = Array(repeating: [], count: nodes.count)
    for (place, entry) in snapshot.stages.enumerated() {
      guard let downstream = entry.downstream else { continue }
      upstreams[downstream].append(Feeder(place: place, port: entry.port, upstream: entry.upstream))
    }
    self.upstreams = upstreams
    work = Dictionary(grouping: snapshot.work, by: \.stage)
  }

  /// The last stage of the stream.
  var root: Int? { snapshot.stages.firstIndex { $0.downstream == nil && $0.shared == nil } }

  /// Returns the feeder of a stage's main upstream, as opposed to its inner streams and other inputs; nil if none.
  func main(_ place: Int) -> Feeder? { upstreams[place].first { $0.upstream == 0 } }

  /// Returns a stage and the stages upstream of it, along the main upstreams.
  func line(from place: Int?) -> [Int] {
    var line: [Int] = []
    var next = place
    while let current = next {
      line.append(current)
      next = main(current)?.place
    }
    return line
  }

  /// Whether a stage has yet to subscribe to an upstream.
  func isAboutToSubscribe(_ place: Int) -> Bool {
    work[place]?.contains { $0.kind == .start || $0.kind == .subscribe || $0.kind == .subscribeInner } == true
  }

  /// Returns the demand of a stage that is not satisfied yet; nil if it is unknown.
  ///
  /// A stage that does not count its demand, but passes it upstream, owes as much as its upstream owes.
  func owed(_ place: Int?) -> Demand? {
    var total = Demand.none
    var ratio = 1
    var next = place
    while let current = next {
      let entry = snapshot.stages[current]
      if entry.isUnlimited { return .unlimited }
      let asking = DemandProbe(nodes[current], of: pipeline)
      var owed = entry.deferredDemand
      for item in work[current] ?? [] {
        if item.kind == .demand { owed += item.demand }
        // A value that is published, but not delivered yet.
        if item.kind == .publish { owed += Demand(1) }
      }
      if asking.counts {
        owed += (try? nodes[current].looking(at: entry.state, of: pipeline) { $0.unansweredDemand }) ?? .none
        return total + owed.divided(by: ratio)
      }
      total += owed.divided(by: ratio)
      ratio = max(1, ratio.multipliedReportingOverflow(by: asking.ratio).partialValue)
      next = main(current)?.place
    }
    return total > .none ? total : nil
  }
}

extension Demand {
  /// Returns the demand in groups of a size; the last group may be incomplete.
  fileprivate func divided(by size: Int) -> Demand {
    isUnlimited ? self : Demand(count / size + (count % size == 0 ? 0 : 1))
  }
}
