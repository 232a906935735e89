/// The differences between two texts by lines, in the format of `diff -u`.
struct UnifiedDiff {
  /// Lines around a change that have not changed.
  private static let context = 3

  private enum Mark: Character {
    case kept = " "
    case removed = "-"
    case added = "+"
  }

  private let lines: [(mark: Mark, text: Substring)]

  /// Creates the differences from the first text to the second.
  init(_ old: String, _ new: String) {
    let old = Self.lines(of: old)
    let new = Self.lines(of: new)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    // NB: by bytes, since texts that look alike are equal as strings.
    for change in new.difference(from: old, by: { $0.utf8.elementsEqual($1.utf8) }) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [(Mark, Substring)] = []
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      if removed.contains(first) {
        lines.append((.removed, old[first]))
        first += 1
      } else if added.contains(second) {
        lines.append((.added, new[second]))
        second += 1
      } else {
        lines.append((.kept, new[second]))
        first += 1
        second += 1
      }
    }
    self.lines = lines
  }

  /// Returns the differences as text; empty if there are none.
  ///
  /// - Parameters:
  ///   - old: The name of the first text.
  ///   - new: The name of the second text.
  func text(old: String, new: String) -> String {
    let hunks = hunks()
    if hunks.isEmpty { return "" }
    var text = "--- \(old)\n+++ \(new)\n"
    var numbers = (old: 1, new: 1)
    var place = 0
    for hunk in hunks {
      advance(&numbers, over: place..<hunk.lowerBound)
      let start = numbers
      advance(&numbers, over: hunk)
      place = hunk.upperBound
      text += "@@ -\(Self.range(start.old, numbers.old)) +\(Self.range(start.new, numbers.new)) @@\n"
      for line in lines[hunk] {
        text.append(line.mark.rawValue)
        text += line.text
        if line.text.utf8.last != 0x0A { text += "\n\\ No newline at end of file\n" }
      }
    }
    return text
  }

  /// The changes with the lines around them; those that touch are one.
  private func hunks() -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (place, line) in lines.enumerated() where line.mark != .kept {
      let range = max(0, place - Self.context)..<min(lines.count, place + Self.context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private func advance(_ numbers: inout (old: Int, new: Int), over range: Range<Int>) {
    for line in lines[range] {
      if line.mark != .added { numbers.old += 1 }
      if line.mark != .removed { numbers.new += 1 }
    }
  }

  /// Returns the first line and the count; an empty range is given by the preceding line.
  private static func range(_ start: Int, _ end: Int) -> String {
    switch end - start {
    case 0: "\(start - 1),0"
    case 1: "\(start)"
    case let count: "\(start),\(count)"
    }
  }

  /// The lines, each with its line break.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.utf8.startIndex
    while start < text.utf8.endIndex {
      let end = text.utf8[start...].firstIndex(of: 0x0A).map { text.utf8.index(after: $0) } ?? text.utf8.endIndex
      lines.append(text[start..<end])
      start = end
    }
    return lines
  }
}
