/// Measures streams in turn.
package struct Measurement {
  /// Number of rounds.
  let rounds: Int

  package init(rounds: Int) {
    self.rounds = rounds
  }

  /// The least time of one measurement; a stream that is quicker runs more than once.
  private static let leastTime = Duration.milliseconds(50)

  /// The figures of a stream.
  package struct Figures {
    let name: String
    let part: Int?
    /// The counts of one run.
    let tally: RunTally
    /// Whether a run ended because of its work, before its values did.
    let isStopped: Bool
    /// Nanoseconds a value that went in, of each round, from the least to the most.
    let times: [Double]
    /// Nanoseconds in which its file is read, checked and compiled, of each round, from the least to the most.
    let compiling: [Double]

    var median: Double { Self.median(times) }
    var compileMedian: Double { Self.median(compiling) }

    private static func median(_ sorted: [Double]) -> Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }
  }

  /// Measures all of them.
  package func figures(of streams: [MeasuredStream]) throws(MeasurementStop) -> [Figures] {
    var states: [State] = []
    for stream in streams { states.append(try State(stream)) }
    for _ in 0..<rounds {
      for place in states.indices { try states[place].measure() }
    }
    return states.map(\.figures)
  }

  /// A stream with its figures so far.
  private struct State {
    let stream: MeasuredStream
    let extent: SourceExtent?
    let tally: RunTally
    let runs: Int
    var times: [Double] = []
    var compiling: [Double] = []

    /// Runs the stream once, to warm up, and to see how often it has to run.
    init(_ stream: MeasuredStream) throws(MeasurementStop) {
      self.stream = stream
      extent = try stream.extent()
      let clock = ContinuousClock()
      let start = clock.now
      tally = try stream.run(extent)
      let time = max(start.duration(to: clock.now), .nanoseconds(100))
      runs = max(1, Int((Measurement.leastTime / time).rounded(.up)))
      stream.compile()
    }

    mutating func measure() throws(MeasurementStop) {
      let clock = ContinuousClock()
      var start = clock.now
      for _ in 0..<runs { _ = try stream.run(extent) }
      times.append(start.duration(to: clock.now) / .nanoseconds(1) / Double(runs * max(tally.taken, 1)))
      start = clock.now
      stream.compile()
      compiling.append(start.duration(to: clock.now) / .nanoseconds(1))
    }

    var figures: Figures {
      Figures(
        name: stream.name, part: stream.part, tally: tally, isStopped: tally.isStopped || extent?.isStopped == true,
        times: times.sorted(), compiling: compiling.sorted())
    }
  }
}
