import StreamKit
import StreamTesting
import Synchronization
import TestSupport
import Testing

/// Publishes the exponential moving average of the numbers.
struct Smooth: OperatorDefinition {
  /// Weight of the new number, from 0 to 1.
  var factor: Double
  /// Selects the number. Default `value`.
  var expression: CELExpression?
}

extension Smooth {
  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try expression.map { expression throws(Diagnostics) in
      try context.plan(expression, field: "expression")
    }
    return SmoothMachine(factor: factor, expression: planned)
  }
}

private struct SmoothMachine: Machine {
  let factor: Double
  let expression: PlannedExpression?
  /// Saved in snapshots.
  var state = State()

  struct State: Codable, Sendable {
    var smoothed: Double?
    var index: Int64 = 0
  }

  func problem(with saved: State) -> String? {
    (0..<1 << 62).contains(saved.index) ? nil : "has received \(saved.index) values"
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let result = try expression?.evaluate(effects, value, index: state.index) ?? value
    let number: Double
    switch result {
    case .int(let int): number = Double(int)
    case .double(let double): number = double
    default: throw StreamFailure(code: "acme.noNumber", message: "\(result.describedType) cannot be smoothed")
    }
    let smoothed = state.smoothed.map { $0 + factor * (number - $0) } ?? number
    state = State(smoothed: smoothed, index: state.index + 1)
    effects.publish(.double(smoothed))
  }
}

extension Smooth {
  static let spec = OperatorSpec(
    "acme.smooth", "Publishes the exponential moving average of the numbers.",
    fields: [
      .required("factor", .number(0...1), "Weight of the new number, from 0 to 1."),
      .optional("expression", .expression(["value", "index"]), "Selects the number. Default `value`."),
    ],
    examples: [
      .marbles(
        "a jump is followed slowly", #"{"acme.smooth": {"factor": 0.5}}"#, in: "a-b-b-b|", out: "p-q-r-s|",
        values: ["a": 0, "b": 8, "p": 0.0, "q": 4.0, "r": 6.0, "s": 7.0]),
      .marbles(
        "a member of each value", #"{"acme.smooth": {"factor": 0.25, "expression": "value.x + index"}}"#,
        in: "a-a|", out: "p-q|", values: ["a": ["x": 4], "p": 4.0, "q": 4.25]),
      .marbles("a string is no number", #"{"acme.smooth": {"factor": 1}}"#, in: "-a-b|", out: "-#"),
      .rejects(
        "a weight above 1", #"{"acme.smooth": {"factor": 2}}"#, .outOfRange, at: "/acme.smooth/factor"),
    ])
}

/// Publishes values while the newest value of another stream is true.
struct Gate: OperatorDefinition {
  /// The other stream, an array of one.
  var with: StreamReferences
}

extension Gate {
  var joined: [JoinedStream] { with.joined }

  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.inputType
    return GateMachine()
  }
}

private struct GateMachine: Machine {
  /// Whether values pass.
  var state = false

  mutating func start(_ effects: Effects) {
    effects.subscribe(to: 1)
    effects.request(.unlimited, from: 1)
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == 1 {
      state = value == true
    } else if state {
      effects.publish(value)
    } else {
      // The dropped value did not satisfy the demand.
      effects.request(Demand(1), from: 0)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == 1, completion == .finished { return }
    effects.complete(completion)
  }
}

extension Gate {
  static let spec = OperatorSpec(
    "acme.gate", "Publishes values while the newest value of another stream is true.",
    fields: [.required("with", .streams, "The other stream, an array of one.")],
    examples: [
      .joins(
        "open, then closed", #"{"acme.gate": {"with": ["b"]}}"#, in: ["-a-c-d-e|", "--t---f|"], out: "---c-d--|",
        values: ["t": true, "f": false]),
      .joins("a gate that fails", #"{"acme.gate": {"with": ["b"]}}"#, in: ["-a-c-d-e|", "--#"], out: "--#"),
      .rejects("no gate", #"{"acme.gate": {}}"#, .missingField, at: "/acme.gate"),
    ])
}

/// A machine that publishes everything twice, whatever the demand.
private struct LoudMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    effects.publish(value)
    effects.publish(value)
  }
}

/// An operator of the host's own, as its author writes, registers and tests it.
@Suite struct CustomOperatorTests {
  static let host = StreamHost(operators: [Smooth.self])

  @Test("It keeps every law")
  func laws() throws {
    let broken = try Laws.broken(by: Smooth.self)
    #expect(broken == [])
  }

  @Test("One that takes another stream keeps every law")
  func lawsOfJoining() throws {
    let broken = try Laws.broken(by: Gate.self)
    #expect(broken == [])
  }

  @Test("A broken law is reported with the example") func brokenLaws() throws {
    struct Loud: OperatorDefinition {
      func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine { LoudMachine() }
      static let spec = OperatorSpec(
        "acme.loud", "Publishes each value.",
        examples: [.marbles("says all", #"{"acme.loud": {}}"#, in: "-a-b|", out: "-a-b|")])
    }
    let broken = try Laws.broken(by: Loud.self)
    #expect(broken.contains { $0.hasPrefix("says all: does what it says: expected [") })
    #expect(broken.contains { $0.hasPrefix("says all: keeps to demand: asked for 1 value, it published 2") })
  }

  @Test("A file uses it like any other operator, and its tests run")
  func runs() throws {
    let file = """
      {
        "requires": ["acme.smooth"],
        "inputs": { "level": { "type": "int" } },
        "source": { "input": { "name": "level" } },
        "operators": [
          { "acme.smooth": { "factor": 0.5, "expression": "value * 2" }, "label": "calm" },
          { "filter": { "expression": "value > 1.5" } }
        ],
        "tests": [
          { "name": "follows", "inputs": { "level": { "values": [0, 4, 4] } }, "expect": { "values": [4, 6] } }
        ]
      }
      """
    let host = StreamHost(operators: [Smooth.self])
    let stream = try StreamFile(JSONDocument(reading: file, file: "level.json"), identity: "level.json")
    let options = CompileOptions(host: host)
    let outcomes = try TestRunner(stream, options: options).run()
    let execution = Execution(try stream.compile(options))

    #expect(outcomes.map(\.differences) == [[]])
    execution.request(.unlimited)
    execution.send(3, to: 0, at: .zero)
    let first = execution.next()
    #expect(first == .value(6.0))
  }

  @Test("A file is checked with all that an app has, in one place, and runs with it")
  func checking() async throws {
    let seen = Mutex<[Double]>([])
    var services = HostServices()
    services.function("app.twice") { (number: Int) in 2 * number }
    services.hook("app.seen") { (number: Double) in seen.withLock { $0.append(number) } }
    services.expressionFunctions = [
      FunctionDeclaration(name: "app.negated", overloads: [Signature("app.negated", [.int], .int)]) { arguments in
        arguments[0].int.map { .int(Int64(-$0)) } ?? .null
      }
    ]
    let file = """
      {
        "requires": ["acme.smooth", "app.twice", "app.seen"],
        "stream": [ { "value": 1 }, { "value": 3 } ],
        "operators": [
          { "flatMap": { "stream": { "source": { "call": { "function": "app.twice", "argument": "outer" } } },
                         "strategy": "concat" } },
          { "acme.smooth": { "factor": 0.5, "expression": "app.negated(value)" } },
          { "handleEvents": { "receiveOutput": "app.seen" } }
        ]
      }
      """
    let options = CompileOptions(services: services, operators: [Smooth.self])
    let model = try StreamModel(checking: file, options: options)
    let both = try StreamModel(
      checking: file, services: services, options: CompileOptions(host: StreamHost(operators: [Smooth.self])))
    #expect(both == model)
    let partial = [
      CompileOptions(services: services), CompileOptions(host: StreamHost(operators: [Smooth.self])),
    ]
    for options in partial {
      let error = #expect(throws: Diagnostics.self) { try StreamModel(checking: file, options: options) }
      #expect(error?.all.first?.code == .notRegistered)
    }
    // The names of the services may be there already.
    var values: [Double] = []
    for try await value in try LiveStream(model, services: services, options: options).values(of: Double.self) {
      values.append(value)
    }
    #expect(values == [-2, -4])
    #expect(seen.withLock { $0 } == values)
  }

  /// The errors of a file on the host, as `code line:column help`.
  private func problems(_ operators: String, host: StreamHost = Self.host) -> [String] {
    let file = "{\"stream\": [{\"value\": 1}],\n\(operators)}"
    do {
      let stream = try StreamFile(JSONDocument(reading: file, file: "a.json"), identity: "a.json")
      _ = try stream.compile(CompileOptions(host: host))
      return []
    } catch {
      return error.all.map { problem in
        let place = problem.location.map { "\($0.line):\($0.column)" } ?? "nowhere"
        return "\(problem.code.rawValue) \(place) \(problem.pointer) \(problem.help ?? "")"
      }
    }
  }

  @Test("A host that has not registered it refuses the file where it is named")
  func notRegistered() {
    let found = problems(#""operators": [{"acme.smooth": {"factor": 1}}]"#, host: StreamHost())
    #expect(
      found == [
        "S121 2:16 /operators/0/acme.smooth "
          + "run the file in the app it was written for, which registers 'acme.smooth'"
      ])
    let near = problems(#""operators": [{"acme.smoth": {"factor": 1}}]"#)
    #expect(near == ["S121 2:16 /operators/0/acme.smoth did you mean 'acme.smooth'?"])
  }

  @Test("Wrong fields are reported like those of any operator, each at its place")
  func wrongFields() {
    let missing = problems(#""operators": [{"acme.smooth": {}}]"#)
    #expect(missing == ["S103 2:31 /operators/0/acme.smooth add \"factor\", a number from 0 to 1"])
    let noObject = problems(#""operators": [{"acme.smooth": 3}]"#)
    #expect(noObject.count == 1 && noObject[0].hasPrefix("S102 2:31 /operators/0/acme.smooth"))
    let unknown = problems(#""operators": [{"acme.smooth": {"factor": 1, "facter": 1}}]"#)
    #expect(unknown == ["S101 2:45 /operators/0/acme.smooth/facter did you mean 'factor'?"])
    let tooMuch = problems(#""operators": [{"acme.smooth": {"factor": 1.5}}]"#)
    #expect(tooMuch.count == 1 && tooMuch[0].hasPrefix("S104 2:42 /operators/0/acme.smooth/factor"))
    let expression = problems(#""operators": [{"acme.smooth": {"factor": 1, "expression": "valeu"}}]"#)
    #expect(expression.count == 1)
    #expect(expression[0].hasPrefix("S202 2:60 /operators/0/acme.smooth/expression"))
  }

  @Test("A file that requires what the host lacks is refused, even where it names it nowhere else")
  func requires() {
    let found = problems(#""requires": ["map", "acme.smooth"]"#, host: StreamHost())
    #expect(found.count == 1 && found[0].hasPrefix("S121 2:21 /requires/1 "))
    #expect(problems(#""requires": ["map", "acme.smooth"]"#) == [])
  }

  @Test("Reading and writing a file keeps it on a host that does not know it")
  func roundTrip() throws {
    let file = #"{"stream":[{"value":1}],"operators":[{"acme.other":{"a":[1,2.5,null]}},{"acme.odd":3}]}"#
    let model = try StreamModel(json: JSONDocument(reading: file, file: "a.json").value)
    #expect(JSONWriter.compact(model.json) == file)
  }

  @Test("It stands inside other operators too, and what makes it fail can be skipped") func inside() throws {
    let file = """
      {"stream": [{"value": 4}, {"value": "x"}, {"value": 8}],
       "operators": [{"window": {"count": 3, "operators": [
         {"acme.smooth": {"factor": 0.5, "expression": "value"}, "onError": "skip"},
         {"map": {"expression": "value + windowIndex"}}]}}]}
      """
    let pipeline = try StreamModel(json: JSONDocument(reading: file, file: "a.json").value)
      .compile(CompileOptions(host: Self.host))
    let history = VirtualRun(Execution(pipeline)).run()
    let skipped = history.events.compactMap { if case .skipped(let failure) = $0.event { failure } else { nil } }
    #expect(history.values == [4.0, 6.0])
    #expect(skipped.map(\.code) == ["acme.noNumber"])
    #expect(skipped.map { "\($0.pointer)" } == ["/operators/0/window/operators/0"])
  }

  @Test("The output has an unknown type unless the operator declares one: the next expression detects it")
  func typeIsNotKnown() throws {
    let file = """
      {"source": {"range": {"from": 1, "through": 2}},
       "operators": [{"acme.smooth": {"factor": 0.5}}, {"map": {"expression": "value + 0.25"}}]}
      """
    let pipeline = try StreamModel(json: JSONDocument(reading: file, file: "a.json").value)
      .compile(CompileOptions(host: Self.host))
    let history = VirtualRun(Execution(pipeline)).run()
    #expect(history.values == [1.25, 1.75])
  }

  @Test("A name without a dot is not a host operator's name")
  func nameWithoutDot() {
    struct Plain: OperatorDefinition {
      func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
        SmoothMachine(factor: 1, expression: nil)
      }
      static let spec = OperatorSpec("smooth", "Publishes everything.", examples: [])
    }
    let found = problems(#""operators": [{"smooth": {}}]"#, host: StreamHost(operators: [Plain.self]))
    #expect(found.count == 1 && found[0].hasPrefix("S105"))
    // A host with such an operator gets the error for every stream.
    let host = problems(#""operators": []"#, host: StreamHost(operators: [Plain.self]))
    #expect(host.count == 1 && host[0].hasPrefix("S112"), "\(host)")
    let twice = problems(#""operators": []"#, host: StreamHost(operators: [Smooth.self, Smooth.self]))
    #expect(twice.count == 1 && twice[0].hasPrefix("S118"), "\(twice)")
  }
}
