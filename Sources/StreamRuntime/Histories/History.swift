public import StreamCore

/// Something that a stream said, and when.
public struct TimedEvent: Hashable, Sendable {
  public var time: StreamTime
  public var event: ExecutionEvent

  public init(_ time: StreamTime, _ event: ExecutionEvent) {
    self.time = time
    self.event = event
  }

  /// A value at this many seconds.
  public static func value(_ value: Value, at seconds: Double) -> TimedEvent {
    TimedEvent(StreamTime(seconds: seconds), .value(value))
  }

  /// The end at this many seconds.
  public static func finished(at seconds: Double) -> TimedEvent {
    TimedEvent(StreamTime(seconds: seconds), .finished)
  }
}

/// What a stream said, in order: a recording, or what a test expects.
public struct History: Hashable, Sendable {
  public var events: [TimedEvent]

  public init(_ events: [TimedEvent] = []) { self.events = events }

  /// The values alone.
  public var values: [Value] {
    events.compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// How the stream ended, if it did.
  public var completion: Completion? {
    switch events.last?.event {
    case .finished: .finished
    case .failure(let failure): .failure(failure)
    default: nil
    }
  }
}
