import Foundation
import StreamCore
import StreamKit
import StreamRuntime

/// What the tests of files feed and answer, as JSON: for a program in another language that runs what was exported.
struct ExportScripts {
  private var files: [(file: String, tests: [StreamTest])] = []

  /// The files of a folder, with those of the folders in it.
  init(of folder: String) throws {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for file in names.sorted() where file.hasSuffix(".json") {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let stream = try StreamFile(JSONDocument(reading: text, file: file), identity: "\(folder)/\(file)")
      files.append((file, stream.model.tests))
    }
  }

  /// `[{"file": …, "tests": [{"until": …, "inputs": {…}, "calls": {…}}]}]`; times are in nanoseconds.
  var value: Value {
    .list(files.map { ["file": .string($0.file), "tests": .list($0.tests.map(Self.value))] })
  }

  private static func value(_ test: StreamTest) -> Value {
    let inputs = test.inputs.map { ($0.name, Value.list($0.element.history().events.compactMap(value))) }
    let calls = test.calls.map { ($0.name, Value.list($0.element.answers.map(value))) }
    return [
      "until": .int(World.end(of: test)), "inputs": object(inputs), "calls": object(calls),
    ]
  }

  private static func value(_ event: TimedEvent) -> Value? {
    let at = Value.int(event.time.nanoseconds)
    switch event.event {
    case .value(let value): return ["at": at, "value": value]
    case .finished: return ["at": at, "finished": true]
    case .failure(let failure): return ["at": at, "failure": failure.errorValue]
    default: return nil
    }
  }

  private static func value(_ answer: CallScript.Answer) -> Value {
    var members = [("after", Value.int(Interval(seconds: answer.after).nanoseconds))]
    if let argument = answer.argument { members.append(("argument", argument)) }
    switch answer.kind {
    case .value(let value): members.append(("value", value))
    case .failure(let failure): members.append(("failure", failure))
    case .expression(let expression): members.append(("expression", .string(expression.text)))
    }
    return object(members)
  }

  private static func object(_ members: [(String, Value)]) -> Value {
    .map(ValueMap(members.map { (.string($0.0), $0.1) }))
  }

  // MARK: Comparing

  /// Compares what was heard, `[{"file": …, "test": 0, "events": […]}]`, with what the tests expect.
  ///
  /// A failure with an error of the language's own is an `error`: it stands for the code that the test names.
  func differences(inHeard path: String) throws -> ExportDifferences {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard case .list(let heard) = try JSONDocument(reading: text, file: path).value else {
      preconditionFailure("what was heard is no list")
    }
    var outcome = ExportDifferences()
    for (file, tests) in files {
      let entries = heard.filter { $0[JSONPointer(["file"])] == .string(file) }
      guard !entries.isEmpty else { continue }
      precondition(entries.count == tests.count, "not every test of \(file) was run")
      var lines: [String] = []
      for (entry, test) in zip(entries, tests) {
        guard case .list(let events)? = entry[JSONPointer(["events"])] else { continue }
        let history = History(events.compactMap { Self.event($0, test) })
        let found = HistoryComparison(test.expect, history, isCut: test.seconds != nil).differences
        lines += found.map { "\(file), \(test.name): \($0)" }
      }
      outcome.add(file, testCount: tests.count, lines)
    }
    return outcome
  }

  private static func event(_ value: Value, _ test: StreamTest) -> TimedEvent? {
    guard case .map(let members) = value, case .int(let at)? = members["at"] else { return nil }
    let time = StreamTime(nanoseconds: at)
    if let value = members["value"] { return TimedEvent(time, .value(value)) }
    if members["finished"] != nil { return TimedEvent(time, .finished) }
    if let failure = members["failure"] {
      return TimedEvent(time, .failure(World.reason(failure, nil, of: test)))
    }
    let message = members["error"].map { JSONWriter.compact($0) } ?? ""
    return TimedEvent(time, .failure(World.reason(nil, message, of: test)))
  }
}
