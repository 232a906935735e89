internal import CLibrary

/// The keys that a stage holds, as bytes: a hash table with linear probing. A key has a number, its *slot*; the number
/// of a removed key is used again.
///
/// An entry holds a key and the state that the stage and its engine keep for it, in one cache line. With many keys, loading
/// cache lines takes most of the time of a record.
///
/// - SeeAlso: Knuth, "The Art of Computer Programming", volume 3, section 6.4; removal is algorithm R.
final class KeyTable {
  /// A key and its state. 64 bytes, the size of a cache line.
  struct Entry {
    fileprivate let hash: UInt64
    /// Number of bytes of the key; -1 if the slot is free.
    fileprivate let length: Int32
    /// Number of records that are held.
    var heldCount: Int32 = 0
    /// Number of bytes of the last snapshot.
    var snapshotBytes: Int32 = 0
    /// The row of the engine, or -1.
    var row: Int32 = -1
    /// Whether the key has changed since its last snapshot.
    var isChanged = false
    /// A short key; otherwise the first word is the address of the bytes.
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Maximum number of bytes of a key that is stored in its entry.
    fileprivate static let inlineCount = 32
    fileprivate static let free = Entry(hash: 0, length: -1)

    fileprivate init(hash: UInt64, length: Int32) {
      self.hash = hash
      self.length = length
    }

    fileprivate init(_ key: UnsafeRawBufferPointer, hash: UInt64) {
      self.init(hash: hash, length: Int32(key.count))
      if key.count <= Self.inlineCount {
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: key) }
      } else {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: key.count, alignment: 8)
        copy.copyMemory(from: key.baseAddress.unsafelyUnwrapped, byteCount: key.count)
        words.0 = UInt64(UInt(bitPattern: copy))
      }
    }

    fileprivate func deallocate() {
      if length > Self.inlineCount { UnsafeMutableRawPointer(bitPattern: UInt(words.0))?.deallocate() }
    }
  }

  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var capacity = 0
  /// Number of slots, with and without a key.
  @exclusivity(unchecked) private(set) var slotCount = 0
  @exclusivity(unchecked) private var free: [Int32] = []
  /// The slot plus 1 and the upper half of the key's hash; 0 is free.
  @exclusivity(unchecked) private var index: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private var mask = 15
  @exclusivity(unchecked) private(set) var count = 0
  /// A sink for what `prefetch` reads, so that the reads are not optimized away.
  @exclusivity(unchecked) private var prefetchSink: UInt64 = 0
  @exclusivity(unchecked) private var warmHashes: [UInt64] = []
  /// NB: Random for each process, so that keys with colliding hashes cannot be chosen.
  private static let seed = UInt64.random(in: .min ... .max) | 1

  init() {
    entries = UnsafeMutablePointer(bitPattern: MemoryLayout<Entry>.alignment).unsafelyUnwrapped
    index = .allocate(capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
  }

  deinit { deallocate() }

  private func deallocate() {
    for slot in 0..<slotCount { entries[slot].deallocate() }
    if capacity > 0 { UnsafeMutableRawPointer(entries).deallocate() }
    index.deallocate()
  }

  private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: key.count)
    var place = 0
    func mix(_ word: UInt64) {
      let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      state = product.high ^ product.low &+ seed
    }
    while place + 8 <= key.count {
      mix(key.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < key.count {
      rest = rest << 8 | UInt64(key[place])
      place += 1
    }
    mix(rest)
    return state
  }

  // MARK: Slots

  /// The entry of a slot.
  subscript(slot: Int) -> Entry {
    @inline(__always) unsafeAddress { UnsafePointer(entries + slot) }
    @inline(__always) unsafeMutableAddress { entries + slot }
  }

  func hasKey(_ slot: Int) -> Bool { slot < slotCount && entries[slot].length >= 0 }

  /// The slots with a key, in no order.
  var slots: [Int] { (0..<slotCount).filter(hasKey) }

  /// Calls a closure with the bytes of a key.
  @inline(__always)
  func withKey<Result>(of slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let length = Int(entries[slot].length)
    if length > Entry.inlineCount {
      let start = UnsafeRawPointer(bitPattern: UInt(entries[slot].words.0))
      return body(UnsafeRawBufferPointer(start: start, count: length))
    }
    return withUnsafeBytes(of: &entries[slot].words) { body(UnsafeRawBufferPointer(rebasing: $0[..<max(length, 0)])) }
  }

  func key(of slot: Int) -> [UInt8] { withKey(of: slot) { Array($0) } }

  /// Returns the text of a key for messages: its beginning, if it is long.
  func excerpt(of slot: Int) -> String { withKey(of: slot) { KeyLimits.excerpt($0) } }

  // MARK: Keys

  /// Returns the slot of a key; nil if there is none.
  @inline(__always)
  func slot(of key: UnsafeRawBufferPointer) -> Int? {
    let hash = Self.hash(key)
    var place = Int(truncatingIfNeeded: hash) & mask
    while index[place] != 0 {
      if index[place] >> 32 == hash >> 32 {
        let slot = Int(index[place] & 0xFFFF_FFFF) - 1
        if entries[slot].hash == hash, isKey(of: slot, key) { return slot }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Reads what the search of some keys needs. The reads do not depend on each other, so that the processor waits for
  /// memory once, not for each key.
  func prefetch(_ keys: [UnsafeRawBufferPointer]) {
    warmHashes.removeAll(keepingCapacity: true)
    for key in keys {
      let hash = Self.hash(key)
      warmHashes.append(hash)
      prefetchSink ^= index[Int(truncatingIfNeeded: hash) & mask]
    }
    for hash in warmHashes {
      let slot = Int(index[Int(truncatingIfNeeded: hash) & mask] & 0xFFFF_FFFF) - 1
      if slot >= 0 { prefetchSink ^= entries[slot].hash }
    }
  }

  @inline(__always)
  private func isKey(of slot: Int, _ key: UnsafeRawBufferPointer) -> Bool {
    withKey(of: slot) { known in
      guard known.count == key.count, let first = known.baseAddress, let second = key.baseAddress else {
        return known.count == key.count
      }
      return memcmp(first, second, known.count) == 0
    }
  }

  /// Adds a key that is not there.
  func add(_ key: UnsafeRawBufferPointer) -> Int {
    if count * 3 > mask * 2 { growIndex() }
    let slot: Int
    if let used = free.popLast() {
      slot = Int(used)
    } else {
      if slotCount == capacity { grow() }
      slot = slotCount
      slotCount += 1
    }
    entries[slot] = Entry(key, hash: Self.hash(key))
    count += 1
    enter(slot)
    return slot
  }

  func remove(_ slot: Int) {
    var place = Int(truncatingIfNeeded: entries[slot].hash) & mask
    while index[place] & 0xFFFF_FFFF != UInt64(slot + 1) { place = (place + 1) & mask }
    var next = (place + 1) & mask
    while index[next] != 0 {
      let first = Int(truncatingIfNeeded: entries[Int(index[next] & 0xFFFF_FFFF) - 1].hash) & mask
      if (next - first) & mask >= (next - place) & mask {
        index[place] = index[next]
        place = next
      }
      next = (next + 1) & mask
    }
    index[place] = 0
    entries[slot].deallocate()
    entries[slot] = .free
    free.append(Int32(slot))
    count -= 1
  }

  func removeAll() {
    deallocate()
    entries = UnsafeMutablePointer(bitPattern: MemoryLayout<Entry>.alignment).unsafelyUnwrapped
    (capacity, slotCount, count, free, mask) = (0, 0, 0, [], 15)
    index = .allocate(capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
  }

  private func enter(_ slot: Int) {
    let hash = entries[slot].hash
    var place = Int(truncatingIfNeeded: hash) & mask
    while index[place] != 0 { place = (place + 1) & mask }
    index[place] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(slot + 1)
  }

  private func grow() {
    let room = max(capacity + capacity / 2, 8)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: room * MemoryLayout<Entry>.stride, alignment: 64)
    // NB: Entries are trivial: their bytes are copied.
    memory.copyMemory(from: entries, byteCount: slotCount * MemoryLayout<Entry>.stride)
    if capacity > 0 { UnsafeMutableRawPointer(entries).deallocate() }
    (entries, capacity) = (memory.assumingMemoryBound(to: Entry.self), room)
  }

  private func growIndex() {
    index.deallocate()
    mask = mask * 2 + 1
    index = .allocate(capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
    for slot in 0..<slotCount where hasKey(slot) { enter(slot) }
  }
}
