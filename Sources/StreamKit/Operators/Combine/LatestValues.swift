internal import StreamCore
internal import StreamRuntime

/// The newest value of each of several streams, for `combineLatest`, `withLatestFrom` and similar machines.
struct LatestValues: Codable, Sendable {
  /// The values, until `run` holds them.
  private var kept: [Value]
  /// The streams that have not published yet.
  private var missing: Set<Int>
  /// The streams that have not finished.
  private(set) var running: Set<Int>
  /// The running expression, which holds the values after its first evaluation.
  private var run: JoinProgramInstance?
  /// An unmanaged reference to the object that `run` retains. It avoids retain and release on each value.
  private var reference: Unmanaged<JoinProgramInstance>?

  private enum CodingKeys: String, CodingKey {
    case kept = "values"
    case missing, running
  }

  init(count: Int) {
    kept = Array(repeating: .null, count: count)
    missing = Set(0..<count)
    running = Set(0..<count)
  }

  /// The number of streams.
  var count: Int { run?.values.count ?? kept.count }

  /// Describes the error in saved values for this many streams; nil if they are valid.
  func problem(of count: Int) -> String? {
    guard kept.count == count else { return "has \(kept.count) values for \(count) streams" }
    return missing.union(running).allSatisfy(kept.indices.contains) ? nil : "names streams that do not exist"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kept = try container.decode([Value].self, forKey: .kept)
    missing = try container.decode(Set<Int>.self, forKey: .missing)
    running = try container.decode(Set<Int>.self, forKey: .running)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(values, forKey: .kept)
    try container.encode(missing.sorted(), forKey: .missing)
    try container.encode(running.sorted(), forKey: .running)
  }

  var values: [Value] { run?.values ?? kept }

  /// Whether every stream has published.
  var isComplete: Bool { missing.isEmpty }

  /// Whether every stream but this one has published.
  func isComplete(with stream: Int) -> Bool { missing.isEmpty || missing.count == 1 && missing.contains(stream) }

  /// Whether every stream has finished.
  var isDone: Bool { running.isEmpty }

  func hasPublished(_ stream: Int) -> Bool { !missing.contains(stream) }

  mutating func set(_ value: Value, at stream: Int) {
    if !missing.isEmpty { missing.remove(stream) }
    if let reference {
      reference._withUnsafeGuaranteedRef { $0.put(value, at: stream) }
    } else {
      kept[stream] = value
    }
  }

  /// The running expression; nil until every stream has published.
  var combining: Unmanaged<JoinProgramInstance>? { reference }

  mutating func finish(_ stream: Int) { running.remove(stream) }

  /// Combines all values with this one, and forwards the result. A failure leaves the stored values unchanged.
  mutating func combine(
    _ value: inout Value, at stream: Int, by output: JoinOutput, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding {
    if let reference {
      return try reference.use { run throws(StreamFailure) in try run.forward(&value, at: stream, effects) }
    }
    let before = kept[stream]
    kept[stream] = value
    do throws(StreamFailure) {
      if let made = output.run(over: kept, effects) {
        try made.evaluate(&value, at: stream)
        run = made
        reference = .passUnretained(made)
        kept = []
      } else {
        value = try output.make(kept, effects)
      }
      missing.remove(stream)
      return .value
    } catch {
      kept[stream] = before
      throw error
    }
  }
}
