internal import Synchronization

/// Encodes any `Encodable` type as a `Value`.
///
/// ```swift
/// let value = try ValueEncoder().encode(Reading(sensor: "a", celsius: 20))
/// ```
///
/// Keys keep the order in which they are encoded. A nested `Value`, `[UInt8]`, `Timestamp` or `Duration` is kept
/// unchanged; signed integers become ints, unsigned integers uints, floating-point numbers doubles. `ValueCoding` has
/// the forms of Foundation's types.
package struct ValueEncoder: Sendable {
  private let coding: ValueCoding

  package init(_ coding: ValueCoding = .standard) { self.coding = coding }

  /// Returns the encoded value; a type that encodes nothing becomes an empty map, as with other encoders.
  package func encode(_ content: some Encodable) throws -> Value {
    try PartEncoder.encode(content, coding, in: nil, at: nil)
  }
}

/// The encoder of a type with its own coding.
///
/// A part that has been encoded is a value in its place; one whose container is still in use is a part encoder.
final class PartEncoder: Encoder {
  private enum Form {
    case none, scalar, list, map
  }

  let coding: ValueCoding
  /// Whether the keys are the names of the members, without conversion.
  private let keepsNames: Bool
  /// The encoder of the enclosing value, and the key or index in it; nil for the whole value, and for one that is encoded
  /// as another.
  private let outer: PartEncoder?
  private let step: (any CodingKey)?

  @exclusivity(unchecked) private var form = Form.none
  /// The scalar, the elements of the list, or the values of the map.
  @exclusivity(unchecked) private var slots: [Value] = []
  /// The parts that replace the values in these places at the end.
  @exclusivity(unchecked) private var parts: [(place: Int, encoder: PartEncoder)] = []
  /// The names of the map's first members, as those of the value encoded before; nil if another name has come.
  @exclusivity(unchecked) private var expected: Shape?
  @exclusivity(unchecked) private var names: [String] = []
  /// The places of many names.
  @exclusivity(unchecked) private var places: [String: Int] = [:]
  /// The type of the map's keys.
  @exclusivity(unchecked) private var keys: ObjectIdentifier?

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ coding: ValueCoding, keepsNames: Bool, in outer: PartEncoder?, at step: (any CodingKey)?) {
    self.coding = coding
    self.keepsNames = keepsNames
    self.outer = outer
    self.step = step
  }

  /// The steps from the whole value to this one; computed on access, since only errors need it.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var part: PartEncoder? = self
    while let current = part {
      if let step = current.step { path.append(step) }
      part = current.outer
    }
    return path.reversed()
  }

  /// Returns the value of any content.
  static func encode<Content: Encodable>(
    _ content: Content, _ coding: ValueCoding, in outer: PartEncoder?, at step: (any CodingKey)?
  ) throws -> Value {
    if let value = try known(content, coding) { return value }
    let part = PartEncoder(coding, keepsNames: coding.keepsNames(of: Content.self), in: outer, at: step)
    try content.encode(to: part)
    return part.value
  }

  /// NB: Stored, since the runtime looks the type up at each use.
  private static let bytesType: Any.Type = [UInt8].self

  /// Returns the value of a type that a value holds; nil for other types.
  ///
  /// NB: The types are compared, so the bits are those of the type; a cast costs ten times as much.
  private static func known<Content>(_ content: Content, _ coding: ValueCoding) throws -> Value? {
    if Content.self == String.self { return .string(unsafeBitCast(content, to: String.self)) }
    if Content.self == Int.self { return .int(Int64(unsafeBitCast(content, to: Int.self))) }
    if Content.self == Double.self { return .double(unsafeBitCast(content, to: Double.self)) }
    if Content.self == Bool.self { return .bool(unsafeBitCast(content, to: Bool.self)) }
    if Content.self == Value.self { return unsafeBitCast(content, to: Value.self) }
    if Content.self == bytesType { return .bytes(unsafeBitCast(content, to: [UInt8].self)) }
    if Content.self == Timestamp.self { return .timestamp(unsafeBitCast(content, to: Timestamp.self)) }
    if Content.self == Duration.self { return .duration(unsafeBitCast(content, to: Duration.self)) }
    return try FoundationTypes.value(of: content, coding)
  }

  // MARK: Encoded parts

  /// The finished value.
  var value: Value {
    for part in parts { slots[part.place] = part.encoder.value }
    parts = []
    switch form {
    case .none: return .map(ValueMap())
    case .scalar: return slots[0]
    case .list: return .list(slots)
    case .map: return .map(map)
    }
  }

  private var map: ValueMap {
    if let expected, expected.count == slots.count { return ValueMap(shape: expected, slots: slots) }
    let shape = Shape(names: expected.map { $0.names(upTo: slots.count) } ?? names)
    if let keys { LatestShapes.set(shape, for: keys) }
    return ValueMap(shape: shape, slots: slots)
  }

  func set(_ scalar: Value) {
    form = .scalar
    slots = [scalar]
  }

  var count: Int { form == .list ? slots.count : 0 }

  func append(_ element: Value) { slots.append(element) }

  /// Makes this a list, if it is not one.
  private func becomeList() {
    guard form != .list else { return }
    form = .list
    slots = []
  }

  /// Makes this a map, if it is not one.
  private func becomeMap(_ keys: ObjectIdentifier) {
    guard form != .map else { return }
    form = .map
    slots = []
    self.keys = keys
    expected = LatestShapes.shape(for: keys)
    if let expected { slots.reserveCapacity(expected.count) }
  }

  /// Sets a member, which replaces an earlier one with the same name, and returns its place.
  @discardableResult
  func set(_ name: String, _ value: Value) -> Int {
    let place = slots.count
    if let expected {
      if place < expected.count, expected.has(name, at: place) {
        slots.append(value)
        return place
      }
      names = expected.names(upTo: place)
      self.expected = nil
    }
    if let earlier = self.place(of: name) {
      slots[earlier] = value
      parts.removeAll { $0.place == earlier }
      return earlier
    }
    if !places.isEmpty { places[name] = place }
    names.append(name)
    slots.append(value)
    return place
  }

  /// Maximum number of names that are searched one by one.
  private static let linearLimit = 8

  private func place(of name: String) -> Int? {
    guard names.count > Self.linearLimit else { return names.firstIndex(of: name) }
    if places.isEmpty { for (place, name) in names.enumerated() { places[name] = place } }
    return places[name]
  }

  /// Sets the member of a key.
  @inline(__always)
  func set(_ key: some CodingKey, _ value: Value) { set(name(of: key), value) }

  private func name(of key: some CodingKey) -> String {
    keepsNames ? key.stringValue : SnakeCase.snakeCase(key.stringValue)
  }

  /// Returns the encoder of a member that is encoded from now on.
  func part(_ key: some CodingKey) -> PartEncoder {
    let part = PartEncoder(coding, keepsNames: coding.keys == .unchanged, in: self, at: key)
    parts.append((set(name(of: key), .null), part))
    return part
  }

  /// Returns the encoder of an element that is encoded from now on.
  func nextPart() -> PartEncoder {
    let part = PartEncoder(
      coding, keepsNames: coding.keys == .unchanged, in: self, at: PathKey(intValue: count))
    parts.append((slots.count, part))
    slots.append(.null)
    return part
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    becomeMap(ObjectIdentifier(type))
    return KeyedEncodingContainer(KeyedPartContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    becomeList()
    return UnkeyedPartContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// The keys of the map encoded last for each type of keys: the next one most likely has the same.
private enum LatestShapes {
  private static let shapes = Mutex<[ObjectIdentifier: Shape]>([:])
  /// Maximum number of keys that are kept.
  private static let limit = 256

  static func shape(for keys: ObjectIdentifier) -> Shape? { shapes.withLock { $0[keys] } }

  static func set(_ shape: Shape, for keys: ObjectIdentifier) {
    if shape.count <= limit { shapes.withLock { $0[keys] = shape } }
  }
}

extension Shape {
  /// The first names.
  fileprivate func names(upTo count: Int) -> [String] { keys.prefix(count).compactMap(\.text) }
}
