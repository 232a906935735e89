package import StreamCore
package import StreamEngine
package import StreamKit

/// A stream to measure, with its input.
package struct MeasuredStream {
  /// The name for people.
  let name: String
  /// Number of operators measured; nil for all, 0 for the source alone.
  let part: Int?
  let pipeline: Pipeline
  let work: Work
  let skipsErrors: Bool
  /// Limit on the work of a run.
  let workLimit: RunLimits
  /// Compiles its file once more.
  let compile: () -> Void
  /// Makes a diagnostic of a failure, with its place in the stream file.
  let explain: (StreamFailure) -> Diagnostic

  package init(
    name: String, part: Int?, pipeline: Pipeline, work: Work, skipsErrors: Bool, workLimit: RunLimits,
    compile: @escaping () -> Void, explain: @escaping (StreamFailure) -> Diagnostic
  ) {
    self.name = name
    self.part = part
    self.pipeline = pipeline
    self.work = work
    self.skipsErrors = skipsErrors
    self.workLimit = workLimit
    self.compile = compile
    self.explain = explain
  }

  package enum Work {
    /// A number of values from a recording.
    case input(MeasuredInput, count: Int)
    /// Its own sources, until they have published a number of values.
    ///
    /// - Parameter plain: The stream without fused segments, whose sources can be observed.
    case source(plain: Pipeline, limit: Int)

    /// Number of values.
    var count: Int {
      switch self {
      case .input(_, let count): count
      case .source(_, let limit): limit
      }
    }
  }

  /// Finds out how far it is run, if that is as far as its sources go.
  func extent() throws(MeasurementStop) -> SourceExtent? {
    guard case .source(let plain, let limit) = work else { return nil }
    let extent = try SourceExtent(plain, limit: limit, workLimit, skipsErrors: skipsErrors, explain: explain)
    if extent.taken == 0 {
      throw .refused(
        Diagnostic(.invalidArgument, "the sources of '\(name)' publish nothing, so there is nothing to measure"))
    }
    if !extent.canBeFound {
      throw .refused(
        Diagnostic(
          .invalidArgument, "'\(name)' publishes nothing while its sources publish \(extent.taken) values",
          help: "a measurement ends with a published value or the end of the stream"))
    }
    return extent
  }

  /// Runs it once.
  ///
  /// - Parameter extent: how far its own sources go, if that is how far it is run.
  func run(_ extent: SourceExtent?) throws(MeasurementStop) -> RunTally {
    var run = MeasuredRun(pipeline, skipsErrors: skipsErrors, workLimit, count: work.count, explain: explain)
    if let extent {
      try take(extent, &run)
    } else if case .input(let input, let count) = work {
      try take(input, count, &run)
    }
    return run.tally
  }

  private func take(_ input: MeasuredInput, _ count: Int, _ run: inout MeasuredRun) throws(MeasurementStop) {
    try run.start()
    var (place, base, time) = (0, StreamTime.zero, StreamTime.zero)
    for number in 0..<count {
      let item = input.items[place]
      time = base + (item.time - .zero)
      try run.send(item.value, to: item.input, at: time)
      place += 1
      if place == input.items.count {
        place = 0
        base = base + input.period
      }
      if number & 0x3FF == 0 { try run.checkInterruption() }
      if number & 0x3F == 0 || run.hasEnded, run.isUsedUp() { break }
      // NB: After a new subscription, times count from the start of the recording; past times count as now.
      if run.hasEnded, number + 1 < count { try run.start() }
    }
    if !run.hasEnded { try run.finish(at: time) }
  }

  private func take(_ extent: SourceExtent, _ run: inout MeasuredRun) throws(MeasurementStop) {
    let limit = extent.hasEnded || extent.published == 0 ? Int.max : extent.published
    run.subscribe()
    run.countTaken(extent.taken)
    while try run.drain(limit: limit), !run.hasEnded {
      guard run.session.advanceToNextTimer(through: extent.time) else { return }
    }
  }
}
