internal import CEL
internal import StreamCore

// A segment is saved as the chain of its operators, so that operators saved as one program can run as several, and vice
// versa.

extension SegmentStage {
  /// Returns the saved stages of the active operators before the last one, which is at `place`.
  func savedOperators(at place: Int, in frame: Int) throws -> [SavedExecution.SavedStage] {
    var saved: [SavedExecution.SavedStage] = []
    let cells = SegmentCells(stage: self)
    for part in savedParts {
      saved.append(
        SavedExecution.SavedStage(
          name: part.node.name, downstream: place + saved.count, port: 0, upstream: 0, isUnlimited: isUnlimited(0),
          frame: frame, deferredDemand: .none, state: try part.save(cells), timers: []))
    }
    return saved
  }

  /// The nodes of the operators, in the order in which they are saved.
  var savedNodes: [PipelineNode] { savedParts.map(\.node) }

  /// The operators that have not ended, without the last one.
  private var savedParts: ReversedCollection<ArraySlice<SegmentOperator>> {
    segment.operators[firstAlive..<segment.operators.count - 1].reversed()
  }

  /// Restores the saved operators.
  func restoreOperators(_ chain: SavedChain, _ execution: Execution) throws(Diagnostics) {
    let cells = SegmentCells(stage: self)
    let count = segment.operators.count
    firstAlive = count - chain.entries.count
    execution.stageCount += chain.entries.count - 1
    hasAsked = segment.isSummary || hasAsked
    for (number, part) in segment.operators.enumerated() where number >= firstAlive {
      let state = chain.entries[count - 1 - number].state
      try Diagnostics.listing { () throws(Diagnostic) in try part.load(state, cells) }
    }
  }
}

/// The saved operators of one segment, the last one first.
struct SavedChain {
  let entries: [SavedExecution.SavedStage]
}

/// Finds the stages of a snapshot that can continue as a segment.
struct SavedChains {
  private let snapshot: SavedExecution
  /// The kinds of pending work of each stage, by place.
  private var work: [Int: Set<Work.Kind>] = [:]

  init(_ snapshot: SavedExecution) {
    self.snapshot = snapshot
    for item in snapshot.work { work[item.stage, default: []].insert(item.kind) }
  }

  /// Returns the operators that were saved from this place on; nil if they were saved in the middle of work that a
  /// segment does in one step.
  func chain(from place: Int, of segment: Segment) -> SavedChain? {
    let stages = snapshot.stages
    var entries = [stages[place]]
    for (number, part) in segment.operators.dropLast().reversed().enumerated() {
      let next = place + number + 1
      guard next < stages.count, stages[next].downstream == next - 1, stages[next].port == 0,
        stages[next].name == part.node.name
      else { break }
      entries.append(stages[next])
    }
    guard segment.operators.last?.node.name == entries[0].name else { return nil }
    let last = place + entries.count - 1
    for (index, entry) in entries.enumerated() {
      let kinds = work[place + index] ?? []
      let isSpeaker = index == 0
      let isHearer = place + index == last
      for kind in kinds {
        switch kind {
        case .publish, .finish, .fail, .start, .demand: if !isSpeaker { return nil }
        case .request, .cancel, .subscribe: if !isHearer { return nil }
        default: return nil
        }
      }
      if !isSpeaker, entry.deferredDemand > .none || entry.frame != entries[0].frame || !entry.timers.isEmpty {
        return nil
      }
    }
    // Before the start, only the last operator exists. A swap places a last operator that is yet to start before
    // running ones.
    let isStarting = work[place]?.contains(.start) == true
    return isStarting && entries.count > 1 ? nil : SavedChain(entries: entries)
  }
}

extension PipelineNode {
  /// Whether a stage of the other node is a stage of this node, fused or not.
  func isSame(_ other: PipelineNode) -> Bool { self === other || (self is SegmentNode && plain === other) }
}
