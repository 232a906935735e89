@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Runs a stream on the events of a recording, without waiting.
///
/// The stream of the recording receives every event at its time, and each of its timers as it fired then, so that its
/// output is that of the recorded run. Another version receives the values, and its own timers fire in between.
final class ReplayDriver {
  private let replay: Replay
  private let session: RunSession
  private var stream: StreamSession { session.stream }
  private var reader: RecordingReader { replay.reader }
  @exclusivity(unchecked) private var inputs: [Input] = []
  /// Number of lines of the recording that have been taken.
  private var position = 0
  /// Number of values between two checks of the limits.
  private static let batch = 1024

  init(_ replay: Replay, _ session: RunSession) {
    (self.replay, self.session) = (replay, session)
  }

  func run() throws(RunStop) {
    stream.noteCall = { [replay, unowned stream] call in
      replay.calls[call.id] = call
      replay.script?.note(call, at: stream.time)
    }
    try session.begin()
    var next = try reader.next()
    try drain(before: next)
    var count = 0
    while let entry = next, !stream.isEnded {
      if isBeforeBeginning(entry) {
        next = try reader.next()
        position += 1
        continue
      }
      if isBeyondEnd(entry) { return try finish(at: replay.until?.time(replay.header).map(moved), isWhole: false) }
      if count & (Self.batch - 1) == 0 { try session.checkLimits() }
      count += 1
      switch entry {
      case .end(let end): return try finish(at: moved(end.time), isWhole: true)
      case .event(let event, let time):
        next = try reader.next()
        position += 1
        try deliver(event, at: moved(time), before: next)
      case .answer(let answer, let time):
        next = try reader.next()
        for call in stream.takeCanceledCalls() { replay.calls[call] = nil }
        position += 1
        guard let call = replay.takeCall(for: answer) else {
          replay.unusedAnswers += 1
          continue
        }
        if let script = replay.script, !script.note(answer, to: call, at: moved(time)) { throw .enough }
        stream.answer(call.id, answer.result, at: moved(time))
        try drain(before: next)
      case .swap(let version, _, let effects, let isTrial):
        next = try reader.next()
        position += 1
        guard replay.isExact else { continue }
        try swap(to: version, after: effects, isTrial: isTrial)
        try drain(before: next)
      case .trialEnd(let end, let effects):
        next = try reader.next()
        position += 1
        guard replay.isExact else { continue }
        try session.end(end, after: effects)
        try drain(before: next)
      }
    }
    if !stream.isEnded { try finish(at: nil, isWhole: true) }
  }

  /// Whether an event comes after the requested end.
  private func isBeyondEnd(_ entry: RecordingEntry) -> Bool {
    switch replay.until {
    case nil: return false
    case .count(let count): return position >= count
    case .seconds, .calendar:
      guard let time = entry.time, let end = replay.until?.time(replay.header) else { return false }
      return time > end
    }
  }

  /// Whether an event comes before the requested beginning.
  private func isBeforeBeginning(_ entry: RecordingEntry) -> Bool {
    switch replay.from {
    case nil: return false
    case .count(let count):
      if position < count, let time = entry.time { replay.start = time }
      return position < count && entry.time != nil
    case .seconds, .calendar: return entry.time.map { $0 < replay.start } ?? false
    }
  }

  /// Returns a time of the recording as a time of the replay.
  private func moved(_ time: StreamTime) -> StreamTime {
    replay.from == nil ? time : max(.zero, StreamTime(nanoseconds: time.nanoseconds - replay.start.nanoseconds))
  }

  // MARK: Events

  private func deliver(_ event: SessionEvent, at time: StreamTime, before next: RecordingEntry?) throws(RunStop) {
    switch event {
    case .value(let value, let name), .unconverted(let value, let name):
      guard let place = place(of: name), let value = try convert(value, for: place) else { return }
      let input = inputs[place].number
      if let script = replay.script, !script.note(.value(value), of: name, at: time) { throw .enough }
      keep(before: next)
      if isMidway(next) {
        stream.send(value, to: input, at: time)
      } else {
        try session.send(value, to: input, at: time)
      }
      return
    case .completion(let completion, let name):
      let kind: Source.Record.Event.Kind =
        switch completion {
        case .finished: .finished
        case .failure(let failure): .failure(failure.errorValue)
        }
      if let script = replay.script, !script.note(kind, of: name, at: time) { throw .enough }
      stream.complete(name, completion, at: time)
    case .advance:
      replay.script?.notePassing(to: time)
      stream.advance(to: time)
    case .timer:
      // Another version has timers of its own.
      guard replay.isExact else { return }
      stream.advanceToNextTimer(through: time)
    case .result: return
    }
    try drain(before: next)
  }

  /// An input that the recording has values for.
  private struct Input {
    let name: String
    let number: Int
    var conversion: RecordConversion
  }

  /// Returns the place of an input in `inputs`; nil if the stream does not have it.
  private func place(of name: String) -> Int? {
    for place in inputs.indices where inputs[place].name == name { return place }
    guard let number = stream.execution.pipeline.input(named: name) else {
      replay.strangeInputs[name, default: 0] += 1
      return nil
    }
    let type = stream.execution.pipeline.inputs[number].type
    inputs.append(Input(name: name, number: number, conversion: RecordConversion(type)))
    return inputs.count - 1
  }

  /// Returns a value of the input's declared type; nil if it does not fit, and such values are skipped.
  private func convert(_ value: Value, for place: Int) throws(RunStop) -> Value? {
    if inputs[place].conversion.isConverted(value) { return value }
    do throws(InputConversion.Problem) {
      return try inputs[place].conversion.convert(value)
    } catch {
      let path = error.tokens.isEmpty ? "" : " at \(JSONPointer(error.tokens))"
      try reader.refuse(
        Diagnostic(.inputTypeMismatch, "\(error.message)\(path), in the input '\(inputs[place].name)'"))
      return nil
    }
  }

  /// Writes the output, unless the stream is swapped before it has finished its work.
  private func drain(before next: RecordingEntry?) throws(RunStop) {
    keep(before: next)
    if isMidway(next) { return }
    try session.drain()
  }

  /// Whether the next event happens while the stream is still at work. Another version does not have that event.
  private func isMidway(_ next: RecordingEntry?) -> Bool { replay.isExact && next?.isMidway == true }

  /// Keeps the version on trial if that was its verdict when the stream had acted on the latest event. The version must
  /// have been kept when it fails at this event.
  private func keep(before next: RecordingEntry?) {
    if replay.isExact, case .trialEnd(let end, _)? = next, case .kept = end.verdict { _ = stream.end(end) }
  }

  private func swap(to recorded: RecordedStream, after effects: Int?, isTrial: Bool) throws(RunStop) {
    let version: PreparedStream
    do throws(Diagnostics) {
      version = try replay.prepare(recorded)
    } catch {
      throw .refused(error.all.first ?? Diagnostic(.invalidInput, "a version of the recording is invalid"), nil)
    }
    let (explain, isFirst) = (session.explain, !stream.isOnTrial)
    try session.become(version.version, after: effects, isTrial: isTrial, explain: version.explanation.diagnostic)
    inputs = []
    // During a trial, the version before its first swap stays the one to which the stream returns.
    guard isTrial, isFirst else { return }
    session.whenRolledBack = { [weak self, unowned session] in
      session.explain = explain
      self?.inputs = []
    }
  }

  // MARK: The end

  /// Lets the remaining timers fire.
  ///
  /// - Parameters:
  ///   - time: The time at which the recording ends; nil if it is not known.
  ///   - isWhole: Whether all events have been delivered.
  private func finish(at time: StreamTime?, isWhole: Bool) throws(RunStop) {
    if let time { replay.script?.notePassing(to: time) }
    if replay.isExact, isWhole { return }
    guard isWhole, replay.header.options.isVirtual || replay.header.options.hasEventTime else {
      if let time, time > stream.time { try session.advance(to: time) }
      return
    }
    let limit = replay.header.options.seconds.map(StreamTime.init(seconds:)) ?? .distantFuture
    while !stream.isEnded, let deadline = stream.nextWake, deadline <= limit {
      try session.checkLimits()
      try session.advanceToNextTimer()
    }
  }
}
