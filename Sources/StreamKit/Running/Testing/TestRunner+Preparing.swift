internal import CEL
public import StreamCore
package import StreamEngine

extension TestRunner {
  /// A test that is ready to run.
  package struct PreparedTest {
    package let pipeline: Pipeline
    /// The recordings for inputs.
    package var recordings: [RecordingPlayer.Recording] = []
    /// The order of recordings that wait for the stream.
    package var order = RecordingPlayer.Order.inTurn
    /// Time zero of the stream.
    package var origin = Timestamp(seconds: 0)
    package let answers: CallAnswers
    /// Nothing later than this happens.
    package let until: StreamTime
    /// Lines about values that have not been delivered.
    var notes: [String] = []
    /// Warnings about what the test feeds, with locations.
    package var warnings: [Diagnostic] = []
    /// Warnings about values that arrive too late, which a test may intend.
    package var lateWarnings: [Diagnostic] = []

    /// Makes a player of the recordings: first those of inputs without a clock, whose values count as present, then in
    /// the order of the inputs' names. The order of JSON members has no meaning.
    package func makePlayer() -> RecordingPlayer {
      let inputs = pipeline.inputs
      let sorted = recordings.sorted { first, second in
        let (first, second) = (inputs[first.input], inputs[second.input])
        let isFirstTimed = first.time != nil
        return isFirstTimed == (second.time != nil) ? first.name < second.name : !isFirstTimed
      }
      return RecordingPlayer(sorted, order)
    }
  }

  /// Checks everything in the tests that running them would refuse: unknown inputs, values that the declared type of an
  /// input refuses, expressions.
  ///
  /// - Throws: All errors, with their locations in the file.
  public func validate() throws(Diagnostics) { try validate(nil) }

  /// - Parameter compiled: The stream, if it is compiled already.
  package func validate(_ compiled: Pipeline?) throws(Diagnostics) {
    try forEachTest(compiled) { _, _ in }
  }

  /// Prepares each wanted test and passes it to `body`, which gets no more tests once one of them is wrong.
  ///
  /// NB: A test that replaces streams has a pipeline of its own, which is not kept: a file may have 1,000 of them.
  ///
  /// - Throws: All errors of all wanted tests.
  func forEachTest(
    _ compiled: Pipeline? = nil, where isWanted: (String) -> Bool = { _ in true },
    _ body: (PlacedTest, _ prepared: PreparedTest) -> Void
  ) throws(Diagnostics) {
    var problems = Diagnostics()
    var known: Set<Diagnostic> = []
    var plain = compiled
    // Tests that replace streams, or give parameters values, compile the stream once more.
    let expansion = ExpansionBudget(limit: ExpansionBudget.ofTests)
    var shared = options
    shared.expansion = expansion
    let runner = TestRunner(stream, options: shared)
    for placed in stream.model.placedTests where isWanted(placed.test.name) {
      let (test, pointer) = (placed.test, placed.pointer)
      let isPlain = test.parameters.count == 0 && pointer.tokens.first == "tests"
      if plain == nil, isPlain, replacements(of: test).isEmpty { plain = try runner.compile([:]) }
      do throws(Diagnostics) {
        let prepared = try runner.prepare(test, at: pointer, compiled: isPlain ? plain : nil)
        try subject(of: test, at: pointer).checkOutputs(of: test, at: pointer.appending("expect"))
        if problems.isEmpty { body(placed, prepared) }
      } catch {
        for problem in error.all where known.insert(problem).inserted { problems.append(problem) }
        if expansion.isExceeded { break }
      }
    }
    try problems.throwErrors()
  }

  /// Compiles the stream with the sources that replace named streams in a test, and reads what the test feeds.
  ///
  /// - Parameters:
  ///   - pointer: The location of the test, which shows whether it is for the stream or a definition.
  ///   - compiled: The stream without replacements, if it is compiled already.
  package func prepare(
    _ test: StreamTest, at pointer: JSONPointer, compiled: Pipeline? = nil
  ) throws(Diagnostics) -> PreparedTest {
    if let problem = stream.model.missingArgument(ofTestAt: pointer, test) {
      throw Diagnostics([stream.document.locate(problem)])
    }
    return try subject(of: test, at: pointer).prepare(whole: test, at: pointer, compiled: compiled)
  }

  /// The runner of the stream that a test is for.
  private func subject(of test: StreamTest, at pointer: JSONPointer) -> TestRunner {
    let subject = stream.model.subject(ofTestAt: pointer, test)
    return TestRunner(StreamFile(subject, stream.document, identity: stream.identity), options: options)
  }

  private func prepare(
    whole test: StreamTest, at pointer: JSONPointer, compiled: Pipeline?
  ) throws(Diagnostics) -> PreparedTest {
    let streams = replacements(of: test)
    let pipeline: Pipeline
    if let compiled, streams.isEmpty, test.parameters.count == 0 {
      pipeline = compiled
    } else {
      pipeline = try compile(streams, test.parameters, at: pointer.appending("parameters"))
    }
    var problems = Diagnostics()
    var prepared = PreparedTest(
      pipeline: pipeline, answers: try answers(test, at: pointer),
      until: test.seconds.map(StreamTime.init(seconds:)) ?? .distantFuture)
    var scripts: [FedScript] = []
    for (name, script) in test.inputs where streams[name] == nil {
      guard let number = pipeline.input(named: name) else {
        problems.append(stream.document.locate(unknown(name, pipeline, at: pointer)))
        continue
      }
      let place = pointer + JSONPointer(["inputs", name])
      do throws(Diagnostics) {
        scripts.append(FedScript(number, script, try converted(script, for: pipeline.inputs[number], at: place), place))
      } catch {
        problems.append(contentsOf: error)
      }
    }
    try problems.throwErrors()
    let clocks = try InputClocks(of: pipeline)
    if !clocks.isEmpty {
      try order(scripts, by: clocks, &prepared)
    } else {
      prepared.recordings = scripts.map { script in
        RecordingPlayer.Recording(input: script.input, history: script.history, waits: script.isOfValues)
      }
    }
    return prepared
  }

  /// Reports expectations of outputs that the file lacks.
  private func checkOutputs(of test: StreamTest, at pointer: JSONPointer) throws(Diagnostics) {
    guard case .outputs(let scripts) = test.expect.kind else { return }
    let names = stream.model.outputNames
    var problems = Diagnostics()
    for name in scripts.names where stream.model.outputs[name] == nil {
      problems.append(
        stream.document.locate(
          Diagnostic(
            .unknownStream, "the file has no output '\(name)'", at: pointer + JSONPointer(["outputs", name]),
            part: .key, notes: names.isEmpty ? ["the file has no named outputs"] : [],
            help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })))
    }
    try problems.throwErrors()
  }

  /// The sources that replace named streams in a test.
  private func replacements(of test: StreamTest) -> [String: Source] {
    Dictionary(
      uniqueKeysWithValues: test.inputs.filter { stream.model.streams[$0.name] != nil }.map { ($0, $1.source) })
  }

  /// Compiles the stream for its tests: these answer functions, and hooks change nothing.
  private func compile(
    _ streams: [String: Source], _ parameters: ValueMap = ValueMap(), at pointer: JSONPointer = JSONPointer()
  ) throws(Diagnostics) -> Pipeline {
    var options = options
    for case (.string(let name), let value) in parameters.pairs {
      options.arguments[name] = ParameterArgument(
        .value(value), origin: "the parameter '\(name)' of the test", at: pointer.appending(name))
    }
    options.host.functions = .any
    options.host.hooks = .any
    // A replaced stream uses nothing, so the warnings are those of the stream itself alone.
    options.remarks = nil
    // Definitions that nothing applies are checked with the stream itself, once.
    options.checksDefinitions = pointer.tokens.isEmpty
    return try stream.compile(options, replacing: streams)
  }

  private func answers(_ test: StreamTest, at pointer: JSONPointer) throws(Diagnostics) -> CallAnswers {
    do throws(Diagnostics) {
      return try CallAnswers(test.calls, options: options)
    } catch {
      throw stream.document.locate(error.prefixed(by: pointer))
    }
  }

  // MARK: Fed values

  /// A script for an input.
  private struct FedScript {
    let input: Int
    /// Whether the values have no times of their own.
    let isOfValues: Bool
    /// The events, of the declared type.
    let history: History
    /// The places of the values in the file, by event.
    let places: [JSONPointer]

    init(_ input: Int, _ script: StreamTest.EventScript, _ history: History, _ place: JSONPointer) {
      self.input = input
      if case .values = script.kind { isOfValues = true } else { isOfValues = false }
      self.history = history
      places = script.places(of: history).map { place + $0 }
    }
  }

  /// Returns the events of a script, with values of the input's declared type.
  private func converted(
    _ script: StreamTest.EventScript, for input: Pipeline.Input, at place: JSONPointer
  ) throws(Diagnostics) -> History {
    var history = script.history()
    guard input.type != .dyn else { return history }
    let conversion = InputConversion(input.type)
    let places = script.places(of: history)
    var problems = Diagnostics()
    for (index, timed) in history.events.enumerated() {
      guard case .value(let value) = timed.event else { continue }
      do throws(InputConversion.Problem) {
        history.events[index].event = .value(try conversion.convert(value))
      } catch {
        problems.append(
          stream.document.locate(
            Diagnostic(
              .inputTypeMismatch, "\(error.message), in the input '\(input.name)'",
              at: place + places[index] + JSONPointer(error.tokens), help: "change the value, or the input's 'type'")))
      }
    }
    try problems.throwErrors()
    return history
  }

  /// Orders what is fed as `run` does in event time: the times in the scripts say in which order values arrive, and how
  /// long an input is silent. An input without a clock keeps its times.
  private func order(
    _ scripts: [FedScript], by clocks: InputClocks, _ prepared: inout PreparedTest
  ) throws(Diagnostics) {
    var orders: [(script: FedScript, order: RecordOrder, records: [RecordOrder.Record])] = []
    var problems = Diagnostics()
    for script in scripts {
      guard let clock = clocks[prepared.pipeline.inputs[script.input].name] else {
        prepared.recordings.append(
          .init(input: script.input, history: script.history, waits: script.isOfValues))
        continue
      }
      let order = RecordOrder(clock)
      var records: [RecordOrder.Record] = []
      func take() {
        order.release()
        for settled in order.takeSettled() {
          guard case .failure(let problem) = settled.handling, case .test(let place) = settled.place else { continue }
          problems.append(stream.document.locate(problem.prefixed(by: place)))
        }
        while let record = order.pop() {
          records.append(
            RecordOrder.Record(time: order.latest ?? record.time, value: record.value, isLate: record.isLate))
          order.release()
        }
      }
      var arrival = StreamTime.zero
      for (event, place) in zip(script.history.events, script.places) {
        guard case .value(let value) = event.event else { continue }
        do throws(Diagnostic) {
          order.passSilence(event.time - arrival)
          take()
          arrival = event.time
          _ = try order.offer(value, from: .test(place))
          if let problem = order.overflow { throw problem }
          take()
          if order.origin == nil, let first = records.first { try order.begin(at: first.time) }
        } catch {
          problems.append(stream.document.locate(error.prefixed(by: place)))
        }
      }
      order.isFinished = script.history.completion != nil
      take()
      orders.append((script, order, records))
    }
    try problems.throwErrors()
    prepared.order = .byInput
    prepared.origin = orders.compactMap { $0.records.first?.time }.min() ?? Timestamp(seconds: 0)
    for (script, order, records) in orders {
      var events = OrderedScript()
      for record in records { events.append(record, at: record.time.streamTime(since: prepared.origin)) }
      if script.history.completion != nil, let end = script.history.events.last {
        events.append(end.event, at: events.history.events.last?.time ?? .zero)
      }
      prepared.recordings.append(.init(input: script.input, events, in: prepared.pipeline))
      let name = prepared.pipeline.inputs[script.input].name
      if let clock = order.clock {
        let late = clock.warnings(lateCount: order.lateCount, latest: nil, output: nil)
        prepared.notes += late.map(\.message)
        prepared.lateWarnings += late
        prepared.warnings += clock.warnings(lateCount: 0, latest: order.latest, output: nil).map { warning in
          stream.document.locate(warning.prefixed(by: stream.model.placeOfTime(ofInput: name)))
        }
      }
      if order.heldCount > 0, let member = order.clock?.holdingMember {
        prepared.notes.append(
          "\(order.heldCount) of the values wait for '\(member)': the input '\(name)' is not finished")
      }
    }
  }

  private func unknown(_ name: String, _ pipeline: Pipeline, at pointer: JSONPointer) -> Diagnostic {
    let known = pipeline.inputs.map(\.name) + stream.model.streams.names
    return Diagnostic(
      .invalidTest, "there is no input or stream '\(name)'", at: pointer + JSONPointer(["inputs", name]), part: .key,
      notes: known.isEmpty ? [] : ["inputs and streams: \(known.listed)"],
      help: nearestName(to: name, among: known).map { "did you mean '\($0)'?" })
  }
}

extension StreamModel {
  /// The place of the expression for the times of an input's values.
  fileprivate func placeOfTime(ofInput name: String) -> JSONPointer {
    inputs[name]?.time == nil
      ? JSONPointer(["partition", "time"]) : JSONPointer(["inputs", name, "time", "expression"])
  }
}

extension StreamFile {
  /// Checks the file and its tests without running anything.
  ///
  /// - Throws: All errors, with their locations: those of `compile`, and those of `TestRunner.validate`.
  public func validate(_ options: CompileOptions = CompileOptions()) throws(Diagnostics) {
    try TestRunner(self, options: options).validate(try compile(options))
  }
}

extension StreamTest.EventScript {
  /// Returns the places of the events of its history, relative to the script. A symbol without a value is an event of
  /// the diagram.
  func places(of history: History) -> [JSONPointer] {
    switch kind {
    case .values: return history.events.indices.map { JSONPointer(["values", String($0)]) }
    case .events: return history.events.indices.map { JSONPointer(["events", String($0), "value"]) }
    case .marbles(let marbles):
      let symbols = Source.Marbles.symbols(marbles.values)
      return history.events.map { timed in
        guard case .value(let value) = timed.event,
          let symbol = symbols.keys.sorted().first(where: { symbols[$0] == value })
        else { return JSONPointer(["marbles"]) }
        return JSONPointer(["values", symbol])
      }
    // Nothing is fed by outputs.
    case .outputs: return history.events.map { _ in JSONPointer(["outputs"]) }
    }
  }
}
