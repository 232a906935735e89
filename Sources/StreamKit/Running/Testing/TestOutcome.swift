public import StreamCore
public import StreamEngine

/// The result of a test.
///
/// ```swift
/// for outcome in try TestRunner(file).run() {
///   lines.append("\(outcome.name): \(outcome.hasPassed ? "passed" : "\(outcome.differences)")")
/// }
/// ```
public struct TestOutcome: Sendable {
  public let name: String
  /// Location of the test in the file: of its stream, as `/tests/0`, or of a definition.
  public let pointer: JSONPointer
  /// The differences from the expectation, one per line; empty if the test passed.
  public let differences: [String]
  /// The actual output in the form of the test's expectation; nil if it cannot be written: calls without a result, an
  /// endless stream, values without a JSON form.
  public let newExpectation: Value?
  /// The values that operators have dropped, as in a run.
  public let drops: [Execution.DroppedValues]

  /// Warnings about what the test feeds.
  package let warnings: [Diagnostic]

  package init(
    name: String, pointer: JSONPointer, differences: [String], drops: [Execution.DroppedValues] = [],
    warnings: [Diagnostic] = [], newExpectation: Value? = nil
  ) {
    self.drops = drops
    self.warnings = warnings
    self.name = name
    self.pointer = pointer
    self.differences = differences
    self.newExpectation = newExpectation
  }

  public var hasPassed: Bool { differences.isEmpty }

  /// Index of the test in its list, from 0.
  public var index: Int { pointer.tokens.last.flatMap(JSONPointer.index) ?? 0 }
}

extension StreamTest.EventScript {
  /// Returns a script of the same kind that expects the history, or else one of events; nil if neither can be written.
  ///
  /// - Parameter isCut: Whether the test's `for` has ended the run.
  func expecting(_ history: History, isCut: Bool) -> StreamTest.EventScript? {
    let history = history.ofTheStream
    let kinds: [Kind?] =
      switch kind {
      case .values(_, let ending):
        [.values(history.values, ending: Self.ending(of: history, like: ending, isCut: isCut))]
      case .events(let events): [Self.events(of: history, keeping: events.map(\.extensions))]
      case .marbles(let marbles): [marbles.drawing(history).map(Kind.marbles), Self.events(of: history)]
      case .outputs(let scripts): [Self.outputs(scripts, of: history, isCut: isCut)]
      }
    for case let kind? in kinds {
      let script = StreamTest.EventScript(kind, extensions: extensions)
      // Only what is still expected when it has been written and read is an expectation.
      guard let read = try? JSONDocument(reading: JSONWriter.compact(script.json), file: ""),
        let script = try? StreamTest.EventScript(json: read.value),
        HistoryComparison(script, history, isCut: isCut).differences.isEmpty
      else { continue }
      return script
    }
    return nil
  }

  /// Returns the expectations of the same outputs; nil if one of them cannot be written.
  private static func outputs(
    _ scripts: Members<StreamTest.EventScript>, of history: History, isCut: Bool
  ) -> Kind? {
    var expected: Members<StreamTest.EventScript> = [:]
    for (name, script) in scripts {
      guard let script = script.expecting(history.ofOutput(name), isCut: isCut) else { return nil }
      expected[name] = script
    }
    return .outputs(expected)
  }

  /// Returns how the values of a history end; as the author has written it, if that is still so.
  private static func ending(of history: History, like old: Ending?, isCut: Bool) -> Ending? {
    switch (history.completion, old) {
    case (.finished, .finished): .finished
    case (.finished, _): nil
    case (nil, nil) where isCut: nil
    case (nil, _): .open
    case (.failure(let failure), .failure(let expected)) where ExpectedEvent.matches(expected, failure): old
    case (.failure(let failure), _): .failure(failure.errorValue)
    }
  }

  /// - Parameter extensions: the author's own members of the events in the places of these.
  private static func events(of history: History, keeping extensions: [ValueMap] = []) -> Kind {
    var events: [Source.Record.Event] = history.events.compactMap { timed in
      let at = timed.time.seconds
      switch timed.event {
      case .value(let value): return Source.Record.Event(at: at, .value(value))
      case .finished: return Source.Record.Event(at: at, .finished)
      case .failure(let failure): return Source.Record.Event(at: at, .failure(failure.errorValue))
      case .skipped, .call, .noted: return nil
      }
    }
    for (index, members) in zip(events.indices, extensions) { events[index].extensions = members }
    return .events(events)
  }
}

extension Source.Marbles {
  /// Returns a diagram of the history with the symbols of this one; nil if a diagram cannot express it.
  fileprivate func drawing(_ history: History) -> Source.Marbles? {
    let drawing = MarbleRenderer.render(history, naming: Self.symbols(values))
    if let failure = drawing.failure, failure != StreamKit.Marbles("").failure { return nil }
    let seconds = Double(drawing.frame.nanoseconds) / 1e9
    var fields = Source.Marbles(diagram: drawing.diagram)
    if !drawing.legend.isEmpty {
      fields.values = .map(ValueMap(drawing.legend.map { (.string($0.name), $0.value) }))
    }
    if drawing.frame != StreamKit.Marbles.defaultFrame || frame != nil { fields.frame = seconds }
    return fields
  }
}
