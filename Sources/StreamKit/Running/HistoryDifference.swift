internal import StreamCore
internal import StreamEngine

/// The expected and the actual events as two aligned marble diagrams, with a mark under each column that differs.
struct HistoryDifference {
  let lines: [String]

  /// Number of events drawn before and after the first difference.
  private static let before = 8
  private static let behind = 12
  /// Characters of a value in the legend, and of a line of it.
  private static let longestValue = 120
  private static let longestLine = 80

  /// - Parameters:
  ///   - titles: The titles of both histories.
  ///   - first: Index of the first event that differs.
  ///   - isTimed: Whether times are compared; if not, the frame's duration is omitted.
  init(
    _ expected: [ExpectedEvent], _ actual: [History.Event], titles: HistoryTitles = .test, first: Int, isTimed: Bool
  ) {
    let window = max(0, first - Self.before)..<(first + Self.behind)
    // Matching events are drawn as the actual ones, so that both diagrams look the same: 1.0 where 1 was expected.
    let wanted = window.clamped(to: expected.indices).map { index in
      index < actual.count && expected[index].matches(actual[index]) ? actual[index] : expected[index].event
    }
    let found = window.clamped(to: actual.indices).map { actual[$0] }
    // If only the order is compared, missing events take no space.
    let skipped = isTimed ? 0 : Int64(window.lowerBound) * Marbles.defaultFrame.nanoseconds
    let chart = MarbleChart([wanted, found].map { events in History(events.map { $0.earlier(by: skipped) }) })
    let start = window.lowerBound > 0 ? "… " : ""
    let margin = titles.width + 2
    func line(_ title: String, _ diagram: String, isCut: Bool) -> String {
      var diagram = diagram
      // If times are not compared, there is no silence.
      while !isTimed, diagram.last == "-" { diagram.removeLast() }
      return title + "  " + start + diagram + (isCut ? " …" : "")
    }
    var lines = [
      line(titles.first, chart.diagrams[0], isCut: window.upperBound < expected.count),
      line(titles.second, chart.diagrams[1], isCut: window.upperBound < actual.count),
      String(repeating: " ", count: margin + start.count) + Self.signs(chart, wanted, found, skipped),
    ]
    if isTimed { lines.append("- = \(MarbleRenderer.text(of: chart.frame))") }
    self.lines = lines + Self.legend(of: chart) + Self.failures(wanted, found, titles)
  }

  /// Returns the legend of the symbols, with as many entries on a line as fit.
  private static func legend(of chart: MarbleChart) -> [String] {
    var lines: [String] = []
    for entry in chart.legend {
      let value = short(entry.value)
      guard value != entry.symbol else { continue }
      let text = "\(entry.symbol) = \(value)"
      if let last = lines.last, last.count + text.count + 3 <= longestLine {
        lines[lines.count - 1] = last + "   " + text
      } else {
        lines.append(text)
      }
    }
    return lines
  }

  /// A `^` under each column in which the diagrams differ.
  private static func signs(
    _ chart: MarbleChart, _ expected: [History.Event], _ actual: [History.Event], _ skipped: Int64
  ) -> String {
    var line = ""
    for column in chart.columns {
      let isAtTime = { (event: History.Event) in event.time.nanoseconds - skipped == column.time.nanoseconds }
      guard expected.filter(isAtTime) != actual.filter(isAtTime) else { continue }
      line += String(repeating: " ", count: column.start - line.count) + "^"
    }
    return line
  }

  /// Returns the failures that `#` represents.
  private static func failures(
    _ expected: [History.Event], _ actual: [History.Event], _ titles: HistoryTitles
  ) -> [String] {
    let texts = [expected, actual].map { events in
      events.lazy.compactMap { event in
        if case .failure(let failure) = event.event { short(failure.errorValue) } else { nil }
      }.first
    }
    switch (texts[0], texts[1]) {
    case (nil, nil): return []
    case (let wanted?, let found?) where wanted != found:
      return ["# \(titles.names.0) = \(wanted)", "# \(titles.names.1) = \(found)"]
    default: return (texts[0] ?? texts[1]).map { ["# = \($0)"] } ?? []
    }
  }

  private static func short(_ value: Value) -> String {
    let text = JSONWriter.beginning(of: value, bytes: 8 * longestValue)
    return text.count > longestValue ? text.prefix(longestValue) + "…" : text
  }
}

/// The titles of two histories, one above the other.
struct HistoryTitles {
  let names: (String, String)
  /// The description of the events before the first difference.
  let same: String

  /// The titles for the expectation of a test and the actual output.
  static let test = HistoryTitles(names: ("expected", "got"), same: "as expected")
  /// The titles for the output of two versions of a stream.
  static let versions = HistoryTitles(names: ("old", "new"), same: "the same")

  var width: Int { max(names.0.count, names.1.count) }
  var first: String { aligned(names.0) }
  var second: String { aligned(names.1) }

  private func aligned(_ name: String) -> String { String(repeating: " ", count: width - name.count) + name }
}

extension History.Event {
  fileprivate func earlier(by nanoseconds: Int64) -> History.Event {
    History.Event(StreamTime(nanoseconds: time.nanoseconds - nanoseconds), event)
  }
}
