internal import StreamCore
internal import StreamEngine

/// Compares the output of a stream with the expectation of a test.
package struct HistoryComparison: Sendable {
  /// The differences, one per line; empty if there are none. Two diagrams, one above the other, and a description of
  /// the first difference.
  package let differences: [String]

  /// - Parameter isCut: Whether the test's `for` has ended the run. Values whose script has no end then match a stream
  ///   that finishes and a stream that stays open. Default false.
  package init(_ expected: StreamTest.EventScript, _ actual: History, isCut: Bool = false) {
    if case .outputs(let scripts) = expected.kind {
      self.init(
        scripts.flatMap { name, script in
          Self(script, actual.ofOutput(name), isCut: isCut).differences.titled(name)
        })
      return
    }
    let isTimed: Bool
    let wanted: [ExpectedEvent]
    // A dropped value does not count as output of the stream.
    var found = actual.ofTheStream.events
    if case .values(let values, let ending) = expected.kind {
      isTimed = false
      let isOpen = isCut && ending == nil
      if isOpen, found.last?.event == .finished { found.removeLast() }
      let end = isOpen ? nil : (ending ?? .finished).event
      wanted = Self.numbered(values.map(ExecutionEvent.value) + [end].compactMap(\.self)).map {
        ExpectedEvent(event: $0)
      }
      found = Self.numbered(found.map(\.event))
    } else {
      isTimed = true
      wanted = expected.history().events.map { ExpectedEvent(event: $0) }
    }
    self.init(wanted, found, titles: .test, isTimed: isTimed)
  }

  /// Compares two versions of a stream, output by output if both have named outputs.
  package init(old: History, new: History, outputs: (old: [String], new: [String]) = ([], [])) {
    guard !outputs.old.isEmpty, !outputs.new.isEmpty else {
      self.init(whole: old, new: new)
      return
    }
    let shared = outputs.old.filter(outputs.new.contains)
    let different = shared.flatMap { Self(whole: old.ofOutput($0), new: new.ofOutput($0)).differences.titled($0) }
    let missing = [(outputs.old, "old"), (outputs.new, "new")].flatMap { names, file in
      names.filter { !shared.contains($0) }.map { "output '\($0)': only the \(file) file has it" }
    }
    self.init(different + missing)
  }

  private init(_ differences: [String]) { self.differences = differences }

  /// Compares the outputs of two versions of a stream.
  private init(whole old: History, new: History) {
    let wanted = old.ofTheStream.events.map { ExpectedEvent(event: $0, isWhole: true) }
    self.init(wanted, new.ofTheStream.events, titles: .versions, isTimed: true)
  }

  private init(_ wanted: [ExpectedEvent], _ found: [History.Event], titles: HistoryTitles, isTimed: Bool) {
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

  /// Returns events without their times, for a comparison of their order: the n-th event is at the n-th tick.
  private static func numbered(_ events: [ExecutionEvent]) -> [History.Event] {
    events.enumerated().map { index, event in
      History.Event(StreamTime(nanoseconds: Int64(index) * Marbles.defaultFrame.nanoseconds), event)
    }
  }

  /// The first difference in words.
  private static func words(
    _ expected: [History.Event], _ actual: [History.Event], titles: HistoryTitles, first: Int, isTimed: Bool
  ) -> [String] {
    func text(_ events: [History.Event]) -> String {
      guard first < events.count else { return "nothing more" }
      let what =
        switch events[first].event {
        case .value(let value): Self.text(of: value)
        case .finished: "finished"
        case .failure(let failure), .skipped(let failure): "failure " + Self.text(of: failure.errorValue)
        case .call(let call): "call of \(call.function)"
        case .noted(let note): "note of \(note.name)"
        }
      return isTimed ? "at \(JSONWriter.compact(.seconds(events[first].time.seconds))): \(what)" : what
    }
    var lines: [String] = []
    if first > 0 { lines.append("the first \(first == 1 ? "event is" : "\(first) events are") \(titles.same), then:") }
    let texts = [expected, actual].map(text)
    lines.append("\(titles.first) \(texts[0])")
    lines.append("\(titles.second) \(texts[1])")
    // Two long values may begin alike.
    if texts[0] == texts[1], let difference = Self.difference(expected[first], actual[first]) {
      lines.append(difference)
    }
    if max(expected.count, actual.count) - first > 1 {
      lines.append("(\(titles.names.0) \(expected.count) in all, \(titles.names.1) \(actual.count))")
    }
    return lines
  }

  private static func text(of value: Value) -> String { JSONWriter.beginning(of: value, bytes: longestText) }

  /// Bytes of a value that are shown.
  private static let longestText = 100_000
  /// Bytes of a value that are compared with another one.
  private static let longestComparison = 10_000_000

  /// Returns the place of the first byte in which two long values differ, and what follows it.
  private static func difference(_ expected: History.Event, _ actual: History.Event) -> String? {
    let texts = [expected, actual].map { event in
      var bytes: [UInt8] = []
      switch event.event {
      case .value(let value): _ = JSONWriter.append(value, to: &bytes, upTo: longestComparison)
      case .failure(let failure): _ = JSONWriter.append(failure.errorValue, to: &bytes, upTo: longestComparison)
      default: break
      }
      return bytes
    }
    guard
      let place = (0..<max(texts[0].count, texts[1].count)).first(where: { index in
        index >= texts[0].count || index >= texts[1].count || texts[0][index] != texts[1][index]
      })
    else { return nil }
    let rests = texts.map { String(decoding: $0.dropFirst(place).prefix(100), as: UTF8.self) }
    return "they differ from byte \(place) on: \(rests[0]) and \(rests[1])"
  }
}

extension [String] {
  /// The differences of an output, under its name.
  fileprivate func titled(_ output: String) -> [String] {
    isEmpty ? [] : ["output '\(output)':"] + map { "  \($0)" }
  }
}

extension History {
  /// The events of one output of a file with outputs: its values without the name, and the completion.
  package func ofOutput(_ name: String) -> History {
    History(
      events.compactMap { timed in
        guard case .value(let value) = timed.event else { return timed }
        return value.ofOutput(name).map { Event(timed.time, .value($0)) }
      })
  }
}

/// An event that a test expects.
struct ExpectedEvent {
  let event: History.Event
  /// Whether a failure must be the same as a whole.
  var isWhole = false

  /// Whether the actual event matches the expected one: values by what is printed of them, failures by the members given.
  func matches(_ actual: History.Event) -> Bool {
    guard event.time == actual.time else { return false }
    switch (event.event, actual.event) {
    case (.value(let expected), .value(let value)):
      return expected.isPrinted(as: value)
    case (.finished, .finished): return true
    case (.failure(let expected), .failure(let failure)) where isWhole:
      return expected.errorValue.isPrinted(as: failure.errorValue)
    case (.failure(let expected), .failure(let failure)):
      return Self.matches(expected.payload ?? .null, failure)
    default: return false
    }
  }

  /// Whether a failure is the expected one: `true` is any failure, a string may be its code, an object is compared by the
  /// members that it names, and anything else as a whole.
  static func matches(_ expected: Value, _ failure: StreamFailure) -> Bool {
    let actual = failure.errorValue
    switch expected {
    case .bool(true): return true
    case .string(failure.code) where failure.payload == nil: return true
    case .map(let wanted):
      guard case .map(let found) = actual else { return false }
      return wanted.pairs.allSatisfy { key, value in found[key].map(value.isPrinted) ?? false }
    default: return expected.isPrinted(as: actual)
    }
  }
}
