import StreamTesting

/// One of the CDN's servers. It keeps files whose names have a version or a hash, and `timestamp.json`, and the absence of
/// the next root, for a short time.
struct Edge {
  enum Kind { case honest, freeze, rollBack, tamper, mix, foreign }

  let kind: Kind
  /// The time for which files that may change are kept, in seconds.
  let lifetime: Int
  private var timestamp = 0
  private var timestampTime = Int.min / 2
  private var newestRoot = 1
  /// The times at which the origin had no root of the number.
  private var missingRootTimes = [Int](repeating: Int.min / 2, count: 4)
  private var kept: [Bool] = []

  /// Creates an edge.
  ///
  /// - Parameters:
  ///   - timestamp: The newest timestamp, which the edge has.
  ///   - age: The seconds since it was fetched. Edges of different ages do not ask the origin in the same second.
  init(_ kind: Kind, lifetime: Int, timestamp: Int, age: Int) {
    self.kind = kind
    self.lifetime = lifetime
    self.timestamp = timestamp
    timestampTime = -age
    missingRootTimes[2] = -age
  }

  /// The requests that an edge sends to the origin.
  struct Fetches { var count = 0 }

  /// The view of a client that trusts a root, at a time.
  mutating func view(
    ofClientWith root: Int, at now: Int, origin: Origin, isLate: Bool, _ random: inout SeededGenerator,
    _ fetches: inout Fetches
  ) -> View {
    let isFrozen = kind == .freeze && now >= 3_600
    var next = root + 1
    while next > newestRoot, !isFrozen, now - missingRootTimes[next] >= lifetime {
      fetches.count += 1
      if origin.epochs[origin.epoch].newestRoot >= next {
        newestRoot = next
        next += 1
      } else {
        missingRootTimes[next] = now
      }
    }
    if !isFrozen, now - timestampTime >= lifetime {
      fetches.count += 1
      timestamp = origin.epoch
      timestampTime = now
    }
    var view = View(serving: .honest, timestamp: timestamp, newestRoot: newestRoot)
    if isLate { view.timestamp = max(timestamp - 1, 0) }
    switch kind {
    case .honest, .freeze: break
    case .rollBack:
      let draw = random.next()
      if now >= 5 * 3_600, draw & 1 == 0 { view.timestamp = Int((draw >> 8) % UInt64(timestamp + 1)) }
    case .tamper: view.serving = random.next() & 1 == 0 ? .tampered : .longer
    case .mix:
      let kinds: [Serving] = [.honest, .olderSnapshot, .olderTargets]
      view.serving = kinds[Int(random.next() % 3)]
    case .foreign:
      let isTheft = now >= Story.theft
      let draw = random.next() & 1 == 0
      view.serving = isTheft ? (draw ? .stolenTargets : .stolenAll) : (draw ? .foreign : .foreignRoot)
    }
    return view
  }

  /// Whether an immutable file has to be fetched from the origin, which happens once.
  mutating func fetches(_ path: Int) -> Bool {
    while kept.count <= path { kept.append(false) }
    defer { kept[path] = true }
    return !kept[path]
  }
}
