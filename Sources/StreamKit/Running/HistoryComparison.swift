internal import CEL
internal import StreamCore
public import StreamRuntime

/// Compares the output of a stream with the expectation of a test.
public struct HistoryComparison: Sendable {
  /// The differences, one per line; empty if there are none. Two diagrams, one above the other, and a description of
  /// the first difference.
  public let differences: [String]

  public init(_ expected: EventScript, _ actual: History) {
    let isTimed: Bool
    let wanted: [ExpectedEvent]
    let found: [TimedEvent]
    if case .values(let values) = expected.kind {
      // Only the order is compared: the n-th value is at the n-th frame.
      isTimed = false
      wanted = Self.numbered(values).map { ExpectedEvent(event: $0) }
      found = Self.numbered(actual.values)
    } else {
      isTimed = true
      wanted = expected.history().events.map { ExpectedEvent(event: $0) }
      // A value that was left out is no part of what the stream says.
      found = actual.ofTheStream.events
    }
    self.init(wanted, found, titles: .test, isTimed: isTimed)
  }

  /// Compares the outputs of two versions of a stream.
  public init(old: History, new: History) {
    let wanted = old.ofTheStream.events.map { ExpectedEvent(event: $0, isWhole: true) }
    self.init(wanted, new.ofTheStream.events, titles: .versions, isTimed: true)
  }

  private init(_ wanted: [ExpectedEvent], _ found: [TimedEvent], titles: HistoryTitles, isTimed: Bool) {
    let count = max(wanted.count, found.count)
    let difference = (0..<count).first { index in
      guard index < wanted.count, index < found.count else { return true }
      return !wanted[index].matches(found[index])
    }
    guard let difference else {
      differences = []
      return
    }
    differences =
      HistoryDifference(wanted, found, titles: titles, first: difference, isTimed: isTimed).lines
      + Self.words(wanted.map(\.event), found, titles: titles, first: difference, isTimed: isTimed)
  }

  private static func numbered(_ values: [Value]) -> [TimedEvent] {
    values.enumerated().map { index, value in
      TimedEvent(StreamTime(nanoseconds: Int64(index) * Marbles.defaultFrame.nanoseconds), .value(value))
    }
  }

  /// The first difference in words.
  private static func words(
    _ expected: [TimedEvent], _ actual: [TimedEvent], titles: HistoryTitles, first: Int, isTimed: Bool
  ) -> [String] {
    func text(_ events: [TimedEvent]) -> String {
      guard first < events.count else { return "nothing more" }
      let what =
        switch events[first].event {
        case .value(let value): Self.text(of: value)
        case .finished: "finished"
        case .failure(let failure), .skipped(let failure): "failure " + Self.text(of: failure.description)
        case .call(let call): "call of \(call.function)"
        case .noted(let note): "note of \(note.name)"
        }
      return isTimed ? "at \(JSONWriter.compact(.seconds(events[first].time.seconds))): \(what)" : what
    }
    var lines: [String] = []
    if first > 0 { lines.append("the first \(first == 1 ? "event is" : "\(first) events are") \(titles.same), then:") }
    lines.append("\(titles.first) \(text(expected))")
    lines.append("\(titles.second) \(text(actual))")
    if max(expected.count, actual.count) - first > 1 {
      lines.append("(\(titles.names.0) \(expected.count) in all, \(titles.names.1) \(actual.count))")
    }
    return lines
  }

  private static func text(of value: Value) -> String { JSONWriter.beginning(of: value, bytes: 100_000) }
}

/// An event that a test expects.
struct ExpectedEvent {
  let event: TimedEvent
  /// Whether a failure must be the same as a whole.
  var isWhole = false

  /// Whether the actual event matches the expected one: numbers by value, failures by the members given.
  func matches(_ actual: TimedEvent) -> Bool {
    guard event.time == actual.time else { return false }
    switch (event.event, actual.event) {
    case (.value(let expected), .value(let value)):
      return expected.isEqual(to: value) || expected.isEqual(to: value.asJSON) || expected == value
    case (.finished, .finished): return true
    case (.failure(let expected), .failure(let failure)) where isWhole:
      return expected.description.isEqual(to: failure.description)
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

extension Value {
  /// The value as read back from JSON, which represents timestamps, durations and bytes as strings.
  fileprivate var asJSON: Value {
    mapLeaves { leaf in
      switch leaf {
      case .timestamp, .duration, .bytes:
        (try? JSONDocument(reading: Array(JSONWriter.compact(leaf).utf8), file: "").value) ?? leaf
      default: leaf
      }
    }
  }
}
