@_spi(Engine) internal import StreamCore
package import StreamEngine
package import StreamFiles
package import StreamKit

/// Writes the events that a run receives from outside to a file: a header, a line of JSON for each event, and the end.
///
/// Lines are written when the run waits, when the buffer is full, and at least once a second. The file contains whole
/// lines only, unless the disk is full, which ends the run.
package final class RecordingWriter {
  private let path: String
  private let file: FileDescriptor
  private var values = RecordedValues()
  private var bytes: [UInt8] = []
  /// Number of bytes in the file, and of events in the file and the buffer.
  private var writtenBytes = 0
  private(set) var eventCount = 0
  /// The part of a line from the time to the value, by the name of the input.
  private var prefixes: [String: [UInt8]] = [:]
  /// The time of the latest event, and its text.
  private var latest: (time: StreamTime, text: [UInt8])?
  /// The calls without a result, by number.
  private var calls: [Int64: Call] = [:]
  /// Why nothing can be written anymore.
  private var problem: Diagnostic?
  private let clock = LiveClock()
  private var flushed: Int64 = 0
  /// Whether the header has been written. A recording that is resumed has one.
  private var hasBegun = false

  private static let capacity = 256 * 1024
  /// Nanoseconds for which an event may wait in the buffer.
  private static let patience: Int64 = 1_000_000_000

  /// Creates a recording. The file must not exist, or be empty.
  ///
  /// - Parameters:
  ///   - used: The files that the run reads and writes.
  ///   - replacesHeader: Whether a recording without events is replaced. The header is on disk before the first state:
  ///     a run that was killed between them begins again.
  package init(_ path: String, _ used: UsedFiles, replacesHeader: Bool = false) throws(Diagnostic) {
    if path == StandardInput.argument {
      throw Diagnostic(
        .invalidArgument, "--record - would mix the recording with the values of the stream",
        help: "write the path of a file")
    }
    if Compression(ofFile: path) != nil {
      throw Diagnostic(
        .invalidArgument, "'\(path)' would be plain text under this name: a recording is written as it happens",
        help: "write another name, and compress the file after the run")
    }
    self.path = path
    do throws(SystemError) {
      file = try FileDescriptor.appendReadable(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    try used.noteOutput(file, name: path)
    guard let status = try? file.status(), status.kind == .regular, status.size > 0 else { return }
    if replacesHeader, RecordingHeader.isAll(of: file, length: status.size) {
      do throws(SystemError) {
        try file.truncate(to: 0)
      } catch {
        throw error.diagnostic(writing: path)
      }
      return
    }
    throw Diagnostic(
      .cannotWrite, "'\(path)' exists and is not empty; a recording would replace it",
      help: "remove it, or write to another file")
  }

  /// Continues a recording where a saved state has left it. Later lines of the file are removed.
  package init(resuming position: RecordingPosition, _ used: UsedFiles) throws(Diagnostic) {
    path = position.path
    do throws(SystemError) {
      file = try FileDescriptor.append(path)
      let size = try file.status().size
      guard size >= position.bytes else {
        throw SystemError.isReplaced
      }
      try file.truncate(to: position.bytes)
    } catch {
      guard error == .isReplaced else { throw error.diagnostic(writing: path) }
      throw Diagnostic(
        .cannotWrite, "the recording '\(position.path)' is shorter than the \(position.bytes) bytes of the saved state",
        help: "restore the file, or record to another one")
    }
    try used.noteOutput(file, name: path)
    (writtenBytes, eventCount, hasBegun) = (position.bytes, position.events, true)
  }

  deinit { file.close() }

  // MARK: Lines

  /// Writes the header, unless the recording is resumed.
  func begin(_ header: @autoclosure () -> RecordingHeader) {
    guard !hasBegun else { return }
    hasBegun = true
    bytes.append(contentsOf: JSONWriter.compact(header().json).utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Notes that the stream continues as another version.
  ///
  /// - Parameters:
  ///   - count: The number of effects between the latest event and the swap, if the stream was still at work; nil if it
  ///     had finished its work.
  ///   - isTrial: Whether the stream returns to the version before if the new one fails.
  func noteSwap(to stream: RecordedStream, at time: StreamTime, after count: Int?, isTrial: Bool) {
    beginLine(time)
    bytes.append(contentsOf: ",\"swap\":".utf8)
    bytes.append(contentsOf: JSONWriter.compact(stream.json).utf8)
    if let count { bytes.append(contentsOf: ",\"after\":\(count)".utf8) }
    if isTrial { bytes.append(contentsOf: ",\"trial\":true".utf8) }
    endEvent()
  }

  /// Notes that the run continues after it was stopped.
  ///
  /// - Parameter origin: The calendar time at the start of the stream, which has moved by the time without a run.
  func noteOrigin(_ origin: Timestamp, at time: StreamTime) {
    beginLine(time)
    bytes.append(contentsOf: ",\"origin\":\"\(origin.rfc3339)\"".utf8)
    endEvent()
  }

  /// Notes the end of the trial of a version.
  ///
  /// - Parameter count: The number of effects since the latest event, if the stream was still at work; nil otherwise.
  func note(_ trial: TrialEnd, after count: Int?) {
    beginLine(trial.time)
    let (verdict, failure): (String, StreamFailure?) =
      switch trial.verdict {
      case .kept: ("kept", nil)
      case .failed(let failure): ("failed", failure)
      case .stopped(let failure): ("stopped", failure)
      }
    bytes.append(contentsOf: ",\"trial\":\"\(verdict)\"".utf8)
    if let count { bytes.append(contentsOf: ",\"after\":\(count)".utf8) }
    if let failure { append(failure) }
    endEvent()
  }

  /// Writes the end of the recording.
  ///
  /// - Parameters:
  ///   - count: The number of values that the run has written.
  ///   - reason: Why it has ended.
  func finish(at time: StreamTime, values count: Int, because reason: RecordingEnd.Reason) {
    bytes.append(contentsOf: "{\"end\":".utf8)
    RecordingTime.append(time, to: &bytes)
    bytes.append(
      contentsOf: ",\"events\":\(eventCount),\"values\":\(count),\"because\":\"\(reason.rawValue)\"".utf8)
    endLine()
    write()
  }

  private func beginLine(_ time: StreamTime) {
    bytes.append(contentsOf: "{\"at\":".utf8)
    if let latest, latest.time == time {
      bytes.append(contentsOf: latest.text)
    } else {
      let start = bytes.count
      RecordingTime.append(time, to: &bytes)
      latest = (time, Array(bytes[start...]))
    }
  }

  private func endLine() {
    bytes.append(contentsOf: "}\n".utf8)
  }

  private func endEvent() {
    endLine()
    eventCount += 1
    if bytes.count >= Self.capacity { write() }
  }

  private func append(_ value: Value) {
    do throws(Diagnostic) {
      try values.append(value, to: &bytes)
    } catch {
      problem = problem ?? error
      bytes.append(contentsOf: "null".utf8)
    }
  }

  // MARK: The file

  /// Writes the buffer to the file.
  private func write() {
    flushed = clock.now.nanoseconds
    guard problem == nil, !bytes.isEmpty else { return }
    do throws(SystemError) {
      try file.write(bytes)
      writtenBytes += bytes.count
    } catch {
      problem = error.diagnostic(writing: path)
      // A line that was written in part is not a line.
      try? file.truncate(to: writtenBytes)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the events so far to the file.
  ///
  /// - Throws: Why the run cannot be recorded.
  func flush() throws(RunStop) {
    write()
    if let problem { throw .refused(problem, nil) }
  }

  /// Waits until the events that `flush` has written are on disk. Writes nothing.
  ///
  /// - Returns: The position that a saved state keeps.
  package func position() throws(RunStop) -> RecordingPosition {
    do throws(SystemError) {
      try file.synchronize()
    } catch {
      throw .refused(error.diagnostic(writing: path), nil)
    }
    Directory.synchronize(holding: path)
    return RecordingPosition(path: path, bytes: writtenBytes, events: eventCount)
  }
}

extension RecordingWriter: SessionJournal {
  package func note(_ event: SessionEvent, at time: StreamTime) {
    beginLine(time)
    switch event {
    case .value(let value, let input), .unconverted(let value, let input):
      bytes.append(contentsOf: prefix(of: input))
      bytes.append(contentsOf: ",\"value\":".utf8)
      append(value)
    case .completion(let completion, let input):
      bytes.append(contentsOf: prefix(of: input))
      switch completion {
      case .finished: bytes.append(contentsOf: ",\"finished\":true".utf8)
      case .failure(let failure): append(failure)
      }
    case .result(let result, let number):
      bytes.append(contentsOf: ",\"call\":\(number)".utf8)
      if let call = calls.removeValue(forKey: number) {
        bytes.append(contentsOf: ",\"function\":\(JSONWriter.compact(.string(call.function))),\"argument\":".utf8)
        append(call.argument)
      }
      switch result {
      case .success(let value):
        bytes.append(contentsOf: ",\"value\":".utf8)
        append(value)
      case .failure(let failure): append(failure)
      }
    case .advance: break
    case .timer: bytes.append(contentsOf: ",\"timer\":true".utf8)
    }
    endEvent()
  }

  /// Keeps a call, whose function and argument are written beside its result.
  func note(_ call: Call) { calls[call.id] = call }

  private func prefix(of input: String) -> [UInt8] {
    if let known = prefixes[input] { return known }
    let made = Array(",\"input\":\(JSONWriter.compact(.string(input)))".utf8)
    prefixes[input] = made
    return made
  }

  private func append(_ failure: StreamFailure) {
    bytes.append(contentsOf: ",\"failure\":".utf8)
    append(
      (try? ValueEncoder().encode(failure)) ?? ["code": .string(failure.code), "message": .string(failure.message)])
  }
}

extension RecordingWriter: RunService {
  var untilDue: Int64? { bytes.isEmpty ? nil : max(0, flushed + Self.patience - clock.now.nanoseconds) }

  func serve(_ run: RunSession) throws(RunStop) {
    if problem != nil || untilDue == 0 { try flush() }
  }
}
