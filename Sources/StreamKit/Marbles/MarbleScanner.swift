internal import StreamCore
internal import StreamEngine

/// A mark in a marble diagram, with its time.
struct MarbleMark {
  enum Kind: Hashable {
    case value(String)
    case finished, failure, subscription, unsubscription
  }

  let kind: Kind
  /// Nanoseconds since the beginning of the diagram.
  let time: Int64
  /// The range of the mark in the diagram, in UTF-8.
  let range: Range<Int>

  func problem(_ message: String) -> Diagnostic { MarbleScanner.problem(message, at: range) }
}

/// Scans a diagram from left to right and computes times, for diagrams of values and of subscriptions.
struct MarbleScanner {
  private let scalars: [Unicode.Scalar]
  /// UTF-8 offset of each scalar, and of the end.
  private let offsets: [Int]
  private let frame: Int64
  private var place = 0
  private var time: Int64 = 0
  /// Whether the next mark would be later than the maximum time.
  private var isBeyondTime = false
  private var group: (opening: Unicode.Scalar, place: Int, marks: Int)?

  init(_ diagram: String, frame: Interval) {
    self.frame = frame.nanoseconds
    scalars = Array(diagram.unicodeScalars)
    var offset = 0
    var offsets: [Int] = []
    for scalar in scalars {
      offsets.append(offset)
      offset += UTF8.width(scalar)
    }
    self.offsets = offsets + [offset]
  }

  /// Returns the next mark; nil at the end.
  mutating func next() throws(Diagnostic) -> MarbleMark? {
    while place < scalars.count {
      switch scalars[place] {
      case " ", "\t", "\n", "\r":
        place += 1
      case "-":
        guard group == nil else { throw problem("a group cannot contain '-'") }
        place += 1
        pass(frames: 1)
      case "(", "[":
        guard group == nil else { throw problem("a group cannot contain another group") }
        group = (scalars[place], place, 0)
        place += 1
      case ")", "]": try closeGroup()
      case "|": return try mark(.finished, 1)
      case "#": return try mark(.failure, 1)
      case "^": return try mark(.subscription, 1)
      case "!": return try mark(.unsubscription, 1)
      case "'": return try quotedMark()
      default:
        guard group == nil, let span = timeSpan() else { return try bareMark() }
        pass(span.interval?.nanoseconds)
      }
    }
    if let group { throw problem("the group is not closed by '\(Self.closing(group.opening))'", at: group.place) }
    return nil
  }

  /// Consumes a mark of some number of scalars, which takes a frame outside a group.
  private mutating func mark(_ kind: MarbleMark.Kind, _ count: Int) throws(Diagnostic) -> MarbleMark {
    guard !isBeyondTime else {
      throw problem("this is more than 292 years after the start, which is the limit")
    }
    let mark = MarbleMark(kind: kind, time: time, range: offsets[place]..<offsets[place + count])
    place += count
    if group == nil { pass(frames: 1) } else { group?.marks += 1 }
    return mark
  }

  /// Consumes a value whose name is the next character.
  private mutating func bareMark() throws(Diagnostic) -> MarbleMark {
    // A character of several scalars is one symbol.
    var text = String.UnicodeScalarView()
    text.append(scalars[place])
    while place + text.count < scalars.count, !scalars[place + text.count].isASCII {
      var longer = text
      longer.append(scalars[place + text.count])
      guard String(longer).count == 1 else { break }
      text = longer
    }
    return try mark(.value(String(text)), text.count)
  }

  private mutating func quotedMark() throws(Diagnostic) -> MarbleMark {
    guard let end = scalars[(place + 1)...].firstIndex(of: "'") else {
      throw problem("the name is not closed by \"'\"")
    }
    let name = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
    return try mark(.value(name), end - place + 1)
  }

  private mutating func closeGroup() throws(Diagnostic) {
    guard let open = group, Self.closing(open.opening) == scalars[place] else {
      throw problem("'\(scalars[place])' has no matching opening bracket")
    }
    group = nil
    place += 1
    // RxJS counts the symbols of a group and its parentheses; a group in brackets takes one frame.
    pass(frames: open.opening == "(" ? Int64(open.marks) + 2 : 1)
  }

  /// Consumes a number with a unit, between spaces or edges of the diagram; nil if there is none.
  private mutating func timeSpan() -> MarbleTime? {
    // Most words between spaces are not durations: they are rejected without creating a string.
    guard ("0"..."9").contains(scalars[place]), place == 0 || Self.isSpace(scalars[place - 1]) else { return nil }
    let word = scalars[place...].prefix { !Self.isSpace($0) }
    guard let span = MarbleTime(String(String.UnicodeScalarView(word))) else { return nil }
    place += word.count
    return span
  }

  private mutating func pass(frames: Int64) {
    let (span, overflow) = frames.multipliedReportingOverflow(by: frame)
    pass(overflow ? nil : span)
  }

  private mutating func pass(_ nanoseconds: Int64?) {
    guard let nanoseconds, case (let sum, false) = time.addingReportingOverflow(nanoseconds) else {
      isBeyondTime = true
      return
    }
    time = sum
  }

  private static func closing(_ opening: Unicode.Scalar) -> Unicode.Scalar { opening == "(" ? ")" : "]" }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { " \t\r\n".unicodeScalars.contains(scalar) }

  private func problem(_ message: String, at place: Int? = nil) -> Diagnostic {
    let place = min(place ?? self.place, scalars.count)
    return Self.problem(message, at: offsets[place]..<offsets[min(place + 1, scalars.count)])
  }

  static func problem(_ message: String, at range: Range<Int>) -> Diagnostic {
    Diagnostic(
      .invalidMarbles, message, part: .text(range),
      help: "a diagram has the form -a-(bc)-'name'- 10ms -d| and ends with # instead of | for a failure")
  }
}
