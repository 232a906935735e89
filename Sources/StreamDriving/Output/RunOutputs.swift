package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The outputs of a run.
package final class RunOutputs {
  /// Receives the values that no other output receives.
  package let main: RunOutput
  /// Receives the values that arrive too late; nil unless they have an output of their own.
  package var late: RunOutput?

  /// The name of `late` in positions; no output of a stream can have it.
  package static let lateName = "late output"

  /// The outputs with a name and a destination of their own.
  private let named: [RunOutput]
  /// The name of the output whose values are written to standard output without it; nil if there is none.
  var standardName: String?
  /// The outputs of the stream that runs; nil if it has one without a name.
  private var tags: OutputTags?
  /// The destination of each of them, by its number, and whether its values have its name.
  private var routes: [(output: RunOutput, isTagged: Bool)] = []

  package init(_ main: RunOutput, named: [RunOutput] = [], late: RunOutput? = nil) {
    (self.main, self.named, self.late) = (main, named, late)
    isRouted = !named.isEmpty || main.followsTime
  }

  /// Creates an output with its own writer.
  package convenience init(_ writer: any ValueWriter, _ console: Console) {
    self.init(RunOutput(console.output, writer: writer))
  }

  /// All outputs.
  package var all: [RunOutput] { ([main] + named + [late]).compactMap(\.self) }

  /// The number of values written to each output: by its name, or else by the name of its file, and `stdout`.
  var counts: [(name: String, values: Int)] {
    let used = all.filter { $0 !== main || named.isEmpty || $0.writtenCount > 0 }
    return used.map { output in
      let name = output === late ? Self.lateName : output.name ?? (output === main ? standardName : nil)
      return (name ?? output.buffer.sink.path ?? "stdout", output.writtenCount)
    }
  }

  /// Writes the outputs of this stream from now on. An output without a destination is written to the main one.
  func use(_ model: StreamModel) {
    tags = OutputTags(model)
    routes = model.outputNames.map { name in
      if name == standardName { return (main, false) }
      return named.first { $0.name == name }.map { ($0, false) } ?? (main, true)
    }
    isRouted = !named.isEmpty || main.followsTime || standardName != nil
  }

  /// Whether an output must be chosen for each value, or rotated at its time.
  private(set) var isRouted: Bool

  /// Whether files are rotated at times, which may be those of the stream.
  var followTime: Bool { all.contains(where: \.followsTime) }

  /// Returns the output that a value belongs to, and the value as it is written there.
  func route(_ value: Value) -> (RunOutput, Value) {
    guard let (index, inner) = tags?.output(of: value) else { return (main, value) }
    let route = routes[index]
    return (route.output, route.isTagged ? value : inner)
  }

  /// Number of values written to the outputs of the stream.
  package var writtenCount: Int { named.reduce(main.writtenCount) { $0 + $1.writtenCount } }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - isLive: Whether time is that of the machine's clock.
  ///   - present: The stream's time; nil if time is that of the machine's clock.
  func begin(_ stamping: TimeStamping?, isLive: Bool, present: (() -> Timestamp)?) {
    for output in [main] + named { output.begin(stamping, isLive: isLive, present: present) }
    late?.begin(nil, isLive: isLive, present: present)
  }

  /// Prepares for another run of the stream, after `finish`.
  func restart(as model: StreamModel) throws(Diagnostic) {
    use(model)
    for output in [main] + named { try output.restart() }
  }

  /// Limits the length of values in bytes.
  func bound(to bytes: Int) {
    for output in [main] + named { output.writer.bound(to: bytes) }
  }

  /// Writes the end of each output of the stream.
  func finish(_ end: StreamEnd) {
    for output in named { output.finish(end) }
    // Nothing is to be seen of standard output if all values go to files.
    if routes.isEmpty || main.writtenCount > 0 || routes.contains(where: { $0.output === main }) { main.finish(end) }
  }

  /// Writes what is buffered, and releases the destinations. Returns false after an error, which is reported.
  func close(_ console: Console) -> Bool {
    var isWritten = true
    for output in all {
      if let warning = output.writer.warning { console.report(warning) }
      do throws(RunStop) {
        try output.close()
      } catch {
        guard case .refused(let diagnostic, _) = error else { continue }
        console.report(diagnostic)
        isWritten = false
      }
    }
    return isWritten
  }

  /// Passes everything that was written to its destination, before a copy of the process saves its state.
  func settle() throws(RunStop) {
    for output in all { try output.buffer.sink.settle() }
  }

  /// Writes rows that wait, at the end of a run. An output that can be cut keeps them back, so that its columns may grow
  /// when the run continues, unless the stream has ended.
  func settleAtEnd(hasEnded: Bool) throws(RunStop) {
    for output in all where hasEnded || !output.buffer.sink.canBeCut { try output.buffer.flush() }
  }

  /// Waits until what was written is on disk, and returns how far each output has come. Writes nothing.
  package func positions() throws(RunStop) -> [OutputPosition] {
    var positions: [OutputPosition] = []
    for output in all { positions.append(try output.position()) }
    return positions
  }

  /// Continues each output at its position.
  ///
  /// - Returns: Warnings about outputs whose values may repeat.
  /// - Throws: A diagnostic if an output has no position, or is not as it was at it.
  package func resume(from positions: [OutputPosition]) throws(Diagnostic) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    for output in all {
      guard let position = positions.first(where: { $0.name == output.name }) else {
        throw Diagnostic(
          .invalidArgument, "the state has no position of the output '\(output.name ?? "<stdout>")'",
          help: "begin with a new state")
      }
      if let warning = try output.resume(from: position) { warnings.append(warning) }
    }
    return warnings
  }
}
