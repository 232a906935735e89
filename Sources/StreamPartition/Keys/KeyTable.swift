internal import CLibrary

/// The keys that a stage holds, as bytes: a hash table with linear probing. A key has a number, its *slot*; the number
/// of a removed key is used again.
///
/// - SeeAlso: Knuth, "The Art of Computer Programming", volume 3, section 6.4; removal is algorithm R.
struct KeyTable {
  private(set) var keys: [[UInt8]] = []
  private var hashes: [UInt64] = []
  private var free: [Int] = []
  /// The slot plus 1 and the upper half of the key's hash; 0 is free.
  private var index = [UInt64](repeating: 0, count: 16)
  private(set) var count = 0
  /// NB: Random for each process, so that keys with colliding hashes cannot be chosen.
  private static let seed = UInt64.random(in: .min ... .max) | 1

  private var mask: Int { index.count - 1 }

  /// Number of slots, with and without a key.
  var slotCount: Int { keys.count }

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

  /// Returns the slot of a key; nil if there is none.
  func slot(of key: UnsafeRawBufferPointer) -> Int? {
    let hash = Self.hash(key)
    var place = Int(truncatingIfNeeded: hash) & mask
    while index[place] != 0 {
      if index[place] >> 32 == hash >> 32 {
        let slot = Int(index[place] & 0xFFFF_FFFF) - 1
        if isKey(of: slot, key) { return slot }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  @inline(__always)
  private func isKey(of slot: Int, _ key: UnsafeRawBufferPointer) -> Bool {
    keys[slot].withUnsafeBytes { known in
      guard known.count == key.count, let first = known.baseAddress, let second = key.baseAddress else {
        return known.isEmpty && key.isEmpty
      }
      return memcmp(first, second, known.count) == 0
    }
  }

  /// Adds a key that is not there.
  mutating func add(_ key: UnsafeRawBufferPointer) -> Int {
    if count * 3 > mask * 2 { grow() }
    let hash = Self.hash(key)
    let slot: Int
    if let used = free.popLast() {
      slot = used
      keys[slot] = Array(key)
      hashes[slot] = hash
    } else {
      slot = keys.count
      keys.append(Array(key))
      hashes.append(hash)
    }
    count += 1
    enter(slot)
    return slot
  }

  mutating func remove(_ slot: Int) {
    var place = Int(truncatingIfNeeded: hashes[slot]) & mask
    while index[place] & 0xFFFF_FFFF != UInt64(slot + 1) { place = (place + 1) & mask }
    var next = (place + 1) & mask
    while index[next] != 0 {
      let first = Int(truncatingIfNeeded: hashes[Int(index[next] & 0xFFFF_FFFF) - 1]) & mask
      if (next - first) & mask >= (next - place) & mask {
        index[place] = index[next]
        place = next
      }
      next = (next + 1) & mask
    }
    index[place] = 0
    keys[slot] = []
    free.append(slot)
    count -= 1
  }

  mutating func removeAll() { self = KeyTable() }

  private mutating func enter(_ slot: Int) {
    var place = Int(truncatingIfNeeded: hashes[slot]) & mask
    while index[place] != 0 { place = (place + 1) & mask }
    index[place] = hashes[slot] & 0xFFFF_FFFF_0000_0000 | UInt64(slot + 1)
  }

  private mutating func grow() {
    let old = index
    index = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 { enter(Int(entry & 0xFFFF_FFFF) - 1) }
  }
}
