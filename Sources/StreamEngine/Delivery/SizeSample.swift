@_spi(Engine) internal import StreamCore

/// The estimated size of values and states in memory.
///
/// Some elements of a long collection are measured, and their size is extrapolated.
struct SizeSample {
  private(set) var bytes = 0.0
  /// Number of values.
  private(set) var values = 0.0
  /// Whether a collection was measured in part.
  private(set) var isEstimate = false
  private let isTimeUp: () -> Bool

  /// Size of an object without its content.
  private static let objectBytes = 32.0
  /// Maximum number of elements of a collection that are measured; in a nested one it is smaller.
  static let elementLimit = 256
  /// Maximum depth of a value, and of a state.
  private static let depthLimit = (value: 64, state: 10)

  init(isTimeUp: @escaping () -> Bool) { self.isTimeUp = isTimeUp }

  mutating func add(_ value: Value) { add(value, limit: Self.elementLimit, depth: 0) }

  private mutating func add(_ value: Value, limit: Int, depth: Int) {
    values += 1
    bytes += Double(MemoryLayout<Value>.stride)
    switch value {
    case .string(let text): if text.utf8.count > 15 { bytes += Self.objectBytes + Double(text.utf8.count) }
    case .bytes(let content): bytes += Self.objectBytes + Double(content.count)
    case .list(let list):
      bytes += Self.objectBytes
      let elements = list.elements
      addElements(elements.count, limit, depth) { $0.add(elements[$1], limit: $2, depth: depth + 1) }
    case .map(let map):
      bytes += Self.objectBytes
      let slots = map.slots
      addElements(slots.count, limit, depth) { $0.add(slots[$1], limit: $2, depth: depth + 1) }
    default: break
    }
  }

  private mutating func addElements(
    _ count: Int, _ limit: Int, _ depth: Int, _ add: (inout SizeSample, Int, Int) -> Void
  ) {
    guard count > 0, depth < Self.depthLimit.value else { return }
    let measured = min(count, max(1, limit))
    addPart(of: count) { sample in
      var number = 0
      while number < measured, number == 0 || !sample.isTimeUp() {
        add(&sample, number * count / measured, limit / measured)
        number += 1
      }
      return number
    }
  }

  /// Adds the size of a collection.
  ///
  /// - Parameter measure: Measures some elements, and returns their number.
  private mutating func addPart(of count: Int, _ measure: (inout SizeSample) -> Int) {
    var part = SizeSample(isTimeUp: isTimeUp)
    let measured = measure(&part)
    guard measured > 0 else { return }
    let factor = Double(count) / Double(measured)
    bytes += part.bytes * factor
    values += part.values * factor
    if measured < count || part.isEstimate { isEstimate = true }
  }

  // MARK: States

  /// Adds the state of a machine, whose fields and elements are read by reflection: encoding it would take a time that
  /// grows with its size.
  mutating func add(state: Any) { add(state: state, limit: Self.elementLimit, depth: 0) }

  private mutating func add(state: Any, limit: Int, depth: Int) {
    if let value = state as? Value { return add(value, limit: limit, depth: depth) }
    if let text = state as? String { return add(.string(text), limit: limit, depth: depth) }
    let mirror = Mirror(reflecting: state)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary: addElements(of: mirror, limit, depth)
    case nil where mirror.children.isEmpty:
      // A number.
      values += 1
      bytes += 8
    default:
      guard depth < Self.depthLimit.state else { return }
      for child in mirror.children { add(state: child.value, limit: limit, depth: depth + 1) }
    }
  }

  private mutating func addElements(of mirror: Mirror, _ limit: Int, _ depth: Int) {
    let (elements, count) = (mirror.children, mirror.children.count)
    bytes += Self.objectBytes
    guard count > 0, depth < Self.depthLimit.state else { return }
    let measured = min(count, max(1, limit))
    // The order of sets and dictionaries is random.
    let stride = mirror.displayStyle == .collection ? count / measured : 1
    addPart(of: count) { sample in
      var (number, place) = (0, elements.startIndex)
      while number < measured, number == 0 || !sample.isTimeUp() {
        if number > 0 { place = elements.index(place, offsetBy: stride) }
        sample.add(state: elements[place].value, limit: limit / measured, depth: depth + 1)
        number += 1
      }
      return number
    }
  }
}
