/// An ordered map: a record's fields in the order in which they were written, or any CEL map.
///
/// Keys stand in a `Shape`, values in slots beside it. Records of one origin (the lines of a file, the results of one
/// map literal) share their shape, so a field is found once and then read by index.
public struct ValueMap: Sendable {
  /// The keys, in order.
  public let shape: Shape
  /// The values, in the order of the keys.
  public private(set) var slots: [Value]

  /// A map of the given shape. `slots` has as many values as the shape has keys.
  public init(shape: Shape, slots: [Value]) {
    precondition(shape.count == slots.count, "a map has one value for each key of its shape")
    self.shape = shape
    self.slots = slots
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
    self.init(shape: Shape(keys), slots: slots)
  }

  /// The empty map.
  public init() { self.init(shape: .empty, slots: []) }

  /// Gives access to the values where they lie; they are copied before if another map has them too.
  ///
  /// - Parameter body: gets the address of the first one; there are `count` of them.
  package mutating func withMutableSlots(_ body: (UnsafeMutablePointer<Value>) -> Void) {
    slots.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
  }

  public var count: Int { slots.count }
  public var isEmpty: Bool { slots.isEmpty }
  public var keys: [Value] { shape.keys }

  /// The value of a key; numbers that are equal are the same key, whatever their type.
  public subscript(key: Value) -> Value? {
    guard let index = shape.index(of: key) else { return nil }
    return slots[index]
  }

  /// The value of a text key.
  public subscript(key: String) -> Value? {
    guard let index = shape.index(of: key) else { return nil }
    return slots[index]
  }

  /// The pairs, in order.
  public var pairs: Zip2Sequence<[Value], [Value]> { zip(shape.keys, slots) }
}

extension ValueMap: Hashable {
  public static func == (lhs: ValueMap, rhs: ValueMap) -> Bool {
    guard lhs.count == rhs.count else { return false }
    if lhs.shape === rhs.shape { return lhs.slots == rhs.slots }
    return lhs.pairs.allSatisfy { key, value in
      guard let index = rhs.shape.index(of: key) else { return false }
      return rhs.shape.keys[index] == key && rhs.slots[index] == value
    }
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in pairs {
      var inner = Hasher()
      inner.combine(key)
      inner.combine(value)
      sum = sum &+ inner.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

/// The keys of a record, in order, shared by all records of one origin.
public final class Shape: Sendable {
  /// The keys, all different.
  public let keys: [Value]
  private let places: [MapKey: Int]?

  /// Above this many keys a look-up goes through a hash table; below, comparing is faster.
  private static let linearLimit = 8

  /// A shape of these keys, which all differ.
  public init(_ keys: [Value]) {
    self.keys = keys
    if keys.count > Self.linearLimit {
      places = Dictionary(keys.enumerated().map { (MapKey($1), $0) }, uniquingKeysWith: { first, _ in first })
    } else {
      places = nil
    }
  }

  /// A shape of these field names, which all differ.
  public convenience init(names: [String]) { self.init(names.map(Value.string)) }

  /// The shape without keys.
  public static let empty = Shape([])

  public var count: Int { keys.count }

  /// The place of a key, or nil.
  public func index(of key: Value) -> Int? {
    if case .string(let name) = key { return index(of: name) }
    let wanted = MapKey(key)
    if let places { return places[wanted] }
    return keys.firstIndex { MapKey($0) == wanted }
  }

  /// The place of a text key, or nil.
  public func index(of name: String) -> Int? {
    if let places { return places[MapKey(.string(name))] }
    for index in keys.indices {
      if case .string(let key) = keys[index], key.isSameText(as: name) { return index }
    }
    return nil
  }
}

/// A key as a map sees it: `1`, `1u` and `1.0` are one key.
public struct MapKey: Hashable, Sendable {
  private let value: Value

  public init(_ key: Value) {
    switch key {
    case .uint(let number):
      value = Int64(exactly: number).map(Value.int) ?? key
    case .double(let number):
      value = Int64(exactly: number).map(Value.int) ?? UInt64(exactly: number).map(Value.uint) ?? key
    default:
      value = key
    }
  }
}
