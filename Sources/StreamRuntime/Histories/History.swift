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

  /// The same without what was skipped, called or noted on the side.
  public var ofTheStream: History { History(events.filter(\.event.isOfTheStream)) }

  /// The values alone.
  public var values: [Value] {
    events.compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// How the stream ended, if it did.
  public var completion: Completion? {
    events.last.flatMap { Completion($0.event) }
  }
}

extension ExecutionEvent {
  /// Whether it is a value or the end, rather than something that the host is told beside the stream.
  public var isOfTheStream: Bool {
    switch self {
    case .value, .finished, .failure: true
    case .skipped, .call, .noted: false
    }
  }
}
