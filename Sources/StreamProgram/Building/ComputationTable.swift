/// What was computed, in order, and where the result is.
///
/// A hash table of places in that order, without generics: a program is small, and is made often.
struct ComputationTable {
  struct Computation: Equatable {
    var opcode: Opcode
    var b: Int
    var c: Int
    var immediate: Int64

    /// NB: written out: what the compiler makes of it is called for each comparison.
    @inline(__always)
    static func == (left: Computation, right: Computation) -> Bool {
      left.opcode == right.opcode && left.b == right.b && left.c == right.c && left.immediate == right.immediate
    }

    fileprivate var hash: Int {
      let parts = UInt64(truncatingIfNeeded: Int(opcode.rawValue) ^ b << 8 ^ c << 36)
      let mixed = (parts ^ UInt64(bitPattern: immediate) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 32)
    }
  }

  struct Entry {
    let computation: Computation
    /// Where the result is.
    let register: Int
    /// The slot with what a part cost that runs as its plan.
    let cost: Int?
    /// Whether the result is still that of the same computation.
    var isKnown = true
  }

  private(set) var entries: [Entry] = []
  /// Places in `entries`, -1 for none; there are always some.
  private var buckets: [Int32] = []

  var count: Int { entries.count }

  /// Makes room for about so many.
  mutating func reserve(_ count: Int) {
    guard entries.isEmpty else { return }
    entries.reserveCapacity(count)
    var size = 16
    while size < count * 2 { size *= 2 }
    buckets = Array(filledWith: -1, count: size)
  }

  /// Where the result of a computation is, if it is known.
  func entry(_ computation: Computation) -> Entry? {
    guard !buckets.isEmpty else { return nil }
    var bucket = computation.hash & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let entry = entries[Int(buckets[bucket])]
      if entry.isKnown, entry.computation == computation { return entry }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  mutating func remember(_ computation: Computation, _ register: Int, cost: Int? = nil) {
    entries.append(Entry(computation: computation, register: register, cost: cost))
    if entries.count * 2 > buckets.count {
      buckets = Array(filledWith: -1, count: max(buckets.count * 2, 16))
      for place in entries.indices { buckets[freeBucket(for: place)] = Int32(place) }
    } else {
      buckets[freeBucket(for: entries.count - 1)] = Int32(entries.count - 1)
    }
  }

  /// Forgets the last ones. They were put into the table last, so nobody is looked for behind them.
  mutating func forget(to count: Int) {
    while entries.count > count {
      let place = Int32(entries.count - 1)
      var bucket = entries[entries.count - 1].computation.hash & (buckets.count - 1)
      while buckets[bucket] != place { bucket = (bucket + 1) & (buckets.count - 1) }
      buckets[bucket] = -1
      entries.removeLast()
    }
  }

  /// Forgets those that are like that, wherever they are.
  mutating func forget(where isLikeThat: (Computation) -> Bool) {
    for place in entries.indices where isLikeThat(entries[place].computation) { entries[place].isKnown = false }
  }

  private func freeBucket(for place: Int) -> Int {
    var bucket = entries[place].computation.hash & (buckets.count - 1)
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }
}
