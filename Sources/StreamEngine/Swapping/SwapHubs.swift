/// The shared streams of a snapshot that is being swapped, and their use by stages that continue.
///
/// Each is examined once at the beginning, and again when the first of its subscribers continues or its frame comes
/// into use. The time is linear in the number of subscriptions and frames.
struct SwapHubs {
  private let snapshot: SavedExecution
  /// The shared stream of each subscriber, by index.
  private var hubs: [Int: Int] = [:]
  /// The shared streams of each frame except the outermost.
  private var hubsOfFrame: [Int: [Int]] = [:]
  /// The frames that were created for stages of the new list, and all frames that enclose them.
  private var usedFrames: Set<Int> = [0]
  /// The shared streams with a subscriber that continues.
  private var subscribed: Set<Int> = []
  private var taken: Set<Int> = []
  /// The shared streams to examine, in order.
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

  /// Returns the shared stream that a stage has subscribed to; nil if there is none.
  func hub(of subscriber: Int) -> Int? { hubs[subscriber] }

  /// Returns the next shared stream that may continue and has not been taken over; nil at the end.
  mutating func next() -> Int? {
    while nextCandidate < candidates.count {
      let hub = candidates[nextCandidate]
      nextCandidate += 1
      if !taken.contains(hub) { return hub }
    }
    return nil
  }

  /// Whether a stage of the new list uses the frame of a shared stream, or a frame nested in it.
  func isInUse(_ hub: Int) -> Bool { usedFrames.contains(snapshot.stages[hub].frame) }

  func hasSubscriber(_ hub: Int) -> Bool { subscribed.contains(hub) }

  mutating func noteTaken(_ hub: Int) { taken.insert(hub) }

  /// Notes that an old stage continues.
  mutating func noteSubscriber(_ place: Int) {
    if let hub = hubs[place], subscribed.insert(hub).inserted { candidates.append(hub) }
  }

  /// Notes the frame that was created for a stage of the new list.
  mutating func noteUse(of frame: Int) {
    var next = Optional(frame)
    while let current = next, snapshot.frames.indices.contains(current), usedFrames.insert(current).inserted {
      candidates += hubsOfFrame[current] ?? []
      next = snapshot.frames[current].outer
    }
  }
}
