@_spi(Engine) package import StreamCore

/// Writes and reads values that keep their types: those of a recording, and the results that `then` of a partition
/// receives on another machine.
///
/// Most values are what their JSON reads as. The others, such as timestamps, are written in the tagged form of snapshots.
package struct RecordedValues {
  private let records = JSONRecordWriter()
  /// The shape of the latest object whose keys are plain.
  private var shape: Shape?

  /// Number of levels that are checked before the tagged form is used.
  private static let levels = 32

  package init() {}

  /// Appends a value as JSON from which `read` returns it.
  package mutating func append(_ value: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    records.append(isPlain(value) ? value : try value.taggedForJSON, to: &bytes)
  }

  /// Returns the value that was written.
  package mutating func read(_ value: Value) throws(Diagnostic) -> Value {
    isPlain(value) ? value : try Value(taggedForJSON: value)
  }

  private mutating func isPlain(_ value: Value, _ levels: Int = Self.levels) -> Bool {
    switch value {
    case .null, .bool, .int, .string: return true
    case .double(let number): return number.isFinite
    case .uint, .bytes, .timestamp, .duration, .opaque: return false
    case .list(let items):
      guard levels > 0 else { return false }
      for item in items where !isPlain(item, levels - 1) { return false }
      return true
    case .map(let map):
      guard levels > 0, hasPlainKeys(map.shape) else { return false }
      for slot in map.slots where !isPlain(slot, levels - 1) { return false }
      return true
    }
  }

  /// Whether the keys are strings, and not the single key of a tagged value.
  private mutating func hasPlainKeys(_ shape: Shape) -> Bool {
    if shape === self.shape { return true }
    for key in shape.keys {
      guard case .string(let name) = key else { return false }
      if shape.count == 1, name.utf8.first == UInt8(ascii: "$") { return false }
    }
    self.shape = shape
    return true
  }
}
