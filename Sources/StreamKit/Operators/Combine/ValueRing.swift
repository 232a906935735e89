internal import DequeModule
internal import StreamCore

/// Values that wait in a row. The first waits by itself: where streams take turns there is no other.
struct ValueRing: Sendable {
  private var first = Value.null
  private(set) var count = 0
  private var others = Others()

  var isEmpty: Bool { count == 0 }

  mutating func append(_ value: Value) {
    if count == 0 { first = value } else { others.append(value) }
    count += 1
  }

  /// Puts a value before all others.
  mutating func prepend(_ value: Value) {
    if count > 0 { others.prepend(first) }
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

  /// All, from the first to the last.
  var all: [Value] { count > 0 ? [first] + others.all : [] }
}

/// Those behind the first. Numbers of one type wait without their boxes.
private struct Others: Sendable {
  private var bits: Deque<Int64> = []
  /// Whether what is in `bits` are doubles.
  private var areDoubles = false
  /// All that wait, where they are of several types, or no numbers.
  private var boxes: Deque<Value> = []

  mutating func append(_ value: Value) {
    if boxes.isEmpty {
      if case .int(let number) = value, bits.isEmpty || !areDoubles {
        areDoubles = false
        return bits.append(number)
      }
      if case .double(let number) = value, bits.isEmpty || areDoubles {
        areDoubles = true
        return bits.append(Int64(bitPattern: number.bitPattern))
      }
    }
    useBoxes()
    boxes.append(value)
  }

  mutating func prepend(_ value: Value) {
    switch value {
    case .int(let number) where boxes.isEmpty && !areDoubles: bits.prepend(number)
    case .double(let number) where boxes.isEmpty && areDoubles: bits.prepend(Int64(bitPattern: number.bitPattern))
    default:
      useBoxes()
      boxes.prepend(value)
    }
  }

  mutating func popFirst() -> Value? { bits.popFirst().map(boxed) ?? boxes.popFirst() }

  private mutating func useBoxes() {
    guard !bits.isEmpty else { return }
    boxes = Deque(bits.lazy.map(boxed))
    bits = []
  }

  private func boxed(_ bits: Int64) -> Value {
    areDoubles ? .double(Double(bitPattern: UInt64(bitPattern: bits))) : .int(bits)
  }

  /// All, from the first to the last.
  var all: [Value] { bits.map(boxed) + boxes }
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
