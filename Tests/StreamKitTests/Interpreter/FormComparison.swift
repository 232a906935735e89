import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// Compares a stream of one input as one program with the same stream as stages.
enum FormComparison {
  /// Checks that both forms publish the same events, without a break and saved and restored anywhere.
  ///
  /// - Parameters:
  ///   - text: The stream.
  ///   - values: The values of its input.
  ///   - seed: Determines where the run is saved.
  ///   - comparesSnapshots: Whether both forms have the same snapshots, too.
  /// - Returns: Whether the stream compiles.
  @discardableResult
  static func check(
    _ text: String, _ values: [Value], _ demand: Demand, seed: UInt64, comparesSnapshots: Bool = true
  ) throws -> Bool {
    let model = try StreamModel(parsing: text)
    var options = CompileOptions()
    let fused: Pipeline
    do throws(Diagnostics) {
      fused = try model.compile(options)
    } catch {
      #expect(error.all.map(\.code).allSatisfy(Differential.misfits.contains), "\(text): \(error)")
      return false
    }
    options.fuses = false
    let plain = try model.compile(options)
    let expected = try events(of: [plain], values, demand, restoring: nil)
    let forms: [SeededGenerator?] = [nil, SeededGenerator(seed: seed)]
    for restoring in forms {
      let events = try events(of: restoring == nil ? [fused] : [fused, plain], values, demand, restoring: restoring)
      let same = zip(events, expected).prefix { $0 == $1 }.count
      #expect(
        events == expected,
        "\(text): event \(same) is \(events.dropFirst(same).first ?? "missing"); expected \(expected.dropFirst(same).first ?? "nothing")"
      )
    }
    guard comparesSnapshots else { return true }
    let snapshots = try [fused, plain].map { try snapshot(of: $0, after: values.prefix(9)) }
    #expect(snapshots[0].count == snapshots[1].count, "\(text):\n\(snapshots[0])\n\(snapshots[1])")
    return true
  }

  /// Checks random streams of one input, over random values and with random demand.
  ///
  /// - Parameters:
  ///   - count: The number of streams.
  ///   - seed: Determines the streams, the values and the demand.
  ///   - makeStream: Returns the next stream; one whose input is `{}` gets values of other types, too.
  static func checkStreams(
    _ count: UInt64, seed: UInt64, comparesSnapshots: Bool = true,
    _ makeStream: (inout SeededGenerator) -> String
  ) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count {
      let text = makeStream(&generator)
      let values = values(&generator, isTyped: !text.contains("{}"))
      let demand = generator.happens(oneIn: 4) ? Demand(30) : .unlimited
      try check(text, values, demand, seed: seed, comparesSnapshots: comparesSnapshots)
    }
  }

  private static func snapshot(of pipeline: Pipeline, after values: ArraySlice<Value>) throws -> String {
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    for value in values {
      execution.send(value, to: 0, at: .zero)
      while execution.next() != nil {}
    }
    // An input without a current value owes none, whatever it says.
    return try execution.snapshot().text().replacing("\"owesCurrent\":true", with: "\"owesCurrent\":false")
  }

  /// Returns the events of a stream for values; with a generator, the run is occasionally saved and restored.
  private static func events(
    of pipelines: [Pipeline], _ values: [Value], _ demand: Demand, restoring generator: SeededGenerator?
  ) throws -> [String] {
    var (execution, events, generator) = (Execution(pipelines[0]), [String](), generator)
    func drain() { while let event = execution.next() { events.append(event.text(.all)) } }
    execution.request(demand)
    drain()
    var time = StreamTime.zero
    for (number, value) in values.enumerated() {
      // Now and then most groups have been idle for long enough.
      time = time + Interval(nanoseconds: Int64(number * 37 % 11 < 9 ? number % 2 : 3) * 1_000_000)
      if number % 5 == 0 {
        execution.advance(to: time)
        drain()
      }
      if let event = execution.next(sending: value, to: 0, at: time) { events.append(event.text(.all)) }
      drain()
      guard generator?.happens(oneIn: 12) == true, let next = generator?.pick(pipelines) else { continue }
      execution = try Execution(next, restoring: Snapshot(text: execution.snapshot().text()))
    }
    execution.finish(0, at: time)
    drain()
    execution.advance(to: time + Interval(nanoseconds: 1_000_000_000))
    drain()
    return events
  }

  /// Random values: integers, and other types if the input is untyped.
  private static func values(_ generator: inout SeededGenerator, isTyped: Bool) -> [Value] {
    (0..<generator.pick([1, 5, 60, 200])).map { _ in
      !isTyped && generator.happens(oneIn: 60)
        ? generator.pick([.null, "t", 2.5, [1]]) : .int(Int64(generator.below(60)))
    }
  }
}
