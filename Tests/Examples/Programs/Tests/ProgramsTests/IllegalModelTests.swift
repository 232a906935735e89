import Foundation
import StreamCombine
import StreamEditing
import StreamKit
import Testing

/// Models, runs and edits with wrong arguments, and their results. None of them ends the process.
@Suite("Illegal models and runs", .timeLimit(.minutes(2)))
struct IllegalModelTests {
  private static let passing = StreamModel(inputs: ["in": InputDeclaration()], source: .input("in"))

  private static func compiled(_ operators: PlacedOperator...) throws -> [String] {
    try StreamModel(stream: [StreamItem(1)], operators: operators).compile().inputs.map(\.name)
  }

  /// The events of an execution without anything pending.
  private static func events(of execution: Execution) -> [ExecutionEvent] {
    var events: [ExecutionEvent] = []
    while let event = execution.next() { events.append(event) }
    return events
  }

  static let models = [
    IllegalCall(
      "A delay of infinite seconds",
      """
      error S104 at /operators/0/delay/seconds: 'seconds' is "Infinity"; expected a number of seconds \
      from 0 to 31536000
      """
    ) { try compiled(.delay(seconds: .infinity)) },
    IllegalCall(
      "A delay of NaN seconds",
      """
      error S104 at /operators/0/delay/seconds: 'seconds' is "NaN"; expected a number of seconds from 0 \
      to 31536000
      """
    ) { try compiled(.delay(seconds: .nan)) },
    IllegalCall(
      "A debounce of negative seconds",
      """
      error S104 at /operators/0/debounce/seconds: 'seconds' is -1; expected a number of seconds from 0 \
      to 31536000
      """
    ) { try compiled(.debounce(seconds: -1)) },
    IllegalCall(
      "A throttle of 1e300 seconds",
      """
      error S104 at /operators/0/throttle/seconds: 'seconds' is 1e+300; expected a number of seconds \
      from 1e-06 to 31536000
      """
    ) { try compiled(.throttle(seconds: 1e300)) },
    IllegalCall(
      "A timeout of zero seconds",
      """
      error S104 at /operators/0/timeout/seconds: 'seconds' is 0; expected a number of seconds from \
      1e-06 to 31536000
      """
    ) { try compiled(.timeout(seconds: 0)) },
    IllegalCall("A timer without a pause", "error S104 at /source/timer/every: 'every' is 0; expected 1e-06 or more") {
      try StreamModel(source: .timer(every: 0)).compile().inputs.count
    },
    IllegalCall(
      "A timer that ticks less than no time",
      "error S104 at /source/timer/count: 'count' is -1; expected an integer, 0 or more"
    ) {
      try StreamModel(source: .timer(every: 1, count: -1)).compile().inputs.count
    },
    IllegalCall(
      "A negative number of values",
      "error S104 at /operators/0/prefix/count: 'count' is -1; expected an integer, 0 or more"
    ) { try compiled(.prefix(count: -1)) },
    IllegalCall("The most values to drop", "[StreamEngine.ExecutionEvent.finished]") {
      let model = StreamModel(stream: [StreamItem(1)], operators: [.drop(count: .max)])
      let execution = Execution(try model.compile())
      execution.request(.unlimited)
      return events(of: execution)
    },
    IllegalCall(
      "Groups of no values",
      "error S104 at /operators/0/collect/count: 'count' is 0; expected an integer from 1 to 10000000"
    ) { try compiled(.collect(count: 0)) },
    IllegalCall("The widest range", "4") {
      let model = StreamModel(
        source: .range(.init(from: .min, through: .max, by: .max)), operators: [.map("string(value)")])
      let execution = Execution(try model.compile())
      execution.request(.unlimited)
      return events(of: execution).count
    },
    IllegalCall(
      "A range that goes nowhere",
      "error S104 at /source/range/by: 'by' is 0, so the range would never end; expected any other integer"
    ) {
      try StreamModel(source: .range(.init(from: 0, through: 1, by: 0))).compile().inputs.count
    },
    IllegalCall(
      "An empty expression", "error S201 at /operators/0/map/expression: the expression ends, expected a value"
    ) { try compiled(.map("")) },
    IllegalCall(
      "An expression of 100,000 parentheses",
      "error S207 at /operators/0/map/expression: the expression is nested more than 250 levels deep"
    ) {
      try compiled(.map(CELExpression(String(repeating: "(", count: 100_000))))
    },
    IllegalCall(
      "A regular expression without an end",
      "error S208 at /operators/0/filter/expression: '(' is not a regular expression: a '(' is not closed"
    ) { try compiled(.filter("'a'.matches('(')")) },
    IllegalCall("An input of an empty name", "error S301 at /source/input/name: there is no input ''") {
      try StreamModel(source: .input("")).compile().inputs.count
    },
    IllegalCall(
      "A stream that refers to itself",
      "error S110 at /streams/a/source/stream/name: the streams refer to each other in a circle: a → a"
    ) {
      try StreamModel(streams: ["a": StreamModel(source: .stream("a"))], source: .stream("a")).compile().inputs.count
    },
    IllegalCall(
      "Two streams that refer to each other",
      "error S110 at /streams/b/source/stream/name: the streams refer to each other in a circle: a → b → a"
    ) {
      try StreamModel(
        streams: ["a": StreamModel(source: .stream("b")), "b": StreamModel(source: .stream("a"))], source: .stream("a")
      ).compile().inputs.count
    },
    IllegalCall("A type that does not exist", #"error S119 at /inputs/in/type: "list(" is not a type"#) {
      try StreamModel(inputs: ["in": InputDeclaration(type: "list(")], source: .input("in")).compile().inputs.count
    },
    IllegalCall(
      "An initial value of another type",
      """
      error S102 at /inputs/in/initialValue: 'initialValue' does not fit the input's type: found a \
      string, but the declared type is int
      """
    ) {
      let input = InputDeclaration(type: .int, initialValue: "x")
      return try StreamModel(inputs: ["in": input], source: .input("in")).compile().inputs.count
    },
    IllegalCall(
      "A buffer of no values", "error S104 at /inputs/in/buffer/capacity: 'capacity' is 0; expected 1 or more"
    ) {
      let input = InputDeclaration(buffer: .init(capacity: 0, whenFull: .fail))
      return try StreamModel(inputs: ["in": input], source: .input("in")).compile().inputs.count
    },
    IllegalCall(
      "A model nested 2,000 levels deep in Swift",
      #"["S004: references between streams are nested more than 200 levels deep"]"#
    ) {
      var model = StreamModel(stream: [StreamItem(1)])
      for _ in 0..<2_000 {
        model = StreamModel(stream: [], operators: [.append(with: [.model(model)])])
      }
      return try IllegalCall.withoutPlace { try model.compile().inputs.count }
    },
    IllegalCall("An operator without a name", "error S106: an operator object has one operator as its key; found none")
    { try JSONDecoder().decode([PlacedOperator].self, from: Data("[{}]".utf8)) },
    IllegalCall("A model of another type", "error S102: expected a stream, which is an object; found an array") {
      try JSONDecoder().decode(StreamModel.self, from: Data("[]".utf8))
    },
  ]

  @Test("Models", arguments: models)
  func model(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }

  static let runs = [
    IllegalCall("Values for inputs that a pipeline does not have", "0") {
      let execution = Execution(try passing.compile())
      execution.request(.unlimited)
      for input in [-1, 1, Int.max, Int.min] {
        execution.send(1, to: input, at: .zero)
        execution.finish(input, at: .zero)
        execution.fail(input, StreamFailure(code: "app", message: "no"), at: .zero)
      }
      return events(of: execution).count
    },
    IllegalCall("The name of an input that a pipeline does not have", "error S301: the stream has no input 'other'") {
      let execution = Execution(try passing.compile())
      try execution.send(1, to: "other", at: .zero)
      return "sent"
    },
    IllegalCall("Results of calls that were not made", "0") {
      let execution = Execution(try passing.compile())
      execution.request(.unlimited)
      for call in [Int64.min, -1, 0, .max] { execution.resolve(call, with: .success(1), at: .zero) }
      return events(of: execution).count
    },
    IllegalCall("Events whose times go back, and are extreme", "4") {
      let execution = Execution(try passing.compile())
      execution.request(.unlimited)
      for time in [Int64.max, 5, .min, 0] { execution.send(1, to: 0, at: StreamTime(nanoseconds: time)) }
      execution.advance(to: StreamTime(nanoseconds: .min))
      execution.advance(to: .distantFuture)
      return events(of: execution).count
    },
    IllegalCall("Values after the end, two ends, and cancel twice", "2") {
      let execution = Execution(try passing.compile())
      execution.request(.unlimited)
      execution.send(1, to: 0, at: .zero)
      execution.finish(0, at: .zero)
      execution.finish(0, at: .zero)
      execution.send(2, to: 0, at: .zero)
      let seen = events(of: execution)
      execution.cancel()
      execution.cancel()
      execution.request(.unlimited)
      execution.send(3, to: 0, at: .zero)
      return seen.count + events(of: execution).count
    },
    IllegalCall("The largest demand, requested twice", "4") {
      let execution = Execution(try StreamModel(source: .range(1...3)).compile())
      execution.request(Demand(.max - 1))
      execution.request(Demand(.max - 1))
      return events(of: execution).count
    },
    IllegalCall(
      "Integer overflow in an expression",
      "S403: 9223372036854775807 + 1 does not fit into an int (at /operators/0/map/expression)"
    ) {
      let model = StreamModel(stream: [StreamItem(.int(.max))], operators: [.map("value + 1")])
      for try await value in model.values() { return value }
      return "the end"
    },
    IllegalCall(
      "A value that is not of the loop's type", "S414: a value does not fit Int: expected an integer, found a string"
    ) {
      for try await value in StreamModel(stream: [StreamItem("x")]).values(of: Int.self) { return value }
      return "the end"
    },
    IllegalCall("A value nested 100,000 levels deep through a stream", "true") {
      let input = PassthroughInput<Value>()
      let live = try LiveStream(passing, inputs: ["in": input])
      var values = live.values().makeAsyncIterator()
      input.send((0..<100_000).reduce(1) { value, _ in .list([value]) })
      return try await values.next()?.isDeeper(than: 99_999) ?? false
    },
    IllegalCall("A buffering policy of less than one value", "[1, 1, 1]") {
      var counts: [Int] = []
      for policy in [BufferingPolicy.bounded(0), .newest(-3), .oldest(.min)] {
        let input = PassthroughInput<Int>()
        let live = try LiveStream(passing, inputs: ["in": input])
        var values = live.values(of: Int.self, bufferingPolicy: policy).makeAsyncIterator()
        input.send(1)
        input.send(completion: .finished)
        var count = 0
        while try await values.next() != nil { count += 1 }
        counts.append(count)
      }
      return counts
    },
    IllegalCall("A buffering policy of the most values", "[2000, 2000, 2000]") {
      var counts: [Int] = []
      for policy in [BufferingPolicy.bounded(.max), .newest(.max), .oldest(.max)] {
        var count = 0
        for try await _ in try LiveStream(StreamModel(source: .range(1...2_000))).values(bufferingPolicy: policy) {
          count += 1
        }
        counts.append(count)
      }
      return counts
    },
    IllegalCall("Values sent to an input that has ended", "[Optional(2), nil, nil]") {
      let input = StreamInput(1)
      input.send(completion: .finished)
      input.send(2)
      input.fail(StreamFailure(code: "app", message: "late"))
      var values = try LiveStream(passing, inputs: ["in": input]).values(of: Int.self).makeAsyncIterator()
      return try await [values.next(), values.next(), values.next()]
    },
    IllegalCall("A feed that no input has", "error S301: the stream has no input 'other'") {
      try LiveStream(passing, inputs: ["in": StreamInput(1), "other": StreamInput(1)]).pipeline.inputs.count
    },
    IllegalCall("No feed for an input", "error S303: input 'in' has neither a feed nor an initial value") {
      try LiveStream(passing).pipeline.inputs.count
    },
    IllegalCall(
      "An infinite number to an input of ints",
      """
      S304: the value does not fit the input 'in': found the double "Infinity", but the declared type is \
      int (at /inputs/in)
      """
    ) {
      let input = PassthroughInput<Value>()
      let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
      var values = try LiveStream(model, inputs: ["in": input]).values().makeAsyncIterator()
      input.send(.double(.infinity))
      return try await values.next() ?? "the end"
    },
    IllegalCall(
      "A date that is not a number to an input",
      "S414: a value of type Date cannot be encoded: a date is outside the years 1 to 9999"
    ) {
      let input = PassthroughInput<Date>()
      var values = try LiveStream(passing, inputs: ["in": input]).values().makeAsyncIterator()
      input.send(Date(timeIntervalSince1970: .nan))
      return try await values.next() ?? "the end"
    },
    IllegalCall(
      "A limit of work below zero",
      "S417: no event within -1 steps, up to 0.0 seconds: 'repeatElement' publishes values that lead to none "
        + "(at /source/repeatElement)"
    ) {
      var services = HostServices()
      services.limits = RunLimits(budget: -1)
      let live = try LiveStream(
        StreamModel(source: .repeatElement(.init(value: 1)), operators: [.filter("value > 1")]), services: services)
      for try await value in live.values() { return value }
      return "the end"
    },
    IllegalCall(
      "The state of another model",
      "error S412: the snapshot is damaged or belongs to another pipeline: it has 0 inputs, expected 1"
    ) {
      let saved = try Execution(StreamModel(source: .range(1...3)).compile()).snapshot()
      return try Execution(passing.compile(), restoring: saved).isEnded
    },
    IllegalCall(
      "A damaged state",
      """
      error S102 at /origin/$timestamp (snapshot:1:21): an object with the single key '$timestamp' is \
      not a known form of a saved value
      """
    ) {
      let execution = Execution(try StreamModel(source: .range(1...3), operators: [.scan("acc + value")]).compile())
      execution.request(Demand(1))
      _ = events(of: execution)
      let text = try execution.snapshot().text()
      let damaged = try Snapshot(text: text.replacing("1", with: "-7"))
      return try Execution(
        StreamModel(source: .range(1...3), operators: [.scan("acc + value")]).compile(), restoring: damaged
      ).isEnded
    },
    IllegalCall("A state that is cut off", "error S001 at /isAskedForAll (snapshot:1:279): 'fals' is not a JSON value")
    {
      try Snapshot(text: String(Execution(passing.compile()).snapshot().text().dropLast(2)))
    },
    IllegalCall(
      "The state of another model, restored by a loop",
      "S412: the snapshot is damaged or belongs to another pipeline: it has 0 inputs, expected 1"
    ) {
      let saved = try Execution(StreamModel(source: .range(1...3)).compile()).snapshot()
      var live = try LiveStream(passing, inputs: ["in": PassthroughInput<Int>()])
      live.state = StreamState(restoring: saved)
      for try await value in live.values() { return value }
      return "the end"
    },
    IllegalCall("A state at the end of time", #"[0, 1, "finished"]"#) {
      let model = StreamModel(source: .timer(every: 1, count: 2))
      let execution = Execution(try model.compile())
      execution.request(.unlimited)
      execution.advance(to: .zero)
      _ = events(of: execution)
      let text = try execution.snapshot().text()
      let (scheduler, received) = (VirtualScheduler(), Recorder<Value>())
      var live = try LiveStream(model)
      live.state = StreamState(
        restoring: try Snapshot(text: text.replacing(#""time":0"#, with: #""time":\#(Int64.max)"#)))
      scheduler.run(through: VirtualInstant(nanoseconds: 7)) { true }
      let token = live.publisher(scheduler: scheduler).sink(
        receiveCompletion: { received.append(.string("\($0)")) }, receiveValue: { received.append($0) })
      scheduler.run(through: VirtualInstant(nanoseconds: .max)) { received.values.count < 3 }
      token.cancel()
      return received.values
    },
    IllegalCall("A state without a subscription", "S412: there is no state: no subscription that has it runs") {
      try await StreamState().save()
    },
    IllegalCall("A state for two subscriptions", "S412: another subscription has the state: each needs one of its own")
    {
      var live = try LiveStream(passing, inputs: ["in": PassthroughInput<Int>()])
      live.state = StreamState()
      let first = live.values().makeAsyncIterator()
      defer { _ = first }
      var second = live.values().makeAsyncIterator()
      return try await second.next() ?? "the end"
    },
    IllegalCall(
      "A function whose argument is of another type",
      "S414: a value does not fit Int: expected an integer, found a string (at /source/call)"
    ) {
      var services = HostServices()
      services.function("half") { (number: Int) in number / 2 }
      let model = StreamModel(source: .call(.init(function: "half", argument: "'x'")))
      for try await value in model.values(services: services) { return value }
      return "the end"
    },
    IllegalCall(
      "A function that is not registered", "S121: this host has no function 'half' (at /source/call/function)"
    ) {
      for try await value in StreamModel(source: .call(.init(function: "half"))).values() { return value }
      return "the end"
    },
    IllegalCall(
      "A message that does not fit its hook",
      #"["S414: a value does not fit Int: expected an integer, found a string (at /operators/0)"]"#
    ) {
      let reported = Recorder<String>()
      var services = HostServices()
      services.hook("seen") { (_: Int) in }
      services.report = { reported.append("\($0)") }
      let model = StreamModel(
        stream: [StreamItem("x")], operators: [PlacedOperator(.handleEvents(.init(receiveOutput: "seen")))])
      for try await _ in model.values(services: services) {}
      return reported.values
    },
    IllegalCall("Recordings with times before the start, for inputs that do not exist", "0") {
      let run = VirtualRun(Execution(try passing.compile()), until: StreamTime(nanoseconds: -1), eventLimit: -1)
      let history = History([
        .value(1, at: -.infinity), .value(2, at: .nan), .value(3, at: 1), .finished(at: .infinity),
      ])
      run.feed([(0, history), (-1, history), (.max, history)])
      return run.run().events.count
    },
  ]

  @Test("Runs", arguments: runs)
  func run(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }

  private static func edited(_ edit: StreamEdit) throws -> String {
    let text = #"{"stream": [{"value": 1}], "operators": [{"map": {"expression": "value"}}]}"#
    var editor = StreamEditor(try JSONDocument(reading: text, file: "a.json"))
    editor.undo()
    editor.redo()
    try editor.apply(edit)
    return editor.text
  }

  static let edits = [
    IllegalCall("A limit of undo below zero", "false") {
      var editor = StreamEditor(try JSONDocument(reading: #"{"stream": []}"#, file: "a.json"))
      editor.undoLimit = -1
      try editor.apply(.appendItem(1))
      return editor.canUndo
    },
    IllegalCall(
      "An operator at a negative index",
      "error S104 at /operators (a.json:1:41): no operator can be added at -1: there is 1 operator"
    ) { try edited(.addOperator(#"{"share": {}}"#, at: -1)) },
    IllegalCall(
      "An operator far beyond the last one",
      """
      error S104 at /operators (a.json:1:41): no operator can be added at 9223372036854775807: there is \
      1 operator
      """
    ) {
      try edited(.addOperator(JSONFragment(["share": [:]]), at: .max))
    },
    IllegalCall(
      "Removal of an operator that does not exist",
      """
      error S104 at /operators (a.json:1:41): there is no operator 9223372036854775807: there is 1 \
      operator
      """
    ) { try edited(.removeOperator(.index(.max))) },
    IllegalCall(
      "Removal of an operator by an unknown id", "error S011 at /operators (a.json:1:41): no operator has the id ''"
    ) { try edited(.removeOperator(.id(""))) },
    IllegalCall(
      "An operator moved to a negative index",
      """
      error S104 at /operators (a.json:1:41): there is no operator -9223372036854775808: there is 1 \
      operator
      """
    ) { try edited(.moveOperator(from: .index(0), to: .min)) },
    IllegalCall(
      "An item at a negative index", "error S104 at /stream (a.json:1:12): no item can be added at -1: there is 1 item"
    ) { try edited(.insertItem(2, at: -1)) },
    IllegalCall(
      "Removal of an item that does not exist",
      "error S104 at /stream (a.json:1:12): there is no item -9223372036854775808: there is 1 item"
    ) { try edited(.removeItem(at: .min)) },
    IllegalCall(
      "An item with an infinite delay",
      """
      error S102 at /stream/1/operators/0/delay/seconds (a.json:1:76): 'seconds' is a string; expected a \
      number of seconds from 0 to 31536000
      """
    ) { try edited(.appendItem(2, delay: .infinity)) },
    IllegalCall("A value at an unknown place", "error S011 (a.json:1:1): there is nothing at '/nothing/0'") {
      try edited(.set(JSONPointer(["nothing", "0", ""]), 1))
    },
    IllegalCall("Removal of the whole file", "error S011 (a.json:1:1): the whole file cannot be removed") {
      try edited(.remove(JSONPointer()))
    },
    IllegalCall(
      "A part moved into itself",
      "error S011 at /operators (a.json:1:41): '/operators' cannot be moved into itself, to '/operators/0'"
    ) {
      try edited(.move(from: JSONPointer(["operators"]), to: JSONPointer(["operators", "0"])))
    },
    IllegalCall("An initial value of an unknown input", "error S301 (a.json:1:1): the file has no input ''") {
      try edited(.setInput("", 1))
    },
    IllegalCall(
      "A value nested 100,000 levels deep in an edit",
      #"["S004: arrays and objects are nested more than 512 levels deep"]"#
    ) {
      let deep = (0..<100_000).reduce(1 as Value) { value, _ in .list([value]) }
      return try IllegalCall.withoutPlace { try edited(.appendItem(JSONFragment(deep))) }
    },
  ]

  @Test("Edits", arguments: edits)
  func edit(call: IllegalCall) async {
    let outcome = await call.outcome()
    #expect(outcome == call.result)
  }
}
