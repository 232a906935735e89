package import StreamCore
package import StreamEngine

/// Histories drawn below each other, aligned so that simultaneous events share a column.
///
/// Each line is a diagram that `Marbles` can parse; spaces align it to the columns and have no meaning. Columns before
/// time zero are empty unless `^` marks time zero.
package struct MarbleChart: Sendable {
  /// A line for each history, without trailing spaces.
  package let diagrams: [String]
  /// Duration of a symbol, the same in all diagrams.
  package let frame: Interval
  /// The values of the symbols, the same in all diagrams.
  package let legend: [MarbleRenderer.Drawing.Entry]
  /// The instants with events, in order.
  package let columns: [Column]

  /// An instant and its column in the lines.
  package struct Column: Hashable, Sendable {
    package let time: StreamTime
    /// Index of the column's first character in every line.
    package let start: Int
  }

  /// Maximum length of a frame in nanoseconds, unless all times are multiples of a longer one.
  private static let usualFrame: Int64 = 1_000_000
  /// Maximum number of frames of a silence drawn as dashes; a longer silence is written as a duration.
  private static let longestSilence: Int64 = 10

  /// - Parameters:
  ///   - histories: The histories, one for each line.
  ///   - names: Preassigned symbols of values; used unless a symbol would be parsed as another value.
  package init(_ histories: [History], naming names: [String: Value] = [:]) {
    let rows = histories.map { history in
      history.events.filter(\.event.isOfTheStream)
    }
    let isEarly = rows.contains { $0.contains { $0.time < .zero } }
    let times = Set(rows.joined().map(\.time.nanoseconds) + (isEarly ? [0] : [])).sorted()
    let frame = Self.frame(for: times)
    var symbols = MarbleSymbols(for: histories.flatMap(\.values), naming: names)
    var lines = rows.map { _ in Line() }
    var columns: [Column] = []
    var next = rows.map { _ in 0 }
    var cursor = min(0, times.first ?? 0)
    for time in times {
      let silence = Self.silence(time - cursor, frame: frame)
      // Nothing is drawn after the end of a line, unless time zero is still to come.
      let isBeforeZero = isEarly && time <= 0
      for row in lines.indices { lines[row].pass(silence, always: isBeforeZero) }
      columns.append(Column(time: StreamTime(nanoseconds: time), start: lines.first?.width ?? 0))
      for (row, events) in rows.enumerated() {
        let start = next[row]
        while next[row] < events.count, events[next[row]].time.nanoseconds == time { next[row] += 1 }
        let marks = events[start..<next[row]].map { symbols.mark(of: $0.event) }
        lines[row].add(
          (isEarly && time == 0 ? ["^"] : []) + marks, always: isBeforeZero)
        if case .value? = events[start..<next[row]].last?.event { continue }
        if start < next[row] { lines[row].isOver = true }
      }
      let width = lines.map(\.width).max() ?? 0
      for row in lines.indices { lines[row].fill(to: width) }
      cursor = (StreamTime(nanoseconds: time) + Interval(nanoseconds: frame)).nanoseconds
    }
    diagrams = lines.map(\.trimmed)
    self.frame = Interval(nanoseconds: frame)
    legend = symbols.legend
    self.columns = columns
  }

  /// A diagram that is being drawn.
  private struct Line {
    private var text = ""
    /// Number of characters. All of them are ASCII.
    private(set) var width = 0
    /// Whether the completion has been drawn.
    var isOver = false

    mutating func pass(_ silence: String, always: Bool) {
      append(isOver && !always ? String(repeating: " ", count: silence.utf8.count) : silence)
    }

    mutating func add(_ marks: [String], always: Bool) {
      switch marks.count {
      case 0: append(isOver && !always ? "" : "-")
      case 1: append(marks[0])
      default: append("[\(marks.joined())]")
      }
    }

    mutating func fill(to width: Int) { append(String(repeating: " ", count: width - self.width)) }

    private mutating func append(_ more: String) {
      text += more
      width += more.utf8.count
    }

    var trimmed: String {
      guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
      return String(text[...last])
    }
  }

  /// Returns the notation of a silence.
  static func silence(_ nanoseconds: Int64, frame: Int64) -> String {
    let (frames, rest) = nanoseconds.quotientAndRemainder(dividingBy: frame)
    if rest == 0, frames <= longestSilence { return String(repeating: "-", count: Int(frames)) }
    return " \(MarbleTime.text(of: Interval(nanoseconds: nanoseconds))) "
  }

  /// Returns a frame that is not longer than the shortest silence: the greatest common divisor of all times, or a power
  /// of ten if the shortest silence would have too many frames of that length.
  private static func frame(for times: [Int64]) -> Int64 {
    let divisor = times.reduce(0) { greatestCommonDivisor($0, $1) }
    guard divisor > 0 else { return usualFrame }
    let shortest = zip(times.dropFirst(), times).map { $0 - $1 }.min() ?? divisor
    if divisor >= usualFrame || divisor >= shortest / longestSilence { return divisor }
    var frame = usualFrame
    while frame > shortest { frame /= 10 }
    return frame
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first.magnitude, second.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return Int64(clamping: a)
  }
}

extension MarbleSymbols {
  /// Returns the symbol of an event; empty if it is not drawn.
  fileprivate mutating func mark(of event: ExecutionEvent) -> String {
    switch event {
    case .value(let value): symbol(of: value)
    case .finished: "|"
    case .failure: "#"
    case .skipped, .call, .noted: ""
    }
  }
}
