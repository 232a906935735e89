package import StreamCore

/// The results of a measurement, as text and JSON.
package struct MeasurementReport {
  let rounds: Int
  let figures: [Measurement.Figures]

  package init(rounds: Int, figures: [Measurement.Figures]) {
    self.rounds = rounds
    self.figures = figures
  }

  /// The figure that others are compared with: that of the first whole stream.
  private var base: Double { figures.first { $0.part == nil }?.median ?? 0 }

  // MARK: Text

  package var text: String {
    let header = ["", "ns/value", "least", "most", "ratio", "values in", "out", "compile ms"]
    let rows = figures.map { figure in
      [
        figure.part.map { "  \($0.counted("operator"))" } ?? figure.name, Self.short(figure.median),
        Self.short(figure.times.first ?? 0), Self.short(figure.times.last ?? 0),
        Self.fixed(base > 0 ? figure.median / base : 1, digits: 2), String(figure.tally.taken),
        String(figure.tally.published), Self.fixed(figure.compileMedian / 1e6, digits: 3),
      ]
    }
    let lines = Self.table([header] + rows)
    let notes = figures.compactMap(Self.note)
    return (lines + notes).map { $0 + "\n" }.joined()
  }

  /// Returns a note that explains the figures of a stream.
  private static func note(_ figure: Measurement.Figures) -> String? {
    guard figure.part == nil else { return nil }
    var parts: [String] = []
    if figure.tally.starts > 1 { parts.append("it ended, and was subscribed to \(figure.tally.starts) times per run") }
    if figure.isStopped {
      parts.append("a run was stopped after \(figure.tally.taken.counted("value")), by --budget")
    }
    if figure.tally.skipped > 0 { parts.append("\(figure.tally.skipped.counted("value")) skipped per run") }
    return parts.isEmpty ? nil : "note: \(figure.name): \(parts.joined(separator: "; "))"
  }

  /// Columns under each other: the first to the left, the others to the right.
  private static func table(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.reduce(0) { max($0, $1[column].count) } }
    return rows.map { row in
      row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }.joined(separator: "  ")
    }
  }

  /// Returns three significant digits, or all digits before the decimal point.
  private static func short(_ number: Double) -> String {
    fixed(number, digits: number < 10 ? 2 : number < 100 ? 1 : 0)
  }

  private static func fixed(_ number: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (number * scale).rounded()
    guard rounded.magnitude < 1e15 else { return String(number) }
    let digitsOfAll = String(Int64(rounded))
    guard digits > 0 else { return digitsOfAll }
    let padded = String(repeating: "0", count: max(0, digits + 1 - digitsOfAll.count)) + digitsOfAll
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }

  // MARK: JSON

  package var json: Value {
    ["rounds": .int(Int64(rounds)), "streams": .list(figures.map(json))]
  }

  private func json(_ figure: Measurement.Figures) -> Value {
    var pairs: [(Value, Value)] = [("name", .string(figure.name))]
    if let part = figure.part { pairs.append(("operators", .int(Int64(part)))) }
    pairs += [
      ("nanosecondsPerValue", .double(figure.median)),
      ("ratio", .double(base > 0 ? figure.median / base : 1)),
      ("rounds", .list(figure.times.map(Value.double))),
      ("valuesIn", .int(Int64(figure.tally.taken))),
      ("valuesOut", .int(Int64(figure.tally.published))),
      ("skipped", .int(Int64(figure.tally.skipped))),
      ("subscriptions", .int(Int64(figure.tally.starts))),
      ("compileNanoseconds", .double(figure.compileMedian)),
    ]
    return .map(ValueMap(pairs))
  }
}
