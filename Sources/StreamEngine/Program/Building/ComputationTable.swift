/// The computations of a program, in order, with the registers of their results.
///
/// A hash table of indices with linear probing, without generics: programs are small, and built often.
struct ComputationTable {
  struct Computation: Equatable {
    var opcode: Opcode
    var b: Int
    var c: Int
    var immediate: Int64

    /// NB: Written out, because the synthesized operator is a function call for each comparison.
    @inline(__always)
    static func == (left: Computation, right: Computation) -> Bool {
      left.opcode == right.opcode && left.b == right.b && left.c == right.c && left.immediate == right.immediate
    }

    fileprivate var hash: Int {
      let parts = UInt64(opcode.rawValue) ^ UInt64(truncatingIfNeeded: b) << 8 ^ UInt64(truncatingIfNeeded: c) << 36
      let mixed = (parts ^ UInt64(bitPattern: immediate) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 32)
    }
  }

  struct Entry {
    let computation: Computation
    /// The register of the result.
    let register: Int
    /// The slot with the cost of a part that runs as its plan; nil for other computations.
    let cost: Int?
    /// Whether repeating the computation would still give this result.
    var isKnown = true
  }

  private(set) var entries: [Entry] = []
  /// Indices into `entries`, or -1 in free buckets. At least half of the buckets are free.
  private var buckets: [Int32] = []

  var count: Int { entries.count }

  /// Reserves capacity for about this many computations, if the table is empty.
  mutating func reserve(_ count: Int) {
    guard entries.isEmpty else { return }
    entries.reserveCapacity(count)
    var size = 16
    while size < count * 2 { size *= 2 }
    buckets = Array(filledWith: -1, count: size)
  }

  /// Returns the entry of a computation; nil if its result is not known.
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

  /// Removes the entries after the first `count`. They were inserted last, so no probe sequence of another entry passes
  /// through their buckets.
  mutating func forget(to count: Int) {
    while entries.count > count {
      let place = Int32(entries.count - 1)
      var bucket = entries[entries.count - 1].computation.hash & (buckets.count - 1)
      while buckets[bucket] != place { bucket = (bucket + 1) & (buckets.count - 1) }
      buckets[bucket] = -1
      entries.removeLast()
    }
  }

  /// Invalidates the entries whose computations satisfy the predicate, at any position.
  mutating func forget(where isLikeThat: (Computation) -> Bool) {
    for place in entries.indices where isLikeThat(entries[place].computation) { entries[place].isKnown = false }
  }

  private func freeBucket(for place: Int) -> Int {
    var bucket = entries[place].computation.hash & (buckets.count - 1)
    while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }
}
