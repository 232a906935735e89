internal import DequeModule
internal import StreamCore

/// Values that wait in a row, each with a tag. Numbers of one type wait without their boxes.
struct TaggedValues<Tag: Sendable>: Sendable {
  private struct Entry: Sendable {
    let tag: Tag
    /// Of a number; 0 of what is in `boxes`.
    let bits: Int64
  }

  private enum Form { case ints, doubles, boxes }

  private var entries: Deque<Entry> = []
  /// What all of them are.
  private var form = Form.ints
  /// The values of all of them, where they are of several types, or no numbers.
  private var boxes: Deque<Value> = []

  var count: Int { entries.count }

  var isEmpty: Bool { entries.isEmpty }

  /// The tag of the first.
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

  /// All, from the first to the last.
  var all: [(tag: Tag, value: Value)] {
    if form == .boxes { return zip(entries, boxes).map { ($0.tag, $1) } }
    return entries.map { ($0.tag, boxed($0.bits)) }
  }

  /// What stands for a value, in the form that they have then.
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

  /// Takes the form in which a value of another type can wait; gives its bits, if it has any there.
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
