extension ValueMap {
  /// The values of a map in the order of its keys. Mutation copies storage that another map shares.
  public struct Slots: RandomAccessCollection, MutableCollection, @unchecked Sendable {
    package private(set) var body: RecordBody

    init(_ body: RecordBody) { self.body = body }

    public var startIndex: Int { 0 }
    public var endIndex: Int { body.head.pointee.count }

    public subscript(place: Int) -> Value {
      get {
        precondition(place >= 0 && place < endIndex, "a slot is one of the map's")
        return body.slots[place]
      }
      _modify {
        precondition(place >= 0 && place < endIndex, "a slot is one of the map's")
        if !isKnownUniquelyReferenced(&body) { body = body.copy() }
        yield &body.slots[place]
      }
    }

    public func withContiguousStorageIfAvailable<Result>(
      _ look: (UnsafeBufferPointer<Value>) throws -> Result
    ) rethrows -> Result? {
      try withExtendedLifetime(body) { try look(UnsafeBufferPointer(start: body.slots, count: endIndex)) }
    }
  }
}
