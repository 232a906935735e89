/// A list or an object that is being read.
struct JSONFrame {
  enum Kind {
    case outermost, list, object
  }

  var kind: Kind
  /// Whether the next value belongs to a duplicate key and is dropped.
  var dropsNext = false
  /// Offset of the opening bracket.
  var opened: Int
  /// Index of the first value of this frame in the workspace's values.
  let start: Int
  /// The shape cache's node for the object's keys so far.
  var node = JSONShapeCache.root
  /// The object's keys; nil if the shape cache stores them.
  var ownKeys: OwnKeys?

  /// The frame around the outermost value.
  static let outermost = JSONFrame(.outermost, opened: 0, start: 0)

  @inline(__always)
  init(_ kind: Kind, opened: Int, start: Int) {
    self.kind = kind
    self.opened = opened
    self.start = start
  }

  /// Returns the list or object as a value; moves its parts out of the workspace's values.
  @inline(__always)
  func value(_ workspace: inout JSONWorkspace) -> Value {
    guard kind == .object else { return .list(Array(moving: &workspace.values, from: start)) }
    if let ownKeys { return .map(ValueMap(shape: Shape(ownKeys.keys), moving: &workspace.values, from: start)) }
    if node == JSONShapeCache.root { return .map(ValueMap()) }
    return .map(ValueMap(shape: workspace.shapes.shape(of: node), moving: &workspace.values, from: start))
  }

  /// Returns the JSON pointer token of the value that is being read; nil for the outermost value.
  ///
  /// - Parameter end: The end of this frame's values so far.
  func token(_ shapes: JSONShapeCache, _ end: Int) -> String? {
    switch kind {
    case .outermost: return nil
    case .list: return String(end - start)
    case .object:
      if let ownKeys, case .string(let name)? = ownKeys.keys.last { return name }
      return shapes.key(of: node)
    }
  }

  /// The keys of one object, with a hash table.
  struct OwnKeys {
    private(set) var keys: [Value]
    private var places: [MapKey: Int] = [:]

    init(_ keys: [Value]) {
      self.keys = keys
      for (place, key) in keys.enumerated() { places[MapKey(key)] = place }
    }

    /// Adds a key, unless an equal key exists; returns the index of the existing one.
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
  /// Creates a list by moving the values from an index on out of another list.
  fileprivate init(moving values: inout [Value], from start: Int) {
    let count = values.count - start
    guard count > 0 else {
      // NB: The initializer below would write to the storage that all empty arrays share.
      self.init()
      return
    }
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
