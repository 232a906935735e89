@_spi(Engine) import StreamCore

// NB: Values are read in place, without reference counting.

extension ProgramInstance {
  /// Returns the place of a field in a record; -1 if the record lacks the field, nil if the value is not a map.
  @inline(__always)
  func place(_ register: Int, _ cache: Int64) -> Int? {
    guard let record = UnsafePointer(values + register).record else { return nil }
    return record._withUnsafeGuaranteedRef { place(in: $0, register, Int(cache)) }
  }

  /// Returns the address of a field in a record of the cached shape; nil for other shapes, and if the record lacks the
  /// field. The address is valid while the record stays in its register.
  @inline(__always)
  func knownField(_ register: Int, _ cache: Int64) -> UnsafePointer<Value>? {
    guard let record = UnsafePointer(values + register).record else { return nil }
    let known = caches.advanced(by: 0 &- Int(cache))
    return record._withUnsafeGuaranteedRef { record in
      guard record.head.pointee.shape === known.pointee.shape, known.pointee.place >= 0 else { return nil }
      return UnsafePointer(record.slots + known.pointee.place)
    }
  }

  /// Caches the place of a field in a record of another shape. Returns false if the shape is already cached, or lacks
  /// the field.
  @inline(never)
  func learnField(_ register: Int, _ cache: Int64) -> Bool {
    guard let record = UnsafePointer(values + register).record else { return false }
    let isKnown = record._withUnsafeGuaranteedRef { $0.head.pointee.shape === (caches - Int(cache)).pointee.shape }
    return !isKnown && find(register, Int(cache)) >= 0
  }

  @inline(__always)
  private func place(in record: RecordBody, _ register: Int, _ cache: Int) -> Int {
    let known = caches - cache
    return record.head.pointee.shape === known.pointee.shape ? known.pointee.place : find(register, cache)
  }

  @inline(never)
  func copy(_ source: UnsafePointer<Value>, to register: Int) { values[register] = source.pointee }

  /// Finds the place of a field, and caches it for the next records. Returns -1 if the record lacks the field.
  @inline(never)
  func find(_ register: Int, _ cache: Int) -> Int {
    guard case .map(let map) = values[register] else { return -1 }
    let place = map.shape.index(of: program.tables.fields[cache]) ?? -1
    caches[-cache] = ShapeCache(shape: map.shape, place: place)
    return place
  }
}
