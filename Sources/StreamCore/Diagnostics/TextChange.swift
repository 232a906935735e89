/// A range of bytes and its replacement.
package struct TextChange: Hashable, Sendable {
  /// Offset of the change.
  package var start: Int
  package var old: [UInt8]
  package var new: [UInt8]

  /// Creates the change from the first text to the second, without their common prefix and suffix.
  package init(from old: [UInt8], to new: [UInt8]) {
    let limit = min(old.count, new.count)
    var start = 0
    while start < limit, old[start] == new[start] { start += 1 }
    var tail = 0
    while tail < limit - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    self.start = start
    self.old = Array(old[start..<old.count - tail])
    self.new = Array(new[start..<new.count - tail])
  }

  /// The change that undoes this one.
  package var inverse: TextChange {
    var copy = self
    swap(&copy.old, &copy.new)
    return copy
  }

  /// Returns the text after the change.
  package func applied(to text: [UInt8]) -> [UInt8] {
    var text = text
    text.replaceSubrange(start..<start + old.count, with: new)
    return text
  }
}
