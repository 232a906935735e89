package import StreamCore

/// The status of a run at two moments: its figures, and the rates between them.
package struct RunStatus {
  private let value: Value

  /// - Parameter earlier: The status before it; nil for the first one, which has no rates.
  package init(_ status: Value, since earlier: Value?) {
    let seconds = earlier.flatMap { earlier -> Double? in
      guard let before = earlier.member("uptime")?.double, let now = status.member("uptime")?.double, now > before
      else { return nil }
      return now - before
    }
    guard case .map(let members) = status else {
      value = status
      return
    }
    value = .map(
      ValueMap(
        members.pairs.map { key, value in
          guard case .list(let list) = value, let name = key.text, ["inputs", "outputs", "operators"].contains(name)
          else {
            return (key, value)
          }
          let before = earlier?.member(name)
          return (key, .list(list.elements.map { Self.adding(rateOf: $0, before, seconds) }))
        }))
  }

  /// Returns an input, output or operator with its rate, in values per second; null if it is unknown.
  private static func adding(rateOf part: Value, _ earlier: Value?, _ seconds: Double?) -> Value {
    guard case .map(let members) = part else { return part }
    var rate = Value.null
    if let seconds, case .list(let parts)? = earlier, let now = part.member("values")?.double,
      let before = parts.elements.first(where: { isSame($0, part) })?.member("values")?.double, now >= before
    {
      rate = .double(((now - before) / seconds * 10).rounded() / 10)
    }
    return .map(ValueMap(members.pairs.map { ($0, $1) } + [(.string("rate"), rate)]))
  }

  private static func isSame(_ first: Value, _ second: Value) -> Bool {
    first.member("pointer") == second.member("pointer") && first.member("name") == second.member("name")
  }

  /// The status with its rates, as one line of JSON.
  package var json: String { JSONWriter.compact(value) }

  // MARK: For people

  /// The status as lines of text.
  package var lines: [String] {
    var head = "\(text("stream"))  process \(text("process"))  up \(duration("uptime"))"
    if let memory = value.member("memory")?.double { head += "  memory \(Self.size(memory))" }
    head += "  timers \(text("timers"))"
    var lines = [head]
    var facts: [String] = []
    if value.member("lag")?.double != nil { facts.append("event time \(text("eventTime")), \(duration("lag")) ago") }
    for (name, noun) in [
      ("skippedLines", "lines skipped"), ("skippedValues", "values skipped"), ("lateValues", "values late"),
      ("heldValues", "values held for lateness"), ("calls", "calls"), ("callsWaiting", "calls waiting"),
    ] {
      if let count = value.member(name)?.double, count > 0 { facts.append("\(text(name)) \(noun)") }
    }
    if !facts.isEmpty { lines.append(facts.joined(separator: ", ")) }
    if let saved = value.member("savedState"), saved != .null, let age = saved.member("age")?.double {
      let failed = saved.member("failedCount")?.double ?? 0
      lines.append(
        "state saved \(Self.duration(age)) ago, \(Self.size(saved.member("bytes")?.double ?? 0))"
          + (failed > 0 ? ", \(Int(failed).counted("save")) failed" : ""))
    }
    lines.append("")
    lines += table(
      ["INPUT", "VALUES", "PER SECOND", "BEHIND"],
      parts("inputs").map { [$0.text("name"), $0.count("values"), $0.count("rate"), $0.size("bytesBehind")] })
    lines.append("")
    lines += table(
      ["OUTPUT", "VALUES", "PER SECOND"],
      parts("outputs").map { [$0.text("name"), $0.count("values"), $0.count("rate")] })
    lines.append("")
    let dropped = parts("dropped")
    lines += table(
      ["OPERATOR", "PLACE", "VALUES", "PER SECOND", "STREAMS", "HELD", "MEMORY", "TIMERS"],
      parts("operators").map { part in
        [
          part.name, part.text("pointer"), part.count("values"), part.count("rate"),
          part.estimate("streams") + part.count("streams"), part.estimate("held") + part.count("held"),
          part.estimate("bytes") + part.size("bytes"), part.estimate("timers") + part.count("timers"),
        ]
      })
    for part in dropped {
      lines.append("'\(part.text("operator"))' dropped \(part.count("values")) values (\(part.text("reason")))")
    }
    return lines
  }

  private func parts(_ name: String) -> [Part] {
    guard case .list(let list)? = value.member(name) else { return [] }
    return list.elements.map(Part.init)
  }

  private func text(_ name: String) -> String { Part(value: value).text(name) }
  private func duration(_ name: String) -> String { Self.duration(value.member(name)?.double ?? 0) }

  /// Aligns columns: the first to the left, and those of numbers to the right.
  private func table(_ head: [String], _ rows: [[String]]) -> [String] {
    let all = [head] + rows
    let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 || head[column] == "PLACE" ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  private struct Part {
    let value: Value

    func text(_ name: String) -> String {
      switch value.member(name) {
      case .string(let text)?: text
      case nil, .null?: "-"
      case let other?: JSONWriter.compact(other)
      }
    }

    var name: String {
      let id = text("id")
      return id == "-" ? text("name") : "\(id) (\(text("name")))"
    }

    /// The sign before a number that is extrapolated.
    func estimate(_ name: String) -> String {
      value.member("estimated") == true && value.member(name)?.double ?? 0 > 1 ? "≈" : ""
    }

    func count(_ name: String) -> String {
      guard let number = value.member(name)?.double else { return "-" }
      return RunStatus.count(number)
    }

    func size(_ name: String) -> String {
      guard let number = value.member(name)?.double else { return "-" }
      return RunStatus.size(number)
    }
  }

  /// A number with separators between thousands.
  private static func count(_ number: Double) -> String {
    guard number < 1e15 else { return "\(number)" }
    if number < 100, number != number.rounded() { return "\((number * 10).rounded() / 10)" }
    var digits = String(Int(number.rounded()))
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  private static func size(_ bytes: Double) -> String {
    var (number, unit) = (bytes, "B")
    for next in ["kB", "MB", "GB", "TB"] where number >= 1000 { (number, unit) = (number / 1000, next) }
    return unit == "B" || number >= 100 ? "\(Int(number.rounded())) \(unit)" : "\((number * 10).rounded() / 10) \(unit)"
  }

  private static func duration(_ seconds: Double) -> String {
    if seconds < 60 { return "\((seconds * 10).rounded() / 10) s" }
    let whole = Int(min(seconds, 1e15))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(whole / 3600 % 24)):\(two(whole / 60 % 60)):\(two(whole % 60))"
    return whole < 86_400 ? clock : "\(whole / 86_400) d \(clock)"
  }
}
