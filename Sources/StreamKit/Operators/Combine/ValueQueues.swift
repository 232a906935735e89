internal import StreamCore
internal import StreamRuntime

/// The values of several streams that wait for those of the others: what `zip` and `zipAll` keep.
struct ValueQueues: Codable, Sendable {
  private var queues: [ValueRing]
  private var isDone: [Bool]

  init(count: Int) {
    queues = Array(repeating: ValueRing(), count: count)
    isDone = Array(repeating: false, count: count)
  }

  var count: Int { queues.count }

  /// The streams that have not finished.
  var running: [Int] { isDone.indices.filter { !isDone[$0] } }

  /// Whether no more tuples can be made: a stream has finished and none of its values is waiting.
  var isExhausted: Bool {
    for (queue, isDone) in zip(queues, isDone) where isDone && queue.isEmpty { return true }
    return false
  }

  /// Whether with a value of this stream there is one of each.
  func isTuple(with stream: Int) -> Bool {
    for other in queues.indices where queues[other].isEmpty != (other == stream) { return false }
    return true
  }

  /// The first value of every stream, if with this one there is one of each.
  func tuple(with value: Value, from stream: Int) -> [Value]? {
    guard isTuple(with: stream) else { return nil }
    return queues.indices.map { $0 == stream ? value : queues[$0].first ?? .null }
  }

  /// Puts the first value of every stream but one in its place.
  func fill(_ run: TupleRun, apartFrom stream: Int) {
    for other in queues.indices where other != stream {
      if let first = queues[other].first { run.put(first, at: other) }
    }
  }

  /// Takes the values of a tuple off, which was made with one from this stream.
  mutating func removeTuple(from stream: Int) {
    for other in queues.indices where other != stream { queues[other].removeFirst() }
  }

  mutating func append(_ value: Value, from stream: Int, limit: Int, owner: String) throws(StreamFailure) {
    guard queues[stream].count < limit else {
      throw StreamFailure(
        .limitExceeded, "'\(owner)' has its limit of \(limit) values that wait for the other streams", value: value)
    }
    queues[stream].append(value)
  }

  mutating func finish(_ stream: Int) { isDone[stream] = true }
}
