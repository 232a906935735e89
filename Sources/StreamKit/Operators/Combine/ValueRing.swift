internal import DequeModule
internal import StreamCore

/// A queue of values that stores its first element inline: streams that alternate never need a buffer.
struct ValueRing: Sendable {
  private var first = Value.null
  private(set) var count = 0
  private var others = TaggedValues<Void>()

  var isEmpty: Bool { count == 0 }

  mutating func append(_ value: Value) {
    if count == 0 { first = value } else { others.append(value, ()) }
    count += 1
  }

  /// Inserts a value at the front.
  mutating func prepend(_ value: Value) {
    if count > 0 { others.prepend(first, ()) }
    first = value
    count += 1
  }

  mutating func popFirst() -> Value? {
    guard count > 0 else { return nil }
    count -= 1
    var value = count == 0 ? Value.null : others.popFirst() ?? .null
    swap(&value, &first)
    return value
  }

  /// All values, first to last.
  var all: [Value] { count > 0 ? [first] + others.all.map(\.value) : [] }
}

extension ValueRing: Codable {
  init(from decoder: any Decoder) throws {
    for value in try Deque<Value>(from: decoder) { append(value) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for value in all { try container.encode(value) }
  }
}
