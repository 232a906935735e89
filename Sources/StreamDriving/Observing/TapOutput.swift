internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import Synchronization

/// Prints what operators publish, as lines of JSON, on standard error or to the end of a file.
package final class TapOutput: Sendable {
  private let names: [String]
  private let file: FileDescriptor
  private let path: String?
  private let state = Mutex(State())

  private struct State {
    var bytes: [UInt8] = []
    /// Whether the stream runs by the times of its data, which are then printed.
    var hasEventTime = false
    /// Why nothing can be written, and whether that has been reported.
    var failure: SystemError?
    var isReported = false
  }

  /// Number of bytes that are written at once.
  private static let capacity = 64 * 1024

  /// Nil if no operator is to be observed.
  ///
  /// - Parameter used: The files that the run reads and writes.
  init?(_ request: ObservationRequest, _ used: UsedFiles) throws(Diagnostic) {
    guard !request.taps.isEmpty else { return nil }
    names = request.taps
    path = request.tapPath
    guard let path else {
      file = .standardError
      return
    }
    do throws(SystemError) {
      file = try FileDescriptor.append(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    // NB: If what follows throws, `deinit` closes the file.
    try used.noteOutput(file, name: path)
    // A line that another program has not ended must not become part of a value.
    if !FileDescriptor.endsWithLine(path) { state.withLock { $0.bytes = [UInt8(ascii: "\n")] } }
  }

  deinit { if path != nil { file.close() } }

  /// The operators of a stream to observe.
  var selection: ProbeSelection {
    ProbeSelection(names) { [self] place in TapObserver(place.title, self) }
  }

  /// Prints event times from now on.
  func showEventTimes() { state.withLock { $0.hasEventTime = true } }

  /// Whether lines wait to be written.
  var isWaiting: Bool { state.withLock { !$0.bytes.isEmpty } }

  /// Writes the lines that wait.
  func flush() throws(RunStop) {
    let failure = state.withLock { state in
      write(&state)
      defer { state.isReported = state.failure != nil }
      return state.isReported ? nil : state.failure
    }
    guard let failure, let path else { return }  // as with messages, an error of standard error cannot be reported
    throw .refused(failure.diagnostic(writing: path), nil)
  }

  private func write(_ state: inout State) {
    guard !state.bytes.isEmpty else { return }
    defer { state.bytes.removeAll(keepingCapacity: true) }
    guard state.failure == nil else { return }
    do throws(SystemError) {
      // Standard error may be a terminal.
      try path == nil
        ? file.write(VisibleText.json(String(decoding: state.bytes, as: UTF8.self))) : file.write(state.bytes)
    } catch {
      state.failure = error
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

  func close(_ run: RunSession) {
    do throws(RunStop) {
      try output.flush()
    } catch {
      if case .refused(let diagnostic, let source) = error { run.console.report(diagnostic, in: source) }
    }
  }
}
