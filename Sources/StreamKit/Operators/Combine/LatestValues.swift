internal import StreamCore
internal import StreamEngine

/// The newest value of each of several streams, for `combineLatest`, `withLatestFrom` and similar machines.
struct LatestValues: Codable, Sendable {
  private(set) var values: [Value]
  /// The streams that have not published yet.
  private var missing: Set<Int>
  /// The streams that have not finished.
  private(set) var running: Set<Int>
  /// The streams that take no part; nil for none.
  private var skipped: Set<Int>?

  init(count: Int) {
    values = Array(repeating: .null, count: count)
    missing = Set(0..<count)
    running = Set(0..<count)
  }

  /// The number of streams.
  var count: Int { values.count }

  /// Describes the error in saved values for this many streams; nil if they are valid.
  func problem(of count: Int) -> String? {
    guard values.count == count else { return "has \(values.count) values for \(count) streams" }
    return missing.union(running).union(skipped ?? []).allSatisfy(values.indices.contains)
      ? nil : "names streams that do not exist"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(values, forKey: .values)
    try container.encode(missing.sorted(), forKey: .missing)
    try container.encode(running.sorted(), forKey: .running)
    try container.encodeIfPresent(skipped?.sorted(), forKey: .skipped)
  }

  /// Whether every stream has published.
  var isComplete: Bool { missing.isEmpty }

  /// Whether every stream but this one has published.
  func isComplete(with stream: Int) -> Bool { missing.isEmpty || missing.count == 1 && missing.contains(stream) }

  /// Whether every stream has finished.
  var isDone: Bool { running.isEmpty }

  func hasPublished(_ stream: Int) -> Bool { !missing.contains(stream) }

  mutating func set(_ value: Value, at stream: Int) {
    if !missing.isEmpty { missing.remove(stream) }
    values[stream] = value
  }

  mutating func set(_ values: [(stream: Int, value: Value)]) {
    for (stream, value) in values { set(value, at: stream) }
  }

  mutating func finish(_ stream: Int) { running.remove(stream) }

  /// Takes a stream that has published nothing out of the combinations. Returns whether these are complete through it.
  mutating func skip(_ stream: Int) -> Bool {
    skipped = (skipped ?? []).union([stream])
    running.remove(stream)
    return missing.remove(stream) != nil && missing.isEmpty && skipped?.count != count
  }

  /// The values of the streams that take part.
  var combination: [Value] {
    guard let skipped else { return values }
    return values.indices.filter { !skipped.contains($0) }.map { values[$0] }
  }

  /// Stores a value, and returns the combination of all values. A failure leaves the stored values unchanged.
  mutating func combine(
    _ value: Value, at stream: Int, by output: JoinOutput, _ effects: Effects
  ) throws(StreamFailure) -> Value {
    var all = values
    all[stream] = value
    let combination = try output.make(all, effects)
    set(value, at: stream)
    return combination
  }
}

/// A value that waits for demand, with the port of its stream.
struct HeldValue: Codable, Sendable {
  let port: Int
  let value: Value

  /// Describes the error in saved values; nil if they are valid.
  static func problem(with saved: [HeldValue]?, on ports: Range<Int>) -> String? {
    (saved ?? []).allSatisfy { ports.contains($0.port) } ? nil : "has values of streams that do not exist"
  }
}

extension ArraySlice {
  /// The elements as an array; nil if there are none.
  var unlessEmpty: [Element]? { isEmpty ? nil : Array(self) }
}
