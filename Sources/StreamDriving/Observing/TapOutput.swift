internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import Synchronization

/// Prints what operators publish, as lines of JSON, on standard error or to the end of a file.
///
/// A file that cannot be written never ends the run: its lines are dropped and counted until it can be written again.
package final class TapOutput: Sendable {
  private let names: [String]
  private let path: String?
  private let state = Mutex(State())

  private struct State {
    /// Nil until it is opened.
    var file: FileDescriptor?
    var bytes: [UInt8] = []
    /// Whether the stream runs by the times of its data, which are then printed.
    var hasEventTime = false
    /// Whether lines have been written.
    var hasBegun = false
    /// Why the latest lines could not be written; nil if they could.
    var failure: SystemError?
    /// Whether the failure has been reported.
    var isReported = false
    /// Number of lines that were dropped.
    var droppedCount = 0
  }

  /// Number of bytes that are written at once.
  private static let capacity = 64 * 1024

  /// Nil if no operator is to be observed.
  init?(_ request: ObservationRequest) {
    guard !request.taps.isEmpty else { return nil }
    names = request.taps
    path = request.tapPath
  }

  /// Opens the file. Called once, before the stream runs and after the files of the run have been checked.
  ///
  /// - Parameter used: The files that the run reads and writes.
  func open(_ used: UsedFiles) throws(Diagnostic) {
    guard let path else { return state.withLock { $0.file = .standardError } }
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.append(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    // NB: If what follows throws, `deinit` closes the file.
    state.withLock { $0.file = file }
    try used.noteOutput(file, name: path)
  }

  deinit { if path != nil { state.withLock { $0.file?.close() } } }

  /// The operators of a stream to observe.
  var selection: ProbeSelection {
    ProbeSelection(names) { [self] place in TapObserver(place.title, self) }
  }

  /// Prints event times from now on.
  func showEventTimes() { state.withLock { $0.hasEventTime = true } }

  /// Whether lines wait to be written.
  var isWaiting: Bool { state.withLock { !$0.bytes.isEmpty } }

  /// Writes the lines that wait, and reports a file that cannot be written, once, and when it can be written again.
  func flush(_ console: Console) {
    let news = state.withLock { state -> (failure: SystemError?, droppedCount: Int)? in
      write(&state)
      guard (state.failure != nil) != state.isReported else { return nil }
      state.isReported.toggle()
      return (state.failure, state.droppedCount)
    }
    // As with messages, an error of standard error cannot be reported.
    guard let news, let path else { return }
    if let failure = news.failure {
      console.report(failure.diagnostic(writing: path).asWarning("the run continues without these lines of --tap-to"))
    } else {
      console.say("note: '\(path)' is written again; it lacks \(news.droppedCount.counted("line"))")
    }
  }

  private func write(_ state: inout State) {
    guard !state.bytes.isEmpty, let file = state.file else { return }
    defer { state.bytes.removeAll(keepingCapacity: true) }
    // Another program, or a write that failed, may have left a part of a line.
    let isFirst = state.failure != nil || !state.hasBegun
    let prefix: [UInt8] = isFirst && path.map(FileDescriptor.endsWithLine) == false ? [UInt8(ascii: "\n")] : []
    do throws(SystemError) {
      try file.write(prefix + state.bytes)
      (state.failure, state.hasBegun) = (nil, true)
    } catch {
      state.failure = error
      state.droppedCount += state.bytes.count { $0 == UInt8(ascii: "\n") }
    }
  }

  /// Appends a line.
  ///
  /// - Parameter title: The identifier of the operator, as JSON.
  fileprivate func append(
    _ title: [UInt8], _ moment: ProbeMoment, _ member: StaticString, _ value: Value
  ) {
    state.withLock { state in
      state.bytes.append(contentsOf: "{\"id\":".utf8)
      state.bytes.append(contentsOf: title)
      state.bytes.append(UInt8(ascii: ","))
      TimeStamping(origin: nil).appendMembers(moment.time, to: &state.bytes)
      if state.hasEventTime { state.bytes.append(contentsOf: ",\"time\":\"\(moment.now.rfc3339)\"".utf8) }
      let starting = moment.startingValues
      if !starting.isEmpty {
        state.bytes.append(contentsOf: ",\"in\":".utf8)
        _ = JSONWriter.append(.list(ValueList(starting)), to: &state.bytes)
      }
      state.bytes.append(contentsOf: ",\"\(member)\":".utf8)
      _ = JSONWriter.append(value, to: &state.bytes)
      state.bytes.append(contentsOf: "}\n".utf8)
      if state.bytes.count >= Self.capacity { write(&state) }
    }
  }
}

/// Passes what one operator publishes to the output.
private final class TapObserver: ProbeObserver {
  private let title: [UInt8]
  private let output: TapOutput

  init(_ title: String, _ output: TapOutput) {
    self.title = Array(JSONWriter.compact(.string(title)).utf8)
    self.output = output
  }

  func noteStart() {}

  func note(_ value: Value, at moment: ProbeMoment) { output.append(title, moment, "value", value) }

  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {
    switch completion {
    case .finished: output.append(title, moment, "finished", true)
    case .failure(let failure): output.append(title, moment, "failure", failure.errorValue)
    }
  }
}

/// Writes the lines of taps between two events of a run.
final class TapService: RunService {
  private let output: TapOutput

  init(_ output: TapOutput) { self.output = output }

  var untilDue: Int64? { output.isWaiting ? 0 : nil }

  func serve(_ run: RunSession) throws(RunStop) { if output.isWaiting { try run.flush() } }

  func close(_ run: RunSession) { output.flush(run.console) }
}
