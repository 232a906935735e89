internal import StreamCore

/// The saved stages of a pipeline with what they are, and how they hang together.
struct OldStages {
  let snapshot: SavedExecution
  private let pipeline: Pipeline
  /// What each is, by place.
  let nodes: [PipelineNode]
  /// What feeds each, by place.
  let upstreams: [[Feeder]]
  /// Kinds of work that each has to do, by place.
  private let work: [Int: [SavedExecution.SavedWork]]

  /// A stage that feeds another one.
  struct Feeder {
    let place: Int
    let port: Int
    /// Which of the upstreams of the other's node it is.
    let upstream: Int
  }

  /// - Throws: `snapshotMismatch` where the snapshot is none of this pipeline.
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

  /// The stage that publishes what this one works on; those that its streams within and beside it publish apart.
  func main(_ place: Int) -> Feeder? { upstreams[place].first { $0.upstream == 0 } }

  /// The stage and those upstream of it, along what they work on.
  func line(from place: Int?) -> [Int] {
    var line: [Int] = []
    var next = place
    while let current = next {
      line.append(current)
      next = main(current)?.place
    }
    return line
  }

  /// Whether it has still to subscribe to what is upstream.
  func isAboutToSubscribe(_ place: Int) -> Bool {
    work[place]?.contains { $0.kind == .start || $0.kind == .subscribe || $0.kind == .subscribeInner } == true
  }

  /// What a stage has been asked for and has not published; nil if that cannot be told.
  ///
  /// What does not count it itself, but asks upstream for as much, owes what upstream owes.
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
        // Said, and not heard yet.
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
  /// For so many groups, the last of which may not be whole.
  fileprivate func divided(by size: Int) -> Demand {
    isUnlimited ? self : Demand(count / size + (count % size == 0 ? 0 : 1))
  }
}
