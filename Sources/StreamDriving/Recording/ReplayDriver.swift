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
  /// The next line, or the problem with it, if it has been read to see whether the stream is swapped there.
  private var ahead: Result<RecordingEntry, RunStop>?
  /// The input whose values are read as rows, and the input of the latest value.
  private var rowInput: Int?
  private var latestInput: Int?
  /// Number of consecutive values of that input, and number of lines before rows are tried again.
  private var valueCount = 0
  private var rowPause = (left: 0, next: 1)
  /// Number of values between two checks of the limits.
  private static let batch = 1024
  /// Number of consecutive values of an input after which the next ones are tried as rows.
  private static let patience = 8
  private static let longestPause = 64

  init(_ replay: Replay, _ session: RunSession) {
    (self.replay, self.session) = (replay, session)
  }

  func run() throws(RunStop) {
    stream.noteCall = { [replay, unowned stream] call in
      replay.calls[call.id] = call
      replay.script?.note(call, at: stream.time)
    }
    try session.begin()
    try drain()
    var count = 0
    while !stream.isEnded {
      if try takeRows() { continue }
      guard let entry = try next() else { break }
      if isBeforeBeginning(entry) {
        position += 1
        continue
      }
      if isBeyondEnd(entry) { return try finish(at: replay.until?.time(replay.header).map(moved), isWhole: false) }
      if count & (Self.batch - 1) == 0 { try session.checkLimits() }
      count += 1
      switch entry {
      case .end(let end): return try finish(at: moved(end.time), isWhole: true)
      case .event(let event, let time):
        position += 1
        try deliver(event, at: moved(time))
      case .answer(let answer, let time):
        for call in stream.takeCanceledCalls() { replay.calls[call] = nil }
        position += 1
        guard let call = replay.takeCall(for: answer) else {
          replay.unusedAnswers += 1
          continue
        }
        if let script = replay.script, !script.note(answer, to: call, at: moved(time)) { throw .enough }
        stream.answer(call.id, answer.result, at: moved(time))
        try drain()
      case .swap(let version, _, let effects, let isTrial):
        position += 1
        guard replay.isExact else { continue }
        try swap(to: version, after: effects, isTrial: isTrial)
        try drain()
      case .origin(let origin, _):
        position += 1
        // A part of the recording has a time zero of its own.
        if replay.from == nil { stream.execution.setOrigin(origin) }
      case .trialEnd(let end, let effects):
        position += 1
        guard replay.isExact else { continue }
        try session.end(end, after: effects)
        try drain()
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

  private func deliver(_ event: SessionEvent, at time: StreamTime) throws(RunStop) {
    switch event {
    case .value(let value, let name), .unconverted(let value, let name):
      guard let place = place(of: name), let value = try convert(value, for: place) else { return }
      let input = inputs[place].number
      if let script = replay.script, !script.note(.value(value), of: name, at: time) { throw .enough }
      if isMidwayNext() {
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
    try drain()
  }

  /// An input that the recording has values for.
  private struct Input {
    let name: String
    let number: Int
    var conversion: RecordConversion
  }

  /// Returns the place of an input in `inputs`; nil if the stream does not have it.
  private func place(of name: String) -> Int? {
    for place in inputs.indices where inputs[place].name == name {
      valueCount = place == latestInput ? valueCount + 1 : 0
      latestInput = place
      return place
    }
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
  private func drain() throws(RunStop) {
    if !isMidwayNext() { try session.drain() }
  }

  // MARK: Lines

  /// Returns the next line; nil after the last one.
  private func next() throws(RunStop) -> RecordingEntry? {
    guard let ahead else { return try reader.next() }
    self.ahead = nil
    return try ahead.get()
  }

  /// Whether the stream is swapped at the next line, or a trial ends, before it has finished its work.
  ///
  /// Keeps the version on trial if that was its verdict when the stream had acted on the latest event: it must have been
  /// kept when it fails at this event.
  private func isMidwayNext() -> Bool {
    if ahead == nil {
      if reader.isFollowedByEvent { return false }
      do throws(RunStop) {
        ahead = try reader.next().map { .success($0) }
      } catch {
        ahead = .failure(error)
      }
    }
    guard case .success(let entry)? = ahead else { return false }
    if replay.isExact, case .trialEnd(let end, _) = entry, case .kept = end.verdict { _ = stream.end(end) }
    // Another version does not have that event.
    return replay.isExact && entry.isMidway
  }

  /// Sends the next lines to the stream as rows, if they are values of one input. Returns false if there were none.
  private func takeRows() throws(RunStop) -> Bool {
    guard replay.takesRows, ahead == nil, replay.script == nil, rowPause.left == 0 else {
      rowPause.left = max(0, rowPause.left - 1)
      return false
    }
    guard let count = try sendRows(), count > 0 else {
      rowPause = (rowPause.next, min(2 * rowPause.next, Self.longestPause))
      return false
    }
    position += count
    replay.rowCount += count
    reader.noteRows(count)
    // Few rows take longer than as many values.
    rowPause = count < Self.patience ? (rowPause.next, min(2 * rowPause.next, Self.longestPause)) : (0, 1)
    return true
  }

  private func sendRows() throws(RunStop) -> Int? {
    guard let (name, time) = reader.upcoming, let latestInput, inputs[latestInput].name == name else { return nil }
    var limit = Self.batch
    var times = StreamTime(nanoseconds: .min)...StreamTime.distantFuture
    switch replay.from {
    case nil: break
    case .count(let count): guard position >= count else { return nil }
    case .seconds, .calendar: times = replay.start...times.upperBound
    }
    switch replay.until {
    case nil: break
    case .count(let count): limit = min(limit, count - position)
    case .seconds, .calendar:
      guard let end = replay.until?.time(replay.header), end >= times.lowerBound else { return nil }
      times = times.lowerBound...end
    }
    guard limit > 0, times.contains(time) else { return nil }
    if rowInput != latestInput {
      guard valueCount >= Self.patience else { return nil }
      let number = inputs[latestInput].number
      reader.readRows(of: name, to: number, type: stream.execution.pipeline.inputs[number].type)
      rowInput = latestInput
    }
    // The rows that are sent together have one time, unless the time makes no difference.
    reader.rowTimes = session.looksAtTime ? time...time : times
    try session.checkLimits()
    return try session.takeRows(of: reader.feed, atMost: limit, at: moved(time))
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
    forgetInputs()
    // During a trial, the version before its first swap stays the one to which the stream returns.
    guard isTrial, isFirst else { return }
    session.whenRolledBack = { [weak self, unowned session] in
      session.explain = explain
      self?.forgetInputs()
    }
  }

  /// Forgets the inputs of the version before.
  private func forgetInputs() { (inputs, rowInput, latestInput, valueCount) = ([], nil, nil, 0) }

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
