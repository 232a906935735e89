@_spi(Engine) internal import StreamCore

/// Records that event time has not passed yet, of all keys of a stage.
struct HeldRecords {
  struct Record {
    let time: Int64
    let slot: Int32
    /// The place of its source among all sources of records: at one instant, earlier sources come first.
    let source: UInt32
    fileprivate let length: Int32
    fileprivate let offset: Int

    /// Whether it is delivered before another one.
    fileprivate func precedes(_ other: Record) -> Bool {
      if time != other.time { return time < other.time }
      return source != other.source ? source < other.source : offset < other.offset
    }
  }

  private(set) var records: [Record] = []
  /// The bytes of the records, one after another.
  private var bytes: [UInt8] = []
  /// Whether `records` are in the order of time, then of sources, then of arrival.
  private var isSorted = true

  var isEmpty: Bool { records.isEmpty }
  /// Number of bytes of memory.
  var size: Int { bytes.count + records.count * MemoryLayout<Record>.stride }

  mutating func add(_ record: UnsafeRawBufferPointer, of slot: Int, at time: Int64, from source: UInt32 = 0) {
    let added = Record(
      time: time, slot: Int32(truncatingIfNeeded: slot), source: source, length: Int32(record.count),
      offset: bytes.count)
    if let last = records.last, added.precedes(last) { isSorted = false }
    records.append(added)
    bytes.append(contentsOf: record)
  }

  /// Calls a closure with the bytes of a record.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ record: Record, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = bytes.withUnsafeBytes { all -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(
          try body(UnsafeRawBufferPointer(rebasing: all[record.offset..<record.offset + Int(record.length)])))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Removes the records before an instant, and returns them in the order of time, with padding after their bytes.
  mutating func take(before time: Int64) -> HeldRecords {
    var taken = takeUnpadded(before: time)
    taken.bytes.append(contentsOf: repeatElement(0, count: PaddedBytes.padding))
    return taken
  }

  private mutating func takeUnpadded(before time: Int64) -> HeldRecords {
    sort()
    let count = records.partitioningIndex { $0.time >= time }
    var taken = HeldRecords()
    if count == records.count {
      swap(&taken, &self)
      return taken
    }
    guard count > 0 else { return taken }
    var rest = HeldRecords()
    for (number, record) in records.enumerated() {
      with(record) {
        if number < count {
          taken.add($0, of: Int(record.slot), at: record.time, from: record.source)
        } else {
          rest.add($0, of: Int(record.slot), at: record.time, from: record.source)
        }
      }
    }
    self = rest
    return taken
  }

  /// Removes the records of some keys.
  mutating func removeAll(of slots: Set<Int>) {
    var rest = HeldRecords()
    for record in records where !slots.contains(Int(record.slot)) {
      with(record) { rest.add($0, of: Int(record.slot), at: record.time, from: record.source) }
    }
    self = rest
  }

  /// Brings the buffers of records that were taken back into use.
  mutating func reuse(_ taken: inout HeldRecords) {
    guard isEmpty, bytes.capacity < taken.bytes.capacity else { return }
    taken.records.removeAll(keepingCapacity: true)
    taken.bytes.removeAll(keepingCapacity: true)
    taken.isSorted = true
    swap(&taken, &self)
  }

  private mutating func sort() {
    guard !isSorted else { return }
    isSorted = true
    records.sort { $0.precedes($1) }
  }
}

extension Array {
  /// The index of the first element that belongs to the second part of a partitioned array.
  fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
