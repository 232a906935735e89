internal import DequeModule
internal import StreamCore

/// A queue of tagged values. Numbers of one type are stored without boxes.
struct TaggedValues<Tag: Sendable>: Sendable {
  private struct Entry: Sendable {
    let tag: Tag
    /// The bits of a number; 0 for a value in `boxes`.
    let bits: Int64
  }

  private enum Form { case ints, doubles, boxes }

  private var entries: Deque<Entry> = []
  /// The storage form of all values.
  private var form = Form.ints
  /// All values, if their types differ or they are not numbers.
  private var boxes: Deque<Value> = []

  var count: Int { entries.count }

  var isEmpty: Bool { entries.isEmpty }

  /// The tag of the first value.
  var first: Tag? { entries.first?.tag }

  mutating func append(_ value: Value, _ tag: Tag) {
    let entry = entry(for: value, tag)
    entries.append(entry)
    if form == .boxes { boxes.append(value) }
  }

  mutating func prepend(_ value: Value, _ tag: Tag) {
    let entry = entry(for: value, tag)
    entries.prepend(entry)
    if form == .boxes { boxes.prepend(value) }
  }

  mutating func popFirst() -> Value? {
    guard let entry = entries.popFirst() else { return nil }
    return form == .boxes ? boxes.popFirst() : boxed(entry.bits)
  }

  /// All values, first to last.
  var all: [(tag: Tag, value: Value)] {
    if form == .boxes { return zip(entries, boxes).map { ($0.tag, $1) } }
    return entries.map { ($0.tag, boxed($0.bits)) }
  }

  /// The entry for a value; changes the storage form if necessary.
  @inline(__always)
  private mutating func entry(for value: Value, _ tag: Tag) -> Entry {
    Entry(tag: tag, bits: bits(of: value) ?? change(for: value) ?? 0)
  }

  @inline(__always)
  private func bits(of value: Value) -> Int64? {
    if form == .ints, case .int(let number) = value { return number }
    if form == .doubles, case .double(let number) = value { return Int64(bitPattern: number.bitPattern) }
    return nil
  }

  /// Changes to a storage form that can hold the value; returns its bits there, if any.
  @inline(never)
  private mutating func change(for value: Value) -> Int64? {
    if entries.isEmpty {
      form =
        switch value {
        case .int: .ints
        case .double: .doubles
        default: .boxes
        }
    } else if form != .boxes {
      boxes = Deque(entries.map { boxed($0.bits) })
      form = .boxes
    }
    return bits(of: value)
  }

  private func boxed(_ bits: Int64) -> Value {
    form == .doubles ? .double(Double(bitPattern: UInt64(bitPattern: bits))) : .int(bits)
  }
}
