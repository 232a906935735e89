/// An ordered map: a record's fields in the order in which they were written, or any CEL map.
///
/// Keys stand in a `Shape`, values in slots. Records of one origin (the lines of a file, the results of one map literal)
/// share their shape, so a field is found once and then read by index.
///
/// - Memory: one object, which holds the shape and the slots.
public struct ValueMap: @unchecked Sendable {
  package private(set) var body: RecordBody

  init(_ body: RecordBody) { self.body = body }

  /// A map of the given shape. `slots` has as many values as the shape has keys.
  public init(shape: Shape, slots: [Value]) {
    precondition(shape.count == slots.count, "a map has one value for each key of its shape")
    body = slots.isEmpty ? .empty(shape) : .make(shape, slots.count) { slots[$0] }
  }

  /// A map of the given shape, whose slots are filled in place.
  ///
  /// - Parameter shape: the keys, in order.
  /// - Parameter value: gives the value of the key with this number; asked once for each, in order.
  public init<Failure: Error>(shape: Shape, _ value: (Int) throws(Failure) -> Value) throws(Failure) {
    body = shape.count == 0 ? .empty(shape) : try .make(shape, shape.count, value)
  }

  /// A map of the given shape, into which the values of a list move; the list loses them, and keeps its memory.
  ///
  /// - Parameter shape: the keys, in order.
  /// - Parameter slots: the values, one for each key from `start` on.
  /// - Parameter start: where they begin in the list, which keeps those before.
  public init(shape: Shape, moving slots: inout [Value], from start: Int = 0) {
    precondition(shape.count == slots.count - start, "a map has one value for each key of its shape")
    body = shape.count == 0 ? .empty(shape) : .make(shape, moving: &slots, from: start)
  }

  /// A map of these pairs; of two equal keys the later value counts, at the earlier one's place.
  public init(_ pairs: some Sequence<(Value, Value)>) {
    var keys: [Value] = []
    var slots: [Value] = []
    var places: [MapKey: Int] = [:]
    for (key, value) in pairs {
      let mapKey = MapKey(key)
      if let place = places[mapKey] {
        slots[place] = value
      } else {
        places[mapKey] = keys.count
        keys.append(key)
        slots.append(value)
      }
    }
    self.init(shape: keys.isEmpty ? .empty : Shape(keys), slots: slots)
  }

  /// The empty map.
  public init() { body = .empty(.empty) }

  /// Gives access to the values where they lie; they are copied before if another map has them too.
  ///
  /// - Parameter look: gets the address of the first one; there are `count` of them.
  package mutating func withMutableSlots(_ look: (UnsafeMutablePointer<Value>) -> Void) {
    if !isKnownUniquelyReferenced(&body) { body = body.copy() }
    look(body.slots)
  }

  /// The keys, in order.
  public var shape: Shape { body.head.pointee.shape }
  public var count: Int { body.head.pointee.count }
  public var isEmpty: Bool { count == 0 }
  public var keys: [Value] { shape.keys }

  /// The value of a key; numbers that are equal are the same key, whatever their type.
  public subscript(key: Value) -> Value? { shape.index(of: key).map { slots[$0] } }

  /// The value of a text key.
  public subscript(key: String) -> Value? { shape.index(of: key).map { slots[$0] } }

  /// The pairs, in order.
  public var pairs: Zip2Sequence<[Value], Slots> { zip(shape.keys, slots) }

  /// The values, in the order of the keys.
  public var slots: Slots {
    get { Slots(body) }
    _modify {
      var slots = Slots(body)
      // NB: held once while it is changed, so that it is not copied.
      body = .empty(.empty)
      defer { body = slots.body }
      yield &slots
    }
  }
}

extension ValueMap: Hashable {
  public static func == (lhs: ValueMap, rhs: ValueMap) -> Bool { Value.map(lhs) == Value.map(rhs) }

  public func hash(into hasher: inout Hasher) { Value.map(self).hash(into: &hasher) }
}
