internal import DequeModule
@_spi(Engine) internal import StreamCore

/// The open windows of one stream of a `join`, by key; those of one key in order of age.
struct JoinWindows: Sendable {
  struct Window: Sendable {
    let port: Int
    let value: Value
    /// The age: older windows have lower numbers.
    let number: Int64
    /// Whether its value had a partner when it arrived.
    var hasPartner: Bool
  }

  /// The windows of one key.
  private struct Bucket: Sendable {
    var windows: Deque<Window> = []
    /// Windows with lower numbers have had a partner. A partner of a key is one of all of its windows, so one number
    /// stands for all.
    var matchedNumber: Int64 = 0

    func isMatched(_ window: Window) -> Bool { window.hasPartner || window.number < matchedNumber }
  }

  /// The key of a join without keys: all values have it.
  static let onlyKey = MapKey(true)

  private var buckets: [MapKey: Bucket] = [:]
  /// The key of each window, by port.
  private var keys: [Int: MapKey] = [:]
  private var nextNumber: Int64 = 0
  /// Whether a saved state has two windows with one port.
  private(set) var hasDuplicates = false

  var count: Int { keys.count }
  var isEmpty: Bool { keys.isEmpty }

  /// The windows of a key, oldest first.
  func windows(of key: MapKey) -> Deque<Window>? { buckets[key]?.windows }

  mutating func add(_ port: Int, _ value: Value, of key: MapKey, hasPartner: Bool) {
    if keys.updateValue(key, forKey: port) != nil { hasDuplicates = true }
    buckets[key, default: Bucket()].windows.append(
      Window(port: port, value: value, number: nextNumber, hasPartner: hasPartner))
    nextNumber += 1
  }

  /// Notes that all open windows of a key have had a partner.
  mutating func noteMatch(of key: MapKey) { buckets[key]?.matchedNumber = nextNumber }

  /// Closes a window. Returns its value, and whether it has had a partner; nil if the port has no window.
  mutating func close(_ port: Int) -> (value: Value, isMatched: Bool)? {
    guard let key = keys.removeValue(forKey: port),
      // The oldest window usually closes first, so the search is short.
      let place = buckets[key]?.windows.firstIndex(where: { $0.port == port }),
      let window = buckets[key]?.windows.remove(at: place)
    else { return nil }
    let isMatched = buckets[key]?.isMatched(window) ?? false
    if buckets[key]?.windows.isEmpty == true { buckets[key] = nil }
    return (window.value, isMatched)
  }

  /// Returns the values of the windows without a partner, oldest first, and notes that they are dealt with.
  mutating func takeUnmatched() -> [Value] {
    var found: [Window] = []
    for bucket in buckets.values { found += bucket.windows.filter { !bucket.isMatched($0) } }
    for key in buckets.keys { noteMatch(of: key) }
    return found.sorted { $0.number < $1.number }.map(\.value)
  }
}

extension JoinWindows: Codable {
  private struct Saved: Codable {
    let port: Int
    let value: Value
    /// Absent in a join without keys.
    var key: Value?
    /// Absent for false.
    var isMatched: Bool?
  }

  init(from decoder: any Decoder) throws {
    self.init()
    for saved in try decoder.singleValueContainer().decode([Saved].self) {
      add(
        saved.port, saved.value, of: saved.key.map(MapKey.init) ?? Self.onlyKey, hasPartner: saved.isMatched ?? false)
    }
  }

  func encode(to encoder: any Encoder) throws {
    let all = buckets.flatMap { key, bucket in bucket.windows.map { (key, $0, bucket.isMatched($0)) } }
    var container = encoder.singleValueContainer()
    try container.encode(
      all.sorted { $0.1.number < $1.1.number }.map { key, window, isMatched in
        Saved(
          port: window.port, value: window.value, key: key == Self.onlyKey ? nil : key.value,
          isMatched: isMatched ? true : nil)
      })
  }
}
