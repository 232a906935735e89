internal import StreamCore
internal import StreamRuntime

/// The newest value of each of several streams: what `combineLatest` and `combineLatestAll` keep.
struct LatestValues: Codable, Sendable {
  private(set) var values: [Value]
  /// The streams that have not published yet.
  private var missing: Set<Int>
  /// The streams that have not finished.
  private(set) var running: Set<Int>

  init(count: Int) {
    values = Array(repeating: .null, count: count)
    missing = Set(0..<count)
    running = Set(0..<count)
  }

  /// Whether every stream has published.
  var isComplete: Bool { missing.isEmpty }

  /// Whether every stream has finished.
  var isDone: Bool { running.isEmpty }

  func hasPublished(_ stream: Int) -> Bool { !missing.contains(stream) }

  mutating func set(_ value: Value, at stream: Int) {
    values[stream] = value
    missing.remove(stream)
  }

  mutating func finish(_ stream: Int) { running.remove(stream) }
}
