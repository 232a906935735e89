/// The ordered keys of a record, shared by all records of one origin.
@_spi(Engine) public final class Shape: Sendable {
  /// The distinct keys.
  public let keys: [Value]
  private let places: [MapKey: Int]?
  /// A name that two keys share in JSON, such as `1` and `'1'`; nil if all names differ.
  package let repeatedName: String?

  /// Maximum number of keys for a linear search, which is faster there than a hash table.
  private static let linearLimit = 8

  /// Creates a shape from distinct keys.
  public init(_ keys: [Value]) {
    self.keys = keys
    repeatedName = Self.repeatedName(of: keys)
    if keys.count > Self.linearLimit {
      places = Dictionary(keys.enumerated().map { (MapKey($1), $0) }, uniquingKeysWith: { first, _ in first })
    } else {
      places = nil
    }
  }

  private static func repeatedName(of keys: [Value]) -> String? {
    // Different strings have different names.
    if keys.count < 2 || keys.allSatisfy({ if case .string = $0 { true } else { false } }) { return nil }
    var names: Set<MapKey> = []
    for key in keys {
      let name = JSONWriter.text(ofKey: key)
      if !names.insert(MapKey(.string(name))).inserted { return name }
    }
    return nil
  }

  /// Creates a shape from distinct field names.
  public convenience init(names: [String]) { self.init(names.map(Value.string)) }

  /// The shape without keys.
  public static let empty = Shape([])

  public var count: Int { keys.count }

  /// Returns the index of a key, or nil.
  public func index(of key: Value) -> Int? {
    if case .string(let name) = key { return index(of: name) }
    let wanted = MapKey(key)
    if let places { return places[wanted] }
    return keys.firstIndex { MapKey($0) == wanted }
  }

  /// Returns whether the key at a valid index is this string.
  package func has(_ name: String, at place: Int) -> Bool {
    if case .string(let key) = keys[place] { key.isSameText(as: name) } else { false }
  }

  /// Returns the index of a string key, or nil.
  public func index(of name: String) -> Int? {
    if let places { return places[MapKey(.string(name))] }
    for index in keys.indices {
      if case .string(let key) = keys[index], key.isSameText(as: name) { return index }
    }
    return nil
  }
}
