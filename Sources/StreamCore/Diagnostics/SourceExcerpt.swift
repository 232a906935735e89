/// The part of a source line shown with a diagnostic, and the carets below it.
package struct SourceExcerpt {
  /// The line, or a window of it; characters that a terminal would interpret rather than show are replaced.
  private(set) var line = ""
  /// White space as wide as the text before the location; tabs stay tabs.
  private(set) var indent = ""
  /// Number of carets: the width of the location on this line, at least one.
  private(set) var caretCount = 0

  /// Creates the excerpt of a location, at most about `width` columns wide.
  init(_ source: SourceText, _ location: Diagnostic.Location, width: Int) {
    let whole = source.byteRange(ofLine: location.line)
    // NB: A line may be a whole large file, so only the bytes that can be shown are read: four for each column.
    let width = max(width, 20)
    var start = max(whole.lowerBound, min(location.bytes.lowerBound, whole.upperBound) - 4 * width)
    while start > whole.lowerBound, start < whole.upperBound, source.bytes[start] & 0xC0 == 0x80 { start += 1 }
    let bytes = start..<max(start, min(whole.upperBound, start + 12 * width))
    let scalars = UTF8Sequence.scalars(of: source.bytes, in: bytes)
    let first = scalars.firstIndex { $0.offset >= location.bytes.lowerBound } ?? scalars.count
    let last = scalars[first...].firstIndex { $0.offset >= location.bytes.upperBound } ?? scalars.count
    let window = Self.window(around: first..<last, in: scalars.count, width: width)
    if window.lowerBound > 0 || bytes.lowerBound > whole.lowerBound {
      line += "…"
      indent += " "
    }
    for place in window {
      let scalar = VisibleText.visible(scalars[place].scalar)
      line.unicodeScalars.append(scalar)
      if place < first {
        indent += scalar == "\t" ? "\t" : String(repeating: " ", count: Self.columns(scalar))
      } else if place < last {
        caretCount += Self.columns(scalar)
      }
    }
    if window.upperBound < scalars.count || bytes.upperBound < whole.upperBound { line += "…" }
    caretCount = max(caretCount, 1)
  }

  /// Returns the part of a line of `count` scalars to show: all of it, or the place after a third of the width.
  private static func window(around place: Range<Int>, in count: Int, width: Int) -> Range<Int> {
    guard count > width else { return 0..<count }
    var start = 0
    if place.upperBound > width - 10 {
      start = max(0, place.lowerBound - width / 3)
      // A place that fits is shown to its end.
      if place.count < width - 10 { start = max(start, place.upperBound + 10 - width) }
    }
    start = min(start, count - width)
    return start..<start + width
  }

  /// Returns the number of columns a terminal uses for a scalar.
  package static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
