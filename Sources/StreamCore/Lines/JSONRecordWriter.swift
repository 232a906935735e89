/// Writes values as `JSONWriter` does, but faster for consecutive records with the same keys, whose encoded keys it
/// caches.
///
/// - Memory: 4 KiB, and the keys of up to eight shapes.
@_spi(Engine) public final class JSONRecordWriter {
  /// The encoded keys of a shape, one after the other: `{"a":`, `,"b":`, then `}`.
  private final class Keys {
    let shape: Shape
    let count: Int
    /// NB: `length` bytes and the padding, and `count` offsets at which keys end; written only by `init`.
    let letters: UnsafeMutablePointer<UInt8>
    let ends: UnsafeMutablePointer<Int>
    let length: Int

    init(_ shape: Shape) {
      self.shape = shape
      count = shape.count
      ends = .allocate(capacity: max(shape.count, 1))
      var bytes: [UInt8] = shape.count == 0 ? [UInt8(ascii: "{")] : []
      for (place, key) in shape.keys.enumerated() {
        bytes.append(place == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
        JSONWriter.appendKey(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        (ends + place).initialize(to: bytes.count)
      }
      bytes.append(UInt8(ascii: "}"))
      length = bytes.count
      letters = .allocate(capacity: bytes.count + PaddedBytes.padding)
      letters.initialize(repeating: 0, count: bytes.count + PaddedBytes.padding)
      for (place, byte) in bytes.enumerated() { letters[place] = byte }
    }

    deinit {
      letters.deallocate()
      ends.deallocate()
    }
  }

  /// The encoded keys of recent shapes, the most recent first.
  @exclusivity(unchecked) private var known: [Keys] = []
  /// The first of them.
  /// NB: Not retained, because it is accessed for every value.
  @exclusivity(unchecked) private var current: Unmanaged<Keys>?
  /// The output, before it is appended to the caller's buffer.
  private let memory: UnsafeMutablePointer<UInt8>
  /// NB: Never above `capacity`: output that may not fit is preceded by `flush`. It is followed by eight spare bytes.
  @exclusivity(unchecked) private var count = 0

  /// The most bytes in the output, including those already there: once there are more, nothing further is written.
  /// Default unlimited.
  @exclusivity(unchecked) package var limit = Int.max

  /// The name shared by two keys of a map in the output since the last call of `takeRepeatedName`.
  @exclusivity(unchecked) private var repeatedName: String?

  /// Whether a number was written as a string: NaN and the infinities, which JSON has no numbers for.
  @exclusivity(unchecked) package private(set) var hasNonFinite = false

  private static let capacity = 4096
  private static let knownLimit = 8
  /// Maximum length for the fast path.
  private static let longest = 1024

  public init() { memory = .allocate(capacity: Self.capacity + 8) }

  deinit { memory.deallocate() }

  /// Appends a value without white space.
  public func append(_ value: Value, to bytes: inout [UInt8]) {
    withUnsafePointer(to: value) { place in
      guard let record = place.record else { return appendOther(place.pointee, to: &bytes) }
      record._withUnsafeGuaranteedRef { record in append(record, to: &bytes) }
    }
  }

  /// Appends a value without white space, or nothing if it throws.
  ///
  /// - Throws: `invalidConversion` if two keys of a map have the same name in JSON, such as `1` and `'1'`.
  public func appendChecked(_ value: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    let start = bytes.count
    repeatedName = nil
    append(value, to: &bytes)
    guard let name = takeRepeatedName() else { return }
    bytes.removeLast(bytes.count - start)
    throw JSONWriter.repeated(name)
  }

  /// Returns a name shared by two keys of a map in the output since the last call.
  @inline(__always)
  func takeRepeatedName() -> String? {
    if repeatedName == nil { return nil }
    defer { (repeatedName, current) = (nil, nil) }
    return repeatedName
  }

  private func appendOther(_ value: Value, to bytes: inout [UInt8]) {
    guard bytes.count <= limit else { return }
    let extent = JSONWriter.append(value, to: &bytes, upTo: limit)
    if let name = extent.repeatedName { repeatedName = name }
    if extent.hasNonFinite { hasNonFinite = true }
  }

  @inline(__always)
  private func append(_ record: RecordBody, to bytes: inout [UInt8]) {
    let slots = UnsafePointer(record.slots)
    append(record.head.pointee.shape, to: &bytes) { place, bytes in put(slots + place, to: &bytes) }
    flush(&bytes)
  }

  @inline(__always)
  func append(_ shape: Shape, to bytes: inout [UInt8], _ value: (Int, inout [UInt8]) -> Void) {
    if current?._withUnsafeGuaranteedRef({ $0.shape === shape }) != true { learn(shape) }
    current?._withUnsafeGuaranteedRef { keys in
      var start = 0
      for place in 0..<keys.count {
        let end = keys.ends[place]
        putPadded(keys.letters + start, end - start, to: &bytes)
        value(place, &bytes)
        start = end
      }
      // An object without keys.
      putPadded(keys.letters + start, keys.length - start, to: &bytes)
    }
  }

  /// Returns the encoded keys of a shape, from the cache if possible.
  @inline(never)
  private func learn(_ shape: Shape) {
    let known = self.known.firstIndex { $0.shape === shape }
    let keys = known.map { self.known.remove(at: $0) } ?? Keys(shape)
    self.known.insert(keys, at: 0)
    if self.known.count > Self.knownLimit { self.known.removeLast() }
    current = Unmanaged.passUnretained(keys)
    if let name = shape.repeatedName { repeatedName = name }
  }

  // MARK: Memory

  @inline(__always)
  func flush(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: memory, count: count))
    count = 0
  }

  @inline(__always)
  private func makeRoom(_ wanted: Int, _ bytes: inout [UInt8]) {
    if count + wanted > Self.capacity { flush(&bytes) }
  }

  func putByte(_ byte: UInt8, to bytes: inout [UInt8]) {
    makeRoom(1, &bytes)
    memory[count] = byte
    count += 1
  }

  /// Appends letters that are followed by eight readable bytes.
  @inline(__always)
  func putPadded(_ letters: UnsafePointer<UInt8>, _ length: Int, to bytes: inout [UInt8]) {
    if length > Self.longest {
      flush(&bytes)
      bytes.append(contentsOf: UnsafeBufferPointer(start: letters, count: length))
      return
    }
    makeRoom(length, &bytes)
    let target = UnsafeMutableRawPointer(memory + count)
    var offset = 0
    while offset < length {
      let word = UnsafeRawPointer(letters + offset).loadUnaligned(as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    count += length
  }

  @inline(__always)
  func put(_ number: Double, to bytes: inout [UInt8]) {
    makeRoom(NumberText.capacity, &bytes)
    if !number.isFinite { hasNonFinite = true }
    count += NumberText.write(number, to: memory + count)
  }

  @inline(__always)
  func put(_ number: Int64, to bytes: inout [UInt8]) {
    makeRoom(NumberText.capacity, &bytes)
    count += NumberText.write(number, to: memory + count)
  }

  /// Writes the value of a field.
  @inline(__always)
  func put(_ slot: UnsafePointer<Value>, to bytes: inout [UInt8]) {
    // NB: Accessed in place, so that no reference is counted.
    if case .double(let number) = slot.pointee {
      put(number, to: &bytes)
    } else if case .int(let number) = slot.pointee {
      put(number, to: &bytes)
    } else if case .string(let text) = slot.pointee {
      put(text, to: &bytes)
    } else {
      flush(&bytes)
      appendOther(slot.pointee, to: &bytes)
    }
  }

  @inline(__always)
  private func put(_ text: String, to bytes: inout [UInt8]) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { letters in
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
    guard isPlain != true else { return }
    flush(&bytes)
    if bytes.count <= limit { JSONWriter.appendString(text, to: &bytes) }
  }
}

// Records that are not created.

extension JSONRecordWriter {
  /// Appends a record and a line break, or nothing if two keys have the same name in JSON.
  package func appendLine(_ record: OutputRecord, to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    record.fields.shape._withUnsafeGuaranteedRef { shape in
      append(shape, to: &bytes) { place, bytes in put(record, record.fields.places[place], to: &bytes) }
    }
    putByte(0x0A, to: &bytes)
    flush(&bytes)
    if takeRepeatedName() == nil { return true }
    bytes.removeLast(bytes.count - start)
    return false
  }

  @inline(__always)
  private func put(_ record: OutputRecord, _ place: OutputFields.Place, to bytes: inout [UInt8]) {
    let number = Int(place.number)
    switch place.source {
    case .value: put(record.values + number, to: &bytes)
    case .cell: record.rows._withUnsafeGuaranteedRef { put($0.row[number], $0, to: &bytes) }
    case .double: put(Double(bitPattern: UInt64(bitPattern: record.slots[number])), to: &bytes)
    case .int: put(record.slots[number], to: &bytes)
    case .uint, .bool: putOther(record.slots[number], isBool: place.source == .bool, to: &bytes)
    }
  }

  @inline(__always)
  private func put(_ cell: FieldCell, _ rows: LineRows, to bytes: inout [UInt8]) {
    switch cell.kind {
    case .text:
      // Plain strings need no escapes.
      let text = rows.line(of: rows.current).base + cell.textStart
      if rows.columns == nil { return putPadded(text - 1, cell.textCount + 2, to: &bytes) }
      putByte(UInt8(ascii: "\""), to: &bytes)
      putPadded(text, cell.textCount, to: &bytes)
      putByte(UInt8(ascii: "\""), to: &bytes)
    case .double: put(Double(bitPattern: UInt64(bitPattern: cell.bits)), to: &bytes)
    case .int: put(cell.bits, to: &bytes)
    case .bool: putOther(cell.bits, isBool: true, to: &bytes)
    case .null, .missing: putNull(to: &bytes)
    }
  }

  @inline(never)
  private func putOther(_ bits: Int64, isBool: Bool, to bytes: inout [UInt8]) {
    flush(&bytes)
    JSONWriter.append(isBool ? .bool(bits != 0) : .uint(UInt64(bitPattern: bits)), to: &bytes)
  }

  @inline(never)
  private func putNull(to bytes: inout [UInt8]) {
    flush(&bytes)
    JSONWriter.append(.null, to: &bytes)
  }
}
