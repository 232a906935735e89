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
  /// Where its values begin among those that have been read.
  let start: Int
  /// Of an object: the node of its keys so far.
  var node = JSONShapeCache.root
  /// Of an object that the cache does not take: its keys.
  var ownKeys: OwnKeys?

  /// What is around the outermost value.
  static let outermost = JSONFrame(.outermost, opened: 0, start: 0)

  @inline(__always)
  init(_ kind: Kind, opened: Int, start: Int) {
    self.kind = kind
    self.opened = opened
    self.start = start
  }

  /// The list, or the object, as a value; takes what it holds off those that have been read.
  @inline(__always)
  func value(_ workspace: inout JSONWorkspace) -> Value {
    guard kind == .object else { return .list(Array(moving: &workspace.values, from: start)) }
    if let ownKeys { return .map(ValueMap(shape: Shape(ownKeys.keys), moving: &workspace.values, from: start)) }
    if node == JSONShapeCache.root { return .map(ValueMap()) }
    return .map(ValueMap(shape: workspace.shapes.shape(of: node), moving: &workspace.values, from: start))
  }

  /// The step of a JSON pointer to the value that is being read.
  ///
  /// - Parameter end: where its values end so far.
  func token(_ shapes: JSONShapeCache, _ end: Int) -> String? {
    switch kind {
    case .outermost: return nil
    case .list: return String(end - start)
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

extension [Value] {
  /// The values of another list from a place on, which that loses.
  fileprivate init(moving values: inout [Value], from start: Int) {
    let count = values.count - start
    self.init(unsafeUninitializedCapacity: count) { memory, initialized in
      guard let target = memory.baseAddress else { return }
      values.withUnsafeMutableBufferPointer { values in
        guard let first = values.baseAddress else { return }
        target.moveInitialize(from: first + start, count: count)
        (first + start).initialize(repeating: .null, count: count)
        initialized = count
      }
    }
    for _ in 0..<count { values.removeLast() }
  }
}
