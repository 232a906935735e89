internal import StreamCore

/// The rows of a program with cells for each key: a hash table with linear probing over rows in one block of memory.
///
/// A row is a key followed by the values of the cells. The last row given back is reused first.
///
/// NB: The cells of a row are uninitialized memory while the program's registers contain them, after the row is closed,
/// and while it has no key. The user of the table knows which row is in the registers.
///
/// - SeeAlso: Knuth, "The Art of Computer Programming", volume 3, section 6.4.
struct RowTable: ~Copyable {
  /// Number of values of a row, including its key.
  let width: Int
  /// Number of rows, with and without keys.
  private(set) var count = 0
  private(set) var keyCount = 0
  /// The rows to reuse; the last one is next.
  private(set) var free: [Int] = []
  private var capacity = 0
  private var rows: UnsafeMutablePointer<Value>
  /// The index of the first value of each row, or its complement if the row is closed; `Int64.min` without a key.
  private var firstIndices: UnsafeMutablePointer<Int64>
  /// Each entry has the upper half of the key's hash and, in its lower half, the row's number plus 1; 0 is free.
  private var index: UnsafeMutablePointer<UInt64>
  private var mask = 15
  /// NB: Random for each process, so that keys with colliding hashes cannot be chosen.
  private static let seed = UInt64.random(in: .min ... .max)

  init(width: Int) {
    self.width = width
    rows = UnsafeMutablePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
    firstIndices = UnsafeMutablePointer(bitPattern: MemoryLayout<Int64>.alignment).unsafelyUnwrapped
    index = .allocate(capacity: 16)
    index.initialize(repeating: 0, count: 16)
  }

  // NB: `KeyedRows` has deinitialized the cells, as it knows which row is in the registers.
  deinit {
    for row in 0..<count where hasKey(row) { (rows + row * width).deinitialize(count: 1) }
    if capacity > 0 {
      rows.deallocate()
      firstIndices.deallocate()
    }
    index.deallocate()
  }

  // MARK: Rows

  /// Returns the address of a row's key, which its cells follow.
  @inline(__always)
  func row(_ number: Int) -> UnsafeMutablePointer<Value> { rows + number * width }

  @inline(__always)
  func cells(of number: Int) -> UnsafeMutablePointer<Value> { rows + number * width + 1 }

  /// Returns the index of the first value of a row.
  func firstIndex(of number: Int) -> Int64 { max(firstIndices[number], ~firstIndices[number]) }

  /// Whether a row has no values in its cells: it is closed, or has no key.
  @inline(__always)
  func isClosed(_ number: Int) -> Bool { firstIndices[number] < 0 }

  /// Whether the row exists and has a key.
  func hasKey(_ number: Int) -> Bool { number >= 0 && number < count && firstIndices[number] != .min }

  /// Closes a row, whose cells are uninitialized.
  func close(_ number: Int) { firstIndices[number] = ~firstIndex(of: number) }

  // MARK: Keys

  @inline(__always)
  static func hash(_ number: Int64) -> UInt64 {
    let product = (UInt64(bitPattern: number) ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  static func hash(_ key: Value) -> UInt64 {
    if case .int(let number) = key.asKey { return hash(number) }
    return UInt64(bitPattern: Int64(key.hashValue))
  }

  /// Returns the row of an int; nil if there is none.
  @inline(__always)
  func row(of number: Int64, hash: UInt64) -> Int? {
    find(hash) {
      if let other = UnsafePointer($0).int { other == number } else { $0.pointee.isSameKey(as: .int(number)) }
    }
  }

  /// Returns the row of any key; nil if there is none. The row keeps the form of its first key.
  func row(of key: Value, hash: UInt64) -> Int? { find(hash) { $0.pointee.isSameKey(as: key) } }

  @inline(__always)
  private func find(_ hash: UInt64, where isKey: (UnsafeMutablePointer<Value>) -> Bool) -> Int? {
    var place = Int(truncatingIfNeeded: hash) & mask
    while index[place] != 0 {
      if index[place] >> 32 == hash >> 32 {
        let number = Int(truncatingIfNeeded: index[place] & 0xFFFF_FFFF) - 1
        if isKey(row(number)) { return number }
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Adds a row for a new key, with uninitialized cells.
  mutating func add(_ key: Value, hash: UInt64, firstIndex: Int64) -> Int {
    if keyCount * 3 > mask * 2 { growIndex() }
    let number = free.popLast() ?? addRow()
    row(number).initialize(to: key)
    firstIndices[number] = firstIndex
    keyCount += 1
    enter(number + 1, hash)
    return number
  }

  /// Adds a row without a key.
  mutating func addRow() -> Int {
    if count == capacity { grow() }
    firstIndices[count] = .min
    count += 1
    return count - 1
  }

  /// Removes the key of a row whose cells are uninitialized. The row is reused after `recycle`.
  mutating func removeKey(of number: Int) {
    var place = Int(truncatingIfNeeded: Self.hash(row(number).pointee)) & mask
    while index[place] & 0xFFFF_FFFF != UInt64(truncatingIfNeeded: number + 1) { place = (place + 1) & mask }
    // Later entries move up, but not before the place where their lookup begins (algorithm R).
    var next = (place + 1) & mask
    while index[next] != 0 {
      let other = Int(truncatingIfNeeded: index[next] & 0xFFFF_FFFF) - 1
      let first = Int(truncatingIfNeeded: Self.hash(row(other).pointee)) & mask
      if (next - first) & mask >= (next - place) & mask {
        index[place] = index[next]
        place = next
      }
      next = (next + 1) & mask
    }
    index[place] = 0
    row(number).deinitialize(count: 1)
    firstIndices[number] = .min
    keyCount -= 1
  }

  /// Lets a row without a key be reused.
  mutating func recycle(_ number: Int) { free.append(number) }

  private func enter(_ number: Int, _ hash: UInt64) {
    var place = Int(truncatingIfNeeded: hash) & mask
    while index[place] != 0 { place = (place + 1) & mask }
    index[place] = (hash & 0xFFFF_FFFF_0000_0000) | UInt64(truncatingIfNeeded: number)
  }

  private mutating func grow() {
    let room = capacity < 4_096 ? max(capacity * 2, 8) : capacity + capacity / 2
    let (moved, times) = (
      UnsafeMutablePointer<Value>.allocate(capacity: room * width), UnsafeMutablePointer<Int64>.allocate(capacity: room)
    )
    // NB: Copies bytes, since cells may be uninitialized. Values are bitwise movable.
    UnsafeMutableRawPointer(moved)
      .copyMemory(from: rows, byteCount: count * width * MemoryLayout<Value>.stride)
    UnsafeMutableRawPointer(times).copyMemory(from: firstIndices, byteCount: count * MemoryLayout<Int64>.stride)
    if capacity > 0 {
      rows.deallocate()
      firstIndices.deallocate()
    }
    (rows, firstIndices, capacity) = (moved, times, room)
  }

  private mutating func growIndex() {
    let size = (mask + 1) * 2
    index.deallocate()
    index = .allocate(capacity: size)
    index.initialize(repeating: 0, count: size)
    mask = size - 1
    for number in 0..<count where hasKey(number) { enter(number + 1, Self.hash(row(number).pointee)) }
  }
}
