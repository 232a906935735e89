internal import StreamCore
internal import StreamRuntime

/// A queue of waiting values for each stream, for `zip` and `zipAll`.
struct ValueQueues: Sendable {
  private var queues: [ValueRing]
  private var isDone: [Bool]
  /// Number of streams with an empty queue.
  private var emptyCount: Int
  /// Whether any stream has finished.
  private var isAnyDone: Bool

  init(count: Int) {
    self.init(Array(repeating: ValueRing(), count: count), isDone: Array(repeating: false, count: count))
  }

  private init(_ queues: [ValueRing], isDone: [Bool]) {
    self.queues = queues
    self.isDone = isDone
    emptyCount = queues.count(where: \.isEmpty)
    isAnyDone = isDone.contains(true)
  }

  var count: Int { queues.count }

  /// Whether all queues are empty and no stream has finished.
  var isIdle: Bool { emptyCount == queues.count && !isAnyDone }

  /// The streams that have not finished.
  var running: [Int] { isDone.indices.filter { !isDone[$0] } }

  /// Whether no more tuples are possible: a stream has finished and its queue is empty.
  var isExhausted: Bool { isAnyDone && zip(queues, isDone).contains { $0.isEmpty && $1 } }

  /// Whether no more tuples are possible after one that includes a new value of this stream.
  func isExhausted(withTupleOf stream: Int) -> Bool {
    isAnyDone && queues.indices.contains { isDone[$0] && ($0 == stream || queues[$0].count == 1) }
  }

  /// Whether a value of this stream completes a tuple.
  func isTuple(with stream: Int) -> Bool { emptyCount == 1 && queues[stream].isEmpty }

  /// Removes the first value of each queue, if this value completes a tuple.
  mutating func takeTuple(with value: Value, from stream: Int) -> [Value]? {
    guard isTuple(with: stream) else { return nil }
    return queues.indices.map { other in
      guard other != stream, let first = queues[other].popFirst() else { return value }
      if queues[other].isEmpty { emptyCount += 1 }
      return first
    }
  }

  mutating func append(_ value: Value, from stream: Int, limit: Int, owner: String) throws(StreamFailure) {
    guard queues[stream].count < limit else {
      throw StreamFailure(
        .limitExceeded, "'\(owner)' has reached its limit of \(limit) values that wait for the other streams",
        value: value)
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
    case queues, isDone
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let queues = try container.decode([ValueRing].self, forKey: .queues)
    let isDone = try container.decode([Bool].self, forKey: .isDone)
    guard queues.count == isDone.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .isDone, in: container, debugDescription: "the number of queues differs from the number of streams")
    }
    self.init(queues, isDone: isDone)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(queues, forKey: .queues)
    try container.encode(isDone, forKey: .isDone)
  }
}
