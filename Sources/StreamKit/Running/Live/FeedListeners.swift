internal import StreamEngine

/// A stream or an observer that listens to a feed.
enum FeedListener {
  case stream(any FeedReceiver, Int)
  case observer(Observer)

  fileprivate var id: ObjectIdentifier {
    switch self {
    case .stream(let receiver, _): ObjectIdentifier(receiver)
    case .observer(let observer): ObjectIdentifier(observer)
    }
  }
}

/// The listeners of a feed, in the order they were added.
///
/// - Complexity: O(1) to add or remove one, on average; O(n) while an event that is being delivered refers to them.
struct FeedListeners {
  /// The listeners; nil for those that have been removed.
  private(set) var all: [FeedListener?] = []
  /// The places of each receiver or observer; a stream may listen for several of its inputs.
  private var places: [ObjectIdentifier: [Int]] = [:]
  /// Number of listeners.
  private(set) var count = 0

  /// The only listener; nil if there is none, or several.
  var only: FeedListener? { count == 1 ? all.lazy.compactMap(\.self).first : nil }

  mutating func add(_ listener: FeedListener) {
    places[listener.id, default: []].append(all.count)
    all.append(listener)
    count += 1
  }

  /// Removes a receiver or an observer. Returns what it was known as, which the caller releases.
  mutating func remove(_ listener: AnyObject) -> [FeedListener] {
    guard let found = places.removeValue(forKey: ObjectIdentifier(listener)) else { return [] }
    let gone = found.compactMap { all[$0] }
    for place in found { all[place] = nil }
    count -= gone.count
    if all.count > 2 * count { pack() }
    return gone
  }

  mutating func removeAll() { self = FeedListeners() }

  private mutating func pack() {
    let rest = all.compactMap(\.self)
    removeAll()
    for listener in rest { add(listener) }
  }
}
