internal import StreamCore

/// The shared streams of a snapshot while it is swapped: which of them a stage that was taken over uses.
///
/// Each is looked at once at the beginning, and again when one of its subscribers has been taken over or its frame comes
/// into use. The time is linear in the number of subscriptions and frames.
struct SwapHubs {
  private let snapshot: SavedExecution
  /// The shared stream that each subscriber has joined, by place.
  private var hubs: [Int: Int] = [:]
  /// The shared streams of each frame but the outermost.
  private var hubsOfFrame: [Int: [Int]] = [:]
  /// The frames in which a stage of the new list was started, and all frames around them.
  private var usedFrames: Set<Int> = [0]
  /// The shared streams of which a subscriber goes on.
  private var subscribed: Set<Int> = []
  private var taken: Set<Int> = []
  /// The shared streams to look at, in this order.
  private var candidates: [Int] = []
  private var nextCandidate = 0

  init(_ snapshot: SavedExecution) {
    self.snapshot = snapshot
    for (hub, entry) in snapshot.stages.enumerated() where entry.shared != nil {
      candidates.append(hub)
      if entry.frame != 0 { hubsOfFrame[entry.frame, default: []].append(hub) }
      for place in entry.subscribers ?? [] where hubs[place] == nil { hubs[place] = hub }
    }
  }

  /// The shared stream that a stage has subscribed to.
  func hub(of subscriber: Int) -> Int? { hubs[subscriber] }

  /// The next shared stream that may go on and has not been taken over.
  mutating func next() -> Int? {
    while nextCandidate < candidates.count {
      let hub = candidates[nextCandidate]
      nextCandidate += 1
      if !taken.contains(hub) { return hub }
    }
    return nil
  }

  /// Whether a stage of the new list was started in the frame of a shared stream, or within it.
  func isInUse(_ hub: Int) -> Bool { usedFrames.contains(snapshot.stages[hub].frame) }

  func hasSubscriber(_ hub: Int) -> Bool { subscribed.contains(hub) }

  mutating func noteTaken(_ hub: Int) { taken.insert(hub) }

  /// Notes that an old stage goes on.
  mutating func noteSubscriber(_ place: Int) {
    if let hub = hubs[place], subscribed.insert(hub).inserted { candidates.append(hub) }
  }

  /// Notes that a stage of the new list was started in a frame.
  mutating func noteUse(of frame: Int) {
    var next = Optional(frame)
    while let current = next, snapshot.frames.indices.contains(current), usedFrames.insert(current).inserted {
      candidates += hubsOfFrame[current] ?? []
      next = snapshot.frames[current].outer
    }
  }
}
