/// Writes values as `JSONWriter` does, for less where one record after the other has the same keys: those are made ready
/// once for each shape.
///
/// - Memory: 4 KiB, and the keys of up to eight shapes.
public final class JSONRecordWriter {
  /// The keys of a shape as they are written: `{"a":`, `,"b":`, one after the other.
  private final class Keys {
    let shape: Shape
    let bytes: [UInt8]
    /// Where each of them ends.
    let ends: [Int]

    init(_ shape: Shape) {
      self.shape = shape
      var bytes: [UInt8] = []
      var ends: [Int] = []
      for key in shape.keys {
        bytes.append(ends.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        JSONWriter.appendKey(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        ends.append(bytes.count)
      }
      self.bytes = bytes
      self.ends = ends
    }
  }

  /// The keys of the shapes that were written lately, the latest first.
  private var known: [Keys] = []
  /// What is written, before it goes to whoever asked.
  private let memory: UnsafeMutablePointer<UInt8>
  /// NB: never above `capacity`: what may not fit is preceded by `flush`.
  private var count = 0

  private static let capacity = 4096
  private static let knownLimit = 8
  /// What is longer is written the long way.
  private static let longest = 1024

  public init() { memory = .allocate(capacity: Self.capacity) }

  deinit { memory.deallocate() }

  /// Appends a value without white space.
  public func append(_ value: Value, to bytes: inout [UInt8]) {
    guard case .map(let map) = value, !map.isEmpty else { return JSONWriter.append(value, to: &bytes) }
    let keys = keys(of: map.shape)
    keys.bytes.withUnsafeBufferPointer { letters in
      _ = map.slots.withContiguousStorageIfAvailable { slots in
        guard let letters = letters.baseAddress else { return }
        var start = 0
        for place in slots.indices {
          let end = keys.ends[place]
          put(letters + start, end - start, to: &bytes)
          put(slots[place], to: &bytes)
          start = end
        }
      }
    }
    makeRoom(1, &bytes)
    memory[count] = UInt8(ascii: "}")
    count += 1
    flush(&bytes)
  }

  @inline(__always)
  private func keys(of shape: Shape) -> Keys {
    if let first = known.first, first.shape === shape { return first }
    return otherKeys(of: shape)
  }

  @inline(never)
  private func otherKeys(of shape: Shape) -> Keys {
    if let place = known.firstIndex(where: { $0.shape === shape }) {
      known.swapAt(0, place)
    } else {
      known.insert(Keys(shape), at: 0)
      if known.count > Self.knownLimit { known.removeLast() }
    }
    return known[0]
  }

  // MARK: Memory

  @inline(__always)
  private func flush(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: memory, count: count))
    count = 0
  }

  @inline(__always)
  private func makeRoom(_ wanted: Int, _ bytes: inout [UInt8]) {
    if count + wanted > Self.capacity { flush(&bytes) }
  }

  @inline(__always)
  private func put(_ letters: UnsafePointer<UInt8>, _ length: Int, to bytes: inout [UInt8]) {
    if length > Self.longest {
      flush(&bytes)
      bytes.append(contentsOf: UnsafeBufferPointer(start: letters, count: length))
    } else {
      makeRoom(length, &bytes)
      (memory + count).update(from: letters, count: length)
      count += length
    }
  }

  /// Writes the value of a field.
  @inline(__always)
  private func put(_ value: Value, to bytes: inout [UInt8]) {
    makeRoom(NumberText.capacity, &bytes)
    switch value {
    case .double(let number): count += NumberText.write(number, to: memory + count)
    case .int(let number): count += NumberText.write(number, to: memory + count)
    case .string(let text): put(text, to: &bytes)
    default:
      flush(&bytes)
      JSONWriter.append(value, to: &bytes)
    }
  }

  @inline(__always)
  private func put(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    let isPlain = text.withUTF8 { letters in
      guard letters.count <= Self.longest, let base = letters.baseAddress,
        JSONWriter.plainEnd(of: letters, from: 0) == letters.count
      else { return false }
      makeRoom(letters.count + 2, &bytes)
      memory[count] = UInt8(ascii: "\"")
      (memory + count + 1).update(from: base, count: letters.count)
      memory[count + 1 + letters.count] = UInt8(ascii: "\"")
      count += letters.count + 2
      return true
    }
    guard !isPlain else { return }
    flush(&bytes)
    JSONWriter.appendString(text, to: &bytes)
  }
}
