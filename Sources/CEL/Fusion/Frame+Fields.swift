import StreamCore

// NB: values are looked at where they lie, so that no reference is counted.

extension Frame {
  /// The place of a field in the record, -1 for none; nil for what is no map.
  @inline(__always)
  func place(_ register: Int, _ cache: Int64) -> Int? {
    guard let record = UnsafePointer(values + register).record else { return nil }
    return record._withUnsafeGuaranteedRef { place(in: $0, register, Int(cache)) }
  }

  /// Where the field is; nil when there is none. Holds as long as the record stays in its register.
  @inline(__always)
  func field(_ register: Int, _ cache: Int64) -> UnsafePointer<Value>? {
    guard let record = UnsafePointer(values + register).record else { return nil }
    return record._withUnsafeGuaranteedRef { record in
      let place = place(in: record, register, Int(cache))
      return place < 0 ? nil : UnsafePointer(record.slots + place)
    }
  }

  @inline(__always)
  private func place(in record: RecordBody, _ register: Int, _ cache: Int) -> Int {
    let known = caches - cache
    return record.head.pointee.shape === known.pointee.shape ? known.pointee.place : find(register, cache)
  }

  @inline(never)
  func copy(_ source: UnsafePointer<Value>, to register: Int) { values[register] = source.pointee }

  /// Finds the place of a field, and remembers it for the records to come; -1 where there is none.
  @inline(never)
  func find(_ register: Int, _ cache: Int) -> Int {
    guard case .map(let map) = values[register] else { return -1 }
    let place = map.shape.index(of: program.tables.fields[cache]) ?? -1
    caches[-cache] = ShapeCache(shape: map.shape, place: place)
    return place
  }
}
