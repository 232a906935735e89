/// The storage shared by copies of a map: its shape, followed in the same memory by its values.
///
/// NB: Mutated only by a unique owner, so owners may send it to any thread: they are `@unchecked`.
@usableFromInline
package final class RecordBody: ManagedBuffer<RecordBody.Header, Value> {
  @usableFromInline
  package struct Header {
    package let shape: Shape
    /// Number of initialized slots: one for each key, once it is complete.
    fileprivate(set) package var count = 0
  }

  /// The shape and the count.
  /// NB: A pointer, which needs no exclusivity checks; valid as long as the object is.
  @inlinable @inline(__always)
  package var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  /// The slots.
  /// NB: Valid as long as the object is, and initialized up to the head's count.
  @inlinable @inline(__always)
  package var slots: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

  private static func make(_ shape: Shape, _ capacity: Int) -> RecordBody {
    unsafeDowncast(create(minimumCapacity: capacity) { _ in Header(shape: shape) }, to: RecordBody.self)
  }

  /// Returns storage without values, with room for one for each key of the shape; they are added in order.
  static func make(_ shape: Shape) -> RecordBody { shape.count == 0 ? empty(shape) : make(shape, shape.count) }

  /// Adds the next value.
  @inline(__always)
  func add(_ value: consuming Value) {
    (slots + head.pointee.count).initialize(to: value)
    head.pointee.count += 1
  }

  static func make<Failure: Error>(
    _ shape: Shape, _ count: Int, _ value: (Int) throws(Failure) -> Value
  ) throws(Failure) -> RecordBody {
    let body = make(shape, count)
    for place in 0..<count {
      (body.slots + place).initialize(to: try value(place))
      body.head.pointee.count = place + 1
    }
    return body
  }

  static func make(_ shape: Shape, moving values: inout [Value], from start: Int) -> RecordBody {
    let count = values.count - start
    let body = make(shape, count)
    values.withUnsafeMutableBufferPointer { values in
      guard let first = values.baseAddress else { return }
      body.slots.moveInitialize(from: first + start, count: count)
      (first + start).initialize(repeating: .null, count: count)
      body.head.pointee.count = count
    }
    for _ in 0..<count { values.removeLast() }
    return body
  }

  /// Returns the storage for a shape without keys.
  static func empty(_ shape: Shape) -> RecordBody { shape === Shape.empty ? none : make(shape, 0) }

  nonisolated(unsafe) private static let none = make(Shape.empty, 0)

  func copy() -> RecordBody {
    let count = head.pointee.count
    let body = Self.make(head.pointee.shape, count)
    body.slots.initialize(from: slots, count: count)
    body.head.pointee.count = count
    return body
  }

  deinit {
    DeepStack.run(needing: DeepStack.releaseBytes) {
      _ = withUnsafeMutablePointers { head, slots in slots.deinitialize(count: head.pointee.count) }
    }
  }
}

extension UnsafePointer<Value> {
  /// The record stored here, not retained; nil if it is not a map.
  /// NB: Valid as long as the value stays here. A map is a single reference, the first word of its value.
  @inlinable @inline(__always)
  package var record: Unmanaged<RecordBody>? {
    guard case .map = pointee else { return nil }
    return UnsafeRawPointer(self).load(as: Unmanaged<RecordBody>.self)
  }
}
