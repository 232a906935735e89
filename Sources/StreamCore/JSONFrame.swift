/// A list or an object that is being read.
struct JSONFrame {
  enum Kind {
    case outermost, list, object
  }

  var kind: Kind
  /// Whether the next value belongs to a key that stands twice.
  var dropsNext = false
  /// Where its bracket stands.
  var opened: Int
  var items: [Value] = []
  /// Of an object: the node of its keys so far, and of the first one.
  var node = JSONShapeCache.root
  var first = JSONShapeCache.root
  /// Of an object that the cache does not take: its keys.
  var ownKeys: OwnKeys?

  /// What is around the outermost value.
  static let outermost = JSONFrame(.outermost, opened: 0)

  @inline(__always)
  init(_ kind: Kind, opened: Int) {
    self.kind = kind
    self.opened = opened
  }

  /// The list, or the object, as a value.
  @inline(__always)
  mutating func value(_ shapes: inout JSONShapeCache) -> Value {
    guard kind == .object else { return .list(items) }
    if let ownKeys { return .map(ValueMap(shape: Shape(ownKeys.keys), moving: &items)) }
    if node == JSONShapeCache.root { return .map(ValueMap()) }
    return .map(ValueMap(shape: shapes.shape(of: node, first: first), moving: &items))
  }

  /// The step of a JSON pointer to the value that is being read.
  func token(_ shapes: JSONShapeCache) -> String? {
    switch kind {
    case .outermost: return nil
    case .list: return String(items.count)
    case .object:
      if let ownKeys, case .string(let name)? = ownKeys.keys.last { return name }
      return shapes.key(of: node)
    }
  }

  /// The keys of one object, with a table once there are many.
  struct OwnKeys {
    private(set) var keys: [Value]
    private var places: [MapKey: Int] = [:]

    init(_ keys: [Value]) {
      self.keys = keys
      for (place, key) in keys.enumerated() { places[MapKey(key)] = place }
    }

    /// Adds a key; the place of its equal if there is one.
    mutating func add(_ name: String) -> Int? {
      let key = Value.string(name)
      if let place = places.updateValue(keys.count, forKey: MapKey(key)) {
        places[MapKey(key)] = place
        return place
      }
      keys.append(key)
      return nil
    }
  }
}
