internal import DequeModule
internal import StreamCore

/// Values that wait in a row. Numbers of one type wait without their boxes.
struct ValueRing: Sendable {
  private var bits: Deque<Int64> = []
  /// Whether what is in `bits` are doubles.
  private var areDoubles = false
  /// All that wait, where they are of several types, or no numbers.
  private var others: Deque<Value> = []

  var isEmpty: Bool { bits.isEmpty && others.isEmpty }

  var count: Int { bits.count + others.count }

  mutating func append(_ value: Value) {
    if others.isEmpty {
      if case .int(let number) = value, bits.isEmpty || !areDoubles {
        areDoubles = false
        return bits.append(number)
      }
      if case .double(let number) = value, bits.isEmpty || areDoubles {
        areDoubles = true
        return bits.append(Int64(bitPattern: number.bitPattern))
      }
      others = Deque(bits.lazy.map(boxed))
      bits = []
    }
    others.append(value)
  }

  /// Puts a value before all others.
  mutating func prepend(_ value: Value) {
    var before = ValueRing()
    before.append(value)
    if before.bits.isEmpty || before.areDoubles != areDoubles || !others.isEmpty {
      if others.isEmpty { others = Deque(bits.lazy.map(boxed)) }
      bits = []
      others.prepend(value)
    } else if let first = before.bits.first {
      bits.prepend(first)
    }
  }

  mutating func popFirst() -> Value? {
    if let first = bits.popFirst() { return boxed(first) }
    return others.popFirst()
  }

  private func boxed(_ bits: Int64) -> Value {
    areDoubles ? .double(Double(bitPattern: UInt64(bitPattern: bits))) : .int(bits)
  }
}

extension ValueRing: Codable {
  init(from decoder: any Decoder) throws {
    for value in try Deque<Value>(from: decoder) { append(value) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for number in bits { try container.encode(boxed(number)) }
    for value in others { try container.encode(value) }
  }
}
