import StreamCore

// NB: values are looked at where they lie, so that no reference is counted.

extension Frame {
  /// The place of a field in the record, -1 for none; nil for what is no map.
  @inline(__always)
  func place(_ register: Int, _ cache: Int64) -> Int? {
    let cache = Int(cache)
    if case .map(let map) = values[register], map.shape === caches[-cache].shape { return caches[-cache].place }
    return find(register, cache)
  }

  /// Where the field is; nil when there is none. Holds as long as the record stays in its register.
  @inline(__always)
  func field(_ register: Int, _ cache: Int64) -> UnsafePointer<Value>? {
    guard let place = place(register, cache), place >= 0, case .map(let map) = values[register] else {
      return nil
    }
    return UnsafePointer(map.body.slots + place)
  }

  @inline(never)
  func copy(_ source: UnsafePointer<Value>, to register: Int) { values[register] = source.pointee }

  /// Finds the place of a field, and remembers it for the records to come; nil for what is no map.
  @inline(never)
  func find(_ register: Int, _ cache: Int) -> Int? {
    guard case .map(let map) = values[register] else { return nil }
    let place = map.shape.index(of: program.tables.fields[cache]) ?? -1
    caches[-cache] = ShapeCache(shape: map.shape, place: place)
    return place
  }
}
