internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Turns a recording, or a part of it, into a test of the stream file.
struct RecordedTest {
  private let name: String
  private var request: ReplayRequest

  /// Maximum number of events of a test.
  private static let limit = 10_000

  init(_ name: String, _ request: ReplayRequest) {
    self.name = name
    self.request = request
  }

  /// Adds the test to the file and returns the exit code.
  func write(_ console: Console) throws(Diagnostics) -> Int32 {
    var request = request
    let reader = try RecordingReader(request.recording, console)
    let header = reader.header
    guard let file = request.file ?? reader.recordedFile(isBeside: true) else {
      throw reader.refusal("changed", "replay \(request.recording) FILE --as-test '\(name)'")
    }
    request.file = file
    let lock = try FileLock.take(editing: file, telling: console.say)
    let script = ReplayScript(limit: Self.limit)
    let output = HistoryWriter()
    let outcome = try request.perform(console, writer: output, script: script)
    if script.isTooLong || output.history.events.count > Self.limit {
      throw Diagnostics(
        .limitExceeded, "the recording has more than \(Self.limit) events, which is too long for a test",
        help: "choose a part of it with --from and --until")
    }
    guard outcome.isWhole else { throw Diagnostics() }
    let loader = console.makeLoader()
    let document = try loader.document(file)
    var options = loader.options()
    options.seed = request.compile.seed ?? header.stream.seed
    let identity = try loader.identity(of: file)
    try requireNew(name, document)
    let parameters = try header.stream.parameters(setting: request.compile, declaredBy: document)
    let (test, warning) = try checked(script, output.history, parameters, document, identity, options)
    var editor = StreamEditor(document, identity: identity, options: options)
    do throws(Diagnostics) {
      try editor.apply(Self.edit(adding: test, to: document))
    } catch {
      if let refused = editor.refused { console.remember(refused.source) }
      throw error
    }
    if let warning { console.report(warning) }
    for function in script.ambiguous.sorted() {
      console.report(
        Diagnostic(
          .callFailed, "the function '\(function)' gave different results for one argument; the test gives the first",
          severity: .warning))
    }
    try ResultFile.replace(file, with: editor.document.source.bytes, console, holding: lock)
    if let seed = options.seed {
      console.say("note: the recorded run had --seed \(seed); a test has the seed of the file, or that of the command")
    }
    console.say("\(file): added the test '\(name)' of \(script.count.counted("event"))")
    return ExitCode.good
  }

  private func requireNew(_ name: String, _ document: JSONDocument) throws(Diagnostics) {
    guard case .list(let tests)? = document.value.member("tests"),
      tests.contains(where: { $0.member("name") == .string(name) })
    else { return }
    throw Diagnostics(
      .duplicateName, "'\(document.file)' has a test with the name '\(name)' already", help: "choose another name")
  }

  private static func edit(adding test: StreamTest, to document: JSONDocument) -> StreamEdit {
    document.value.member("tests") == nil
      ? .insert(JSONPointer(["tests"]), JSONFragment(.list([test.json])))
      : .insert(JSONPointer(["tests", "-"]), JSONFragment(test.json))
  }

  // MARK: The test

  /// Returns a test that passes, with a warning if its expectation is not the output of the replay.
  private func checked(
    _ script: ReplayScript, _ history: History, _ parameters: ValueMap, _ document: JSONDocument, _ identity: String,
    _ options: CompileOptions
  ) throws(Diagnostics) -> (StreamTest, Diagnostic?) {
    var differences: [String] = []
    var changed: StreamTest?
    for test in candidates(script, history, parameters) {
      guard let outcome = try outcome(of: test, document, identity, options) else { continue }
      if outcome.differences.isEmpty { return (test, nil) }
      guard changed == nil, let expectation = outcome.newExpectation else { continue }
      differences = outcome.differences
      var other = test
      other.expect = try StreamTest.EventScript(json: expectation)
      changed = other
    }
    guard let changed else {
      throw Diagnostics(
        .invalidTest, "a test with these events does not give an output that can be expected",
        notes: Array(differences.prefix(10)))
    }
    return (
      changed,
      Diagnostic(
        .invalidTest, "in a test, the output is another than in the replay; the test expects that of the test",
        severity: .warning, notes: Array(differences.prefix(10)),
        help: "a test begins in 1970, and inputs have no values that --set gives")
    )
  }

  private func outcome(
    of test: StreamTest, _ document: JSONDocument, _ identity: String, _ options: CompileOptions
  ) throws(Diagnostics) -> TestOutcome? {
    var editor = StreamEditor(document, identity: identity, options: options)
    try editor.apply(Self.edit(adding: test, to: document))
    let stream = try StreamFile(editor.document, identity: identity)
    return try TestRunner(stream, options: options).run { $0 == test.name }.first
  }

  /// The forms that a test of the events can have: first with their times, then as values that are read when they are
  /// wanted.
  private func candidates(_ script: ReplayScript, _ history: History, _ parameters: ValueMap) -> [StreamTest] {
    let events = history.ofTheStream.events
    let expected = events.map { event -> Source.Record.Event in
      switch event.event {
      case .value(let value): Source.Record.Event(at: event.time.seconds, .value(value))
      case .failure(let failure): Source.Record.Event(at: event.time.seconds, .failure(failure.errorValue))
      default: Source.Record.Event(at: event.time.seconds, .finished)
      }
    }
    let isEnded = history.completion != nil
    var timed = StreamTest(
      name: name,
      inputs: Members(pairs: script.inputs.map { ($0.name, StreamTest.EventScript(.events($0.events))) }),
      calls: Members(pairs: script.calls.map { ($0.function, StreamTest.CallScript($0.answers)) }),
      seconds: isEnded ? nil : script.time.seconds, expect: StreamTest.EventScript(.events(expected)))
    timed.parameters = parameters
    var read = timed
    read.inputs = Members(pairs: script.inputs.map { ($0.name, Self.values($0.events)) })
    return [timed, read]
  }

  /// The values of events, and their end.
  private static func values(_ events: [Source.Record.Event]) -> StreamTest.EventScript {
    var values: [Value] = []
    var ending: StreamTest.EventScript.Ending = .open
    for event in events {
      switch event.kind {
      case .value(let value): values.append(value)
      case .finished: ending = .finished
      case .failure(let failure): ending = .failure(failure)
      }
    }
    return StreamTest.EventScript(.values(values, ending: ending))
  }
}
