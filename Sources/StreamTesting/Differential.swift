public import StreamCore
internal import StreamKit
internal import StreamRuntime

/// Runs a random pipeline in every execution mode and compares it with the baseline, which runs each operator as a
/// machine.
public struct Differential {
  /// A mode of execution to compare with the baseline.
  public enum Mode: String, CaseIterable, Sendable {
    /// As one program. Values are sent one at a time; a source runs until the stream publishes an event.
    case singly
    /// As one program. The host sends arrays of random lengths.
    case lists
    /// As one program. The host sends slices of structs.
    case structs
    /// As one program, with a demand of a few values at a time.
    case demand
    /// Alternating between one program and separate machines: saved and restored at random points, with arrays sent in
    /// between.
    case restored
  }

  /// A difference between a mode and the baseline.
  public struct Difference: Sendable {
    public let mode: Mode
    public let text: String
  }

  /// The errors of operators that do not fit each other's types.
  package static let misfits: Set<DiagnosticCode> = [.typeMismatch, .noMatchingOverload, .unknownField]

  public let pipeline: RandomPipeline
  /// The modes that apply to the pipeline.
  public let modes: [Mode]
  private let fused: Pipeline
  private let plain: Pipeline

  /// Compiles the pipeline with and without fusion.
  ///
  /// - Returns: Nil if neighboring operators do not fit each other's types.
  /// - Throws: Any other error in the pipeline, which is a bug of the generator.
  public init?(_ pipeline: RandomPipeline) throws(Diagnostics) {
    var options = CompileOptions(files: ValueFilesInMemory(["rows.ndjson": pipeline.text]))
    let model = try StreamModel(json: pipeline.model)
    let fused: Pipeline
    do throws(Diagnostics) {
      fused = try model.compile(options)
    } catch {
      guard error.all.allSatisfy({ Self.misfits.contains($0.code) }) else { throw error }
      return nil
    }
    options.fuses = false
    let plain = try model.compile(options)
    (self.pipeline, self.fused, self.plain) = (pipeline, fused, plain)
    modes =
      switch pipeline.feed {
      case .source: [.singly, .demand, .restored]
      case .values: [.singly, .lists, .demand, .restored]
      case .readings: [.singly, .lists, .structs, .demand, .restored]
      }
  }

  /// Number of values processed by columns so far.
  public var columnInputCount: Int { fused.columnInputCount }

  /// A short form of the stream file, and the number of values fed.
  public var listing: String { "\(pipeline.size) values: \(JSONWriter.compact(pipeline.model).prefix(2_000))" }

  /// Returns the differences between the modes and the baseline.
  public func differences() -> [Difference] {
    let expected = told(by: Execution(plain), .singly)
    return modes.compactMap { mode in
      let told = told(by: Execution(fused), mode)
      if told == expected { return nil }
      let place = zip(expected, told).prefix { $0 == $1 }.count
      let (wanted, found) = (expected.dropFirst(place).prefix(3), told.dropFirst(place).prefix(3))
      return Difference(
        mode: mode, text: "after \(place) events: expected \(Array(wanted)), got \(Array(found))")
    }
  }

  // MARK: Running

  /// The events of a stream as text, from the first request until no more come.
  private func told(by execution: Execution, _ mode: Mode) -> [String] {
    var run = DifferentialRun(execution, seed: pipeline.seed)
    if mode == .restored { run.pipelines = [fused, plain] }
    if mode == .demand { run.demand = Demand(1 + Int(pipeline.seed % 40)) }
    run.begin()
    switch pipeline.feed {
    case .source: break
    case .values(let values): run.send(values, inLists: mode == .lists || mode == .restored)
    case .readings(let readings):
      if mode == .structs {
        run.send(readings)
      } else {
        let values = readings.map(RandomPipeline.Reading.layout.value(of:))
        run.send(values, inLists: mode == .lists || mode == .restored)
      }
    }
    run.end()
    return run.told
  }
}

/// A run of a random pipeline.
private struct DifferentialRun {
  var execution: Execution
  var told: [String] = []
  /// The pipelines to continue with when a run is saved and restored; empty for a run without restoring.
  var pipelines: [Pipeline] = []
  /// Number of values requested whenever no more events follow.
  var demand = Demand.unlimited
  private var generator: SeededGenerator

  init(_ execution: Execution, seed: UInt64) {
    self.execution = execution
    generator = SeededGenerator(seed: ~seed)
  }

  mutating func begin() {
    execution.request(demand)
    drain()
  }

  /// Sends values one by one, or in arrays of which some are empty or have one value, and some contain all values.
  mutating func send(_ values: [Value], inLists: Bool) {
    var rest = values[...]
    while !rest.isEmpty {
      guard inLists else {
        if let event = execution.next(sending: rest.removeFirst(), to: 0, at: .zero) { tell(event) }
        drain()
        continue
      }
      var list = rest.prefix(length)
      rest = rest.dropFirst(list.count)
      repeat {
        while let event = execution.next(sending: &list, to: 0, at: .zero) { tell(event) }
        drain()
      } while !list.isEmpty
      restore()
    }
  }

  mutating func send(_ readings: [RandomPipeline.Reading]) {
    var rest = readings[...]
    while !rest.isEmpty {
      var list = rest.prefix(length)
      rest = rest.dropFirst(list.count)
      while let event = execution.next(sending: &list, as: RandomPipeline.Reading.layout, to: 0, at: .zero) {
        tell(event)
      }
      drain()
    }
  }

  mutating func end() {
    execution.finish(0, at: .zero)
    drain()
  }

  /// Number of values to send at once.
  private var length: Int {
    mutating get { generator.pick([1, 20 + generator.below(60), 32, 100, 600, 1_024, 5_000]) }
  }

  // MARK: Events

  /// Hears everything that there is to hear.
  private mutating func drain() {
    while true {
      while let event = next() { tell(event) }
      guard !demand.isUnlimited, !execution.isEnded else { return }
      let count = told.count
      execution.request(demand)
      while let event = next() { tell(event) }
      if told.count == count { return }
    }
  }

  /// Returns the next event. A run to be restored is restored between any two deliveries.
  private mutating func next() -> ExecutionEvent? {
    guard !pipelines.isEmpty else { return execution.next() }
    while true {
      switch execution.step(atMost: 1 + generator.below(60)) {
      case .event(let event):
        if generator.happens(oneIn: 30) { restore() }
        return event
      case .idle: return nil
      case .unfinished: restore()
      }
    }
  }

  private mutating func restore() {
    guard !pipelines.isEmpty else { return }
    do {
      let text = try execution.snapshot().text()
      execution = try Execution(generator.pick(pipelines), restoring: Snapshot(text: text))
    } catch {
      told.append("not restored: \(error)")
      pipelines = []
    }
  }

  private mutating func tell(_ event: ExecutionEvent) { told.append(event.text(.all)) }
}
