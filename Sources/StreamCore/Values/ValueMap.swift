/// An ordered map: a record with its fields in their original order, or any CEL map.
///
/// ```swift
/// let map = ValueMap([("sensor", "a"), ("celsius", 20)])
/// for (key, value) in map.pairs { lines.append("\(key): \(value)") }
/// ```
///
/// A `Shape` stores the keys, slots store the values. Records of one origin (the lines of a file, the results of one
/// map literal) share their shape, so a field is looked up once and then accessed by index.
///
/// - Memory: One object for the shape reference and the slots.
public struct ValueMap: @unchecked Sendable {
  package private(set) var body: RecordBody

  init(_ body: RecordBody) { self.body = body }

  /// Creates a map of a shape. `slots` has one value for each key of the shape.
  @_spi(Engine) public init(shape: Shape, slots: [Value]) {
    precondition(shape.count == slots.count, "a map has one value for each key of its shape")
    body = slots.isEmpty ? .empty(shape) : .make(shape, slots.count) { slots[$0] }
  }

  /// Creates a map of a shape and fills its slots in place.
  ///
  /// - Parameters:
  ///   - shape: The keys.
  ///   - value: Returns the value for the key at an index; called once for each key, in order.
  @_spi(Engine) public init<Failure: Error>(shape: Shape, _ value: (Int) throws(Failure) -> Value) throws(Failure) {
    body = shape.count == 0 ? .empty(shape) : try .make(shape, shape.count, value)
  }

  /// Creates a map of a shape by moving values out of an array, which keeps its capacity.
  ///
  /// - Parameters:
  ///   - shape: The keys.
  ///   - slots: The values, one for each key.
  ///   - start: Index of the first value to move; elements before it stay.
  @_spi(Engine) public init(shape: Shape, moving slots: inout [Value], from start: Int = 0) {
    precondition(shape.count == slots.count - start, "a map has one value for each key of its shape")
    body = shape.count == 0 ? .empty(shape) : .make(shape, moving: &slots, from: start)
  }

  /// Creates a map from pairs; of two equal keys, the later value takes the earlier key's position.
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

  /// Creates an empty map.
  public init() { body = .empty(.empty) }

  /// Calls a closure with the values in place; storage shared with another map is copied first.
  ///
  /// - Parameter look: Receives the address of the first of `count` values.
  package mutating func withMutableSlots<Result>(_ look: (UnsafeMutablePointer<Value>) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&body) { body = body.copy() }
    return look(body.slots)
  }

  /// The keys in order.
  @_spi(Engine) public var shape: Shape { body.head.pointee.shape }
  public var count: Int { body.head.pointee.count }
  public var isEmpty: Bool { count == 0 }
  public var keys: [Value] { shape.keys }

  /// The value of a key; equal numbers are the same key, whatever their type.
  public subscript(key: Value) -> Value? { shape.index(of: key).map { slots[$0] } }

  /// The value of a string key.
  public subscript(key: String) -> Value? { shape.index(of: key).map { slots[$0] } }

  /// The pairs in order.
  public var pairs: Zip2Sequence<[Value], Slots> { zip(shape.keys, slots) }

  /// The values in the order of the keys.
  public var slots: Slots {
    get { Slots(body) }
    _modify {
      var slots = Slots(body)
      // NB: The storage is uniquely referenced during the mutation, so it is not copied.
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
