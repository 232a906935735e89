@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// A line of a recording after its header.
enum RecordingEntry {
  /// An event from outside.
  case event(SessionEvent, at: StreamTime)
  /// A result of a call, with the function and the argument of the call.
  case answer(RecordedAnswer, at: StreamTime)
  /// The stream continues as another version: after a number of effects since the latest event, or when it has finished
  /// its work.
  case swap(RecordedStream, at: StreamTime, after: Int?, isTrial: Bool)
  /// The trial of a version ends: after a number of effects since the latest event, or when the stream has finished its
  /// work.
  case trialEnd(TrialEnd, after: Int?)
  /// The run continues after it was stopped: the calendar time at the start of the stream has moved by that time.
  case origin(Timestamp, at: StreamTime)
  case end(RecordingEnd)

  /// Whether it happens while the stream is still at work on the latest event.
  var isMidway: Bool {
    switch self {
    case .swap(_, _, .some, _), .trialEnd(_, .some): true
    case .swap, .trialEnd, .event, .answer, .origin, .end: false
    }
  }

  /// The time of the event; nil for the end.
  var time: StreamTime? {
    switch self {
    case .event(_, let time), .answer(_, let time), .swap(_, let time, _, _), .origin(_, let time): time
    case .trialEnd(let end, _): end.time
    case .end: nil
    }
  }
}

/// The result of a call in a recording.
struct RecordedAnswer {
  /// The session's number of the call.
  let call: Int64
  /// The function and the argument; nil if the recording does not have them.
  let function: String?
  let argument: Value
  let result: Result<Value, StreamFailure>
}

extension RecordedValues {
  /// Reads a line.
  ///
  /// - Throws: Why it is none of a recording, without a location.
  mutating func entry(_ line: Value) throws(Diagnostic) -> RecordingEntry {
    guard case .map(let map) = line else { throw Self.damaged("expected an object, found \(line.describedType)") }
    guard let time = map["at"] else {
      if let end = RecordingEnd(json: line) { return .end(end) }
      throw Self.damaged(map["recording"] == nil ? "'at' is missing" : "a second recording begins here")
    }
    guard let time = RecordingTime.read(time) else {
      throw Self.damaged("'at' is \(JSONWriter.beginning(of: time, bytes: 50)); expected seconds")
    }
    if case .string(let input)? = map["input"] {
      if let value = map["value"] { return .event(.value(try read(value), input: input), at: time) }
      if map["finished"] == true { return .event(.completion(.finished, input: input), at: time) }
      if let failure = map["failure"] {
        return .event(.completion(.failure(try self.failure(in: failure)), input: input), at: time)
      }
      throw Self.damaged("an event of the input '\(input)' has none of 'value', 'finished' and 'failure'")
    }
    if case .int(let call)? = map["call"] {
      let result: Result<Value, StreamFailure>
      if let value = map["value"] {
        result = .success(try read(value))
      } else if let failure = map["failure"] {
        result = .failure(try self.failure(in: failure))
      } else {
        throw Self.damaged("the result of the call \(call) has neither 'value' nor 'failure'")
      }
      let argument: Value = if let value = map["argument"] { try read(value) } else { .null }
      return .answer(
        RecordedAnswer(call: call, function: map["function"]?.text, argument: argument, result: result), at: time)
    }
    if let swap = map["swap"] {
      guard let stream = RecordedStream(json: swap) else { throw Self.damaged("'swap' has no stream file") }
      return .swap(stream, at: time, after: Self.count(map["after"]), isTrial: map["trial"] == true)
    }
    if case .string(let name)? = map["trial"] {
      return .trialEnd(TrialEnd(try verdict(name, map["failure"]), at: time), after: Self.count(map["after"]))
    }
    if let origin = map["origin"] {
      guard let origin = origin.text.flatMap(Timestamp.init(rfc3339:)) else {
        throw Self.damaged("'origin' is not a timestamp")
      }
      return .origin(origin, at: time)
    }
    if map["timer"] == true { return .event(.timer, at: time) }
    if map.count == 1 { return .event(.advance, at: time) }
    throw Self.damaged("none of 'input', 'call', 'swap', 'trial' and 'timer' is there")
  }

  private static func count(_ value: Value?) -> Int? {
    if case .int(let count)? = value, count >= 0 { Int(count) } else { nil }
  }

  private mutating func verdict(_ name: String, _ failure: Value?) throws(Diagnostic) -> TrialEnd.Verdict {
    if name == "kept" { return .kept }
    guard let failure else { throw Self.damaged("the trial has ended without a 'failure'") }
    switch name {
    case "failed": return .failed(try self.failure(in: failure))
    case "stopped": return .stopped(try self.failure(in: failure))
    default: throw Self.damaged("'trial' is '\(name)'; expected 'kept', 'failed' or 'stopped'")
    }
  }

  private mutating func failure(in value: Value) throws(Diagnostic) -> StreamFailure {
    let value = try read(value)
    do {
      return try ValueDecoder().decode(StreamFailure.self, from: value)
    } catch {
      throw Self.damaged("'failure' is not the failure of a stream")
    }
  }

  static func damaged(_ reason: String) -> Diagnostic {
    Diagnostic(
      .invalidInput, "the recording is damaged: \(reason)",
      help: "--until replays the events before this line")
  }
}
