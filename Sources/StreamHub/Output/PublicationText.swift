internal import CEL
internal import StreamCore
internal import StreamSharing

/// Descriptions of publications for people.
enum PublicationText {
  /// The clients that a rollout selects, for example `20 % of the clients where client.build > 3`.
  static func clients(_ rollout: Rollout) -> String {
    let condition = rollout.condition.map { " where \($0.text)" } ?? ""
    return "\(rollout.percent) % of the clients\(condition)"
  }

  /// The values of parameters, for example `quiet=10, name="a"`; nothing if there are none.
  static func parameters(_ parameters: [String: Value]) -> String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(JSONWriter.compact($0.value))" }.joined(separator: ", ")
  }

  /// The values of parameters, and the remark of the publisher.
  static func remarks(_ publication: Publication) -> String {
    [parameters(publication.parameters), publication.notes ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The values that differ, a line each.
  static func differences(_ old: [String: Value], _ new: [String: Value]) -> [String] {
    func text(_ value: Value?) -> String { value.map { JSONWriter.compact($0) } ?? "the default" }
    return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { name in
      "changed  parameter \(name): \(text(old[name])) -> \(text(new[name]))"
    }
  }

  /// The state of a version.
  static func state(_ state: PublishedStream.State) -> String {
    switch state {
    case .stable: "stable"
    case .candidate(let rollout): clients(rollout)
    case .halted(let reason): "halted: \(reason)"
    case .earlier: ""
    }
  }

  /// The time of a publication, for example `2026-11-25 12:00`; nothing if it is not stated.
  static func time(_ publication: Publication) -> String {
    guard let seconds = publication.time else { return "" }
    let text = Timestamp(seconds: seconds).rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// Lines with aligned columns.
  static func table(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      let cells = row.enumerated().map { $1 + String(repeating: " ", count: widths[$0] - $1.count) }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
