internal import StreamCore
internal import StreamEngine
public import StreamKit

/// The laws that every operator and every source must obey.
///
/// Each law takes an example from the catalog and returns a violation, or nil. A new operator is checked by all of them
/// through its examples.
public enum Laws {
  /// Checks that the example matches its diagrams. `#` matches any failure.
  public static func doesWhatItSays(_ stream: ExampleStream) throws -> String? {
    let expected = try stream.output()
    let actual = try record(stream).history
    guard expected.events.count == actual.events.count else { return difference(expected, actual) }
    for (wanted, event) in zip(expected.events, actual.events) {
      guard wanted.time == event.time, isAlike(wanted.event, event.event) else { return difference(expected, actual) }
    }
    return nil
  }

  /// Checks that a rejected example fails with the documented code and location.
  public static func refuses(_ stream: ExampleStream) throws -> String? {
    guard case .rejects(let code, let pointer) = stream.example.outcome else { return nil }
    do {
      _ = try stream.pipeline()
    } catch {
      let place = stream.place + (try JSONPointer(parsing: pointer))
      if error.all.contains(where: { $0.code == code && $0.pointer == place }) { return nil }
      let found = error.all.map { "\($0.code.rawValue) at \($0.pointer): \($0.message)" }
      return "expected \(code.rawValue) at \(place), found \(found.joined(separator: "; "))"
    }
    return "expected \(code.rawValue), but it was accepted"
  }

  /// Checks that decoding and encoding change nothing.
  public static func codingRoundTrips(_ stream: ExampleStream) throws -> String? {
    let model = try StreamModel(json: stream.stream())
    let again = try StreamModel(json: model.json)
    guard again == model else { return "reading what was written gives another model" }
    guard again.json == model.json else { return "writing twice gives two texts" }
    let written = isIn(model.json, stream)
    return written == (try stream.fields()) ? nil : "written as \(JSONWriter.compact(written))"
  }

  /// Checks that an unknown field is rejected at its location.
  public static func refusesUnknownFields(_ stream: ExampleStream) throws -> String? {
    guard case .map(let object) = try stream.fields(), case .map(let fields)? = object[stream.name] else {
      return "the example has no fields"
    }
    let more = ValueMap(fields.pairs.map { ($0, $1) } + [("notAField", 1)])
    let place = stream.place + JSONPointer([stream.name, "notAField"])
    return try expect(.unknownKey, at: place, for: stream, fields: more)
  }

  /// Checks that a missing required field is reported at its operator.
  public static func refusesMissingFields(_ stream: ExampleStream, _ spec: OperatorSpec) throws -> String? {
    guard case .map(let object) = try stream.fields(), case .map(let fields)? = object[stream.name] else {
      return "the example has no fields"
    }
    for field in spec.fields where field.isRequired {
      let fewer = ValueMap(fields.pairs.filter { $0.0 != .string(field.name) })
      let place = stream.place.appending(stream.name)
      if let problem = try expect(.missingField, at: place, for: stream, fields: fewer) {
        return "without '\(field.name)': \(problem)"
      }
    }
    return nil
  }

  /// Checks that the output is the same when the stream is saved as text and restored between any two steps.
  public static func survivesSaving(_ stream: ExampleStream) throws -> String? {
    let expected = try record(stream).history
    let pipeline = try stream.pipeline()
    var recorder = HistoryRecorder(Execution(pipeline))
    try recorder.run(stream.inputs()) { execution in
      try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    }
    return expected == recorder.history ? nil : difference(expected, recorder.history)
  }

  /// Checks that two runs have the same output.
  public static func isDeterministic(_ stream: ExampleStream) throws -> String? {
    let first = try record(stream).history
    let second = try record(stream).history
    return first == second ? nil : difference(first, second)
  }

  /// Checks that nothing follows the completion, whatever is sent, and that no operator remains active.
  public static func saysNothingAfterTheEnd(_ stream: ExampleStream) throws -> String? {
    let recorder = try record(stream)
    guard recorder.history.completion != nil else { return nil }
    return remains(recorder.execution, "the end")
  }

  /// Checks that canceling after any step stops all output and releases every timer and operator.
  public static func releasesEverythingWhenCanceled(_ stream: ExampleStream) throws -> String? {
    let (pipeline, inputs) = (try stream.pipeline(), try stream.inputs())
    var steps = 0
    var isDone = false
    while !isDone {
      var count = 0
      var recorder = HistoryRecorder(Execution(pipeline))
      recorder.run(inputs) { execution in
        count += 1
        return count > steps ? nil : execution
      }
      isDone = count <= steps
      recorder.execution.cancel()
      recorder.execution.cancel()
      if let problem = remains(recorder.execution, "canceling after \(steps) steps") { return problem }
      steps += 1
    }
    return nil
  }

  /// Checks that a failure of the input is published, unless the stream has completed before or the operator handles
  /// failures.
  public static func passesFailures(_ stream: ExampleStream) throws -> String? {
    guard !stream.isSource || stream.name == "input" else { return nil }
    for placed in try StreamModel(json: stream.stream()).operators
    where try placed.operator.definition(for: stream.host).handlesFailures {
      return nil
    }
    var inputs = try stream.inputs()
    let failure = StreamFailure(payload: "law")
    let time = StreamTime(nanoseconds: 2_500_000)
    let values = inputs[0].events.filter { if case .value = $0.event { $0.time < time } else { false } }
    inputs[0].events = values + [History.Event(time, .failure(failure))]
    var recorder = HistoryRecorder(Execution(try stream.pipeline()))
    recorder.run(inputs) { $0 }
    guard case .failure? = recorder.history.completion else {
      if let last = recorder.history.events.last, last.event == .finished, last.time <= time { return nil }
      return "the failure did not come out: \(recorder.history)"
    }
    return nil
  }

  /// Checks that with a demand of one value at a time the stream never exceeds its demand.
  public static func keepsToDemand(_ stream: ExampleStream) throws -> String? {
    let execution = Execution(try stream.pipeline())
    for (input, history) in try stream.inputs().enumerated() {
      VirtualRun(execution).feed([(input, history)])
    }
    execution.request(Demand(1))
    var count = 0
    for _ in 0..<10_000 {
      while let event = execution.next() { if case .value = event { count += 1 } }
      guard execution.advanceToNextTimer() else { break }
    }
    return count <= 1 ? nil : "asked for 1 value, it published \(count)"
  }

  // MARK: Helpers

  static func record(_ stream: ExampleStream) throws(Diagnostics) -> HistoryRecorder {
    var recorder = HistoryRecorder(Execution(try stream.pipeline()))
    recorder.run(try stream.inputs()) { $0 }
    return recorder
  }

  private static func expect(
    _ code: DiagnosticCode, at place: JSONPointer, for stream: ExampleStream, fields: ValueMap
  ) throws(Diagnostics) -> String? {
    let changed = try stream.stream(.map(ValueMap([(.string(stream.name), .map(fields))])))
    do throws(Diagnostics) {
      // The meaning of a host's operator is known when it is compiled.
      _ = try StreamModel(json: changed).compile(stream.options)
      return "it was accepted"
    } catch {
      if error.all.contains(where: { $0.code == code && $0.pointer == place }) { return nil }
      return "found \(error.all.map { "\($0.code.rawValue) at \($0.pointer)" })"
    }
  }

  private static func isIn(_ model: Value, _ stream: ExampleStream) -> Value {
    model[stream.place] ?? .null
  }

  private static func isAlike(_ expected: ExecutionEvent, _ actual: ExecutionEvent) -> Bool {
    switch (expected, actual) {
    case (.failure, .failure): true
    default: expected == actual
    }
  }

  private static func remains(_ execution: Execution, _ moment: String) -> String? {
    if execution.stageCount != 0 { return "\(execution.stageCount) stages are at work after \(moment)" }
    if execution.nextDeadline != nil { return "a timer is set after \(moment)" }
    execution.send(1, to: 0, at: execution.time)
    execution.advance(to: .distantFuture)
    execution.request(.unlimited)
    if let event = execution.next() { return "\(event) came after \(moment)" }
    return nil
  }

  static func difference(_ expected: History, _ actual: History) -> String {
    "expected \(text(expected)), got \(text(actual))"
  }

  /// The events with the messages of failures, but without their places.
  static func text(_ history: History) -> String { "[\(history.texts(.messages).joined(separator: " "))]" }
}
