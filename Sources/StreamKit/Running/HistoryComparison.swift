internal import CEL
internal import StreamCore
public import StreamRuntime

/// Compares what a stream said with what a script expects.
public struct HistoryComparison: Sendable {
  /// The differences, a line each; empty if there are none.
  public let differences: [String]

  public init(_ expected: EventScript, _ actual: History) {
    if case .values(let values) = expected.kind {
      differences = Self.compare(
        values.map { Line(time: nil, event: .value($0)) }, actual.values.map { Line(time: nil, event: .value($0)) })
    } else {
      differences = Self.compare(
        expected.history().events.map { Line(time: $0.time, event: $0.event) },
        actual.events.map { Line(time: $0.time, event: $0.event) })
    }
  }

  /// An event with its time, where time counts.
  private struct Line {
    let time: StreamTime?
    let event: ExecutionEvent

    var text: String {
      let what =
        switch event {
        case .value(let value): JSONWriter.compact(value)
        case .finished: "finished"
        case .failure(let failure): "failure " + JSONWriter.compact(failure.description)
        case .skipped(let failure): "skipped " + JSONWriter.compact(failure.description)
        case .call(let call): "call of \(call.function)"
        case .noted(let note): "note of \(note.name)"
        }
      return time.map { "at \(JSONWriter.compact(.seconds($0.seconds))): \(what)" } ?? what
    }

    func matches(_ actual: Line) -> Bool {
      guard time == actual.time else { return false }
      switch (event, actual.event) {
      case (.value(let expected), .value(let value)):
        return expected.isEqual(to: value) || expected.isEqual(to: value.asJSON) || expected == value
      case (.finished, .finished): return true
      case (.failure(let expected), .failure(let failure)):
        return Self.matches(expected.payload ?? .null, failure)
      default: return false
      }
    }

    /// An object is compared by the members that it names; anything else as a whole.
    private static func matches(_ expected: Value, _ failure: StreamFailure) -> Bool {
      let actual = failure.description
      guard case .map(let wanted) = expected, case .map(let found) = actual else {
        return expected.isEqual(to: actual)
      }
      return wanted.pairs.allSatisfy { key, value in found[key]?.isEqual(to: value) ?? false }
    }
  }

  private static func compare(_ expected: [Line], _ actual: [Line]) -> [String] {
    let length = max(expected.count, actual.count)
    guard
      let first = (0..<length).first(where: { index in
        guard index < expected.count, index < actual.count else { return true }
        return !expected[index].matches(actual[index])
      })
    else { return [] }
    var lines: [String] = []
    if first > 0 { lines.append("the first \(first == 1 ? "event is" : "\(first) events are") as expected, then:") }
    lines.append("expected " + (first < expected.count ? expected[first].text : "nothing more"))
    lines.append("     got " + (first < actual.count ? actual[first].text : "nothing more"))
    let rest = max(expected.count, actual.count) - first - 1
    if rest > 0 {
      lines.append("(expected \(expected.count) in all, got \(actual.count))")
    }
    return lines
  }
}

extension Value {
  /// What is read where this was written: JSON has no timestamps, durations and bytes, but texts for them.
  fileprivate var asJSON: Value {
    switch self {
    case .list(let elements): .list(elements.map(\.asJSON))
    case .map(let map): .map(ValueMap(shape: map.shape, slots: map.slots.map(\.asJSON)))
    case .timestamp, .duration, .bytes:
      (try? JSONDocument(reading: Array(JSONWriter.compact(self).utf8), file: "").value) ?? self
    default: self
    }
  }
}
