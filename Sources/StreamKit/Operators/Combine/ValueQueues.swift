internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// The values of several streams that wait for those of the others: what `zip` and `zipAll` keep.
struct ValueQueues: Codable, Sendable {
  private var queues: [Deque<Value>]
  private var isDone: [Bool]

  init(count: Int) {
    queues = Array(repeating: [], count: count)
    isDone = Array(repeating: false, count: count)
  }

  var count: Int { queues.count }

  /// The streams that have not finished.
  var running: [Int] { isDone.indices.filter { !isDone[$0] } }

  /// Whether no more tuples can be made: a stream has finished and none of its values is waiting.
  var isExhausted: Bool { queues.indices.contains { isDone[$0] && queues[$0].isEmpty } }

  /// The first value of every stream, if with this one there is one of each.
  func tuple(with value: Value, from stream: Int) -> [Value]? {
    guard queues[stream].isEmpty else { return nil }
    var values: [Value] = []
    values.reserveCapacity(queues.count)
    for other in queues.indices {
      guard let first = other == stream ? value : queues[other].first else { return nil }
      values.append(first)
    }
    return values
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
