internal import StreamCore
internal import StreamEngine

/// A queue of waiting values for each stream, for `zip` and `zipAll`.
struct ValueQueues: Sendable {
  private var queues: [ValueRing]
  private var isDone: [Bool]
  /// The streams that no longer take part.
  private var skipped: Set<Int>
  /// Number of streams that take part and have an empty queue.
  private var emptyCount: Int
  /// Whether any stream has finished.
  private var isAnyDone: Bool

  init(count: Int) {
    self.init(Array(repeating: ValueRing(), count: count), isDone: Array(repeating: false, count: count))
  }

  private init(_ queues: [ValueRing], isDone: [Bool], skipped: Set<Int> = []) {
    self.queues = queues
    self.isDone = isDone
    self.skipped = skipped
    emptyCount = queues.indices.count { queues[$0].isEmpty && !skipped.contains($0) }
    isAnyDone = isDone.indices.contains { isDone[$0] && !skipped.contains($0) }
  }

  var count: Int { queues.count }

  /// Whether all queues are empty and no stream has finished.
  var isIdle: Bool { emptyCount == queues.count && !isAnyDone }

  /// The streams that have not finished.
  var running: [Int] { isDone.indices.filter { !isDone[$0] } }

  /// Number of values that wait, of streams that have finished.
  var leftCount: Int { queues.indices.reduce(0) { $0 + (isDone[$1] ? queues[$1].count : 0) } }

  /// Whether no more tuples are possible: a stream has finished and its queue is empty.
  var isExhausted: Bool {
    isAnyDone && queues.indices.contains { queues[$0].isEmpty && isDone[$0] && !skipped.contains($0) }
      || !skipped.isEmpty && skipped.count == queues.count
  }

  /// Whether no more tuples are possible after one that includes a new value of this stream.
  func isExhausted(withTupleOf stream: Int) -> Bool {
    isAnyDone && queues.indices.contains { isDone[$0] && ($0 == stream || queues[$0].count == 1) }
  }

  /// Whether a value of this stream completes a tuple.
  func isTuple(with stream: Int) -> Bool { emptyCount == 1 && queues[stream].isEmpty }

  /// Removes the first value of each queue, if this value completes a tuple.
  mutating func takeTuple(with value: Value, from stream: Int) -> [Value]? {
    isTuple(with: stream) ? firstValues(with: value) : nil
  }

  /// Removes the first value of each queue, if each has one.
  mutating func takeTuple() -> [Value]? {
    emptyCount == 0 && skipped.count < queues.count ? firstValues(with: .null) : nil
  }

  /// Removes the first value of each queue; `value` stands for that of an empty one.
  private mutating func firstValues(with value: Value) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(queues.count)
    for stream in queues.indices where !skipped.contains(stream) {
      guard let first = queues[stream].popFirst() else {
        values.append(value)
        continue
      }
      if queues[stream].isEmpty { emptyCount += 1 }
      values.append(first)
    }
    return values
  }

  /// Takes a stream out of all tuples, unless its values are waiting. Returns whether it did.
  mutating func skip(_ stream: Int) -> Bool {
    guard queues.indices.contains(stream), queues[stream].isEmpty else { return false }
    if skipped.insert(stream).inserted { emptyCount -= 1 }
    isDone[stream] = true
    return true
  }

  mutating func append(_ value: Value, from stream: Int, limit: Int, owner: String) throws(StreamFailure) {
    guard queues[stream].count < limit else {
      throw .beyondLimit(limit, "value", " waiting for the other streams", of: owner, value: value)
    }
    append(value, from: stream)
  }

  mutating func append(_ value: Value, from stream: Int) {
    if queues[stream].isEmpty { emptyCount -= 1 }
    queues[stream].append(value)
  }

  mutating func finish(_ stream: Int) {
    isDone[stream] = true
    isAnyDone = true
  }
}

extension ValueQueues: Codable {
  private enum CodingKeys: String, CodingKey {
    case queues, isDone, skipped
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let queues = try container.decode([ValueRing].self, forKey: .queues)
    let isDone = try container.decode([Bool].self, forKey: .isDone)
    guard queues.count == isDone.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .isDone, in: container, debugDescription: "the number of queues differs from the number of streams")
    }
    let skipped = try container.decodeIfPresent(Set<Int>.self, forKey: .skipped) ?? []
    guard skipped.allSatisfy({ queues.indices.contains($0) && queues[$0].isEmpty && isDone[$0] }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .skipped, in: container, debugDescription: "a stream that is skipped has values, or has not ended")
    }
    self.init(queues, isDone: isDone, skipped: skipped)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(queues, forKey: .queues)
    try container.encode(isDone, forKey: .isDone)
    if !skipped.isEmpty { try container.encode(skipped.sorted(), forKey: .skipped) }
  }
}
