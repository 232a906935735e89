public import StreamCore
public import StreamEngine

extension History {
  /// An event of a stream, with its time.
  public struct Event: Hashable, Sendable {
    public var time: StreamTime
    public var event: ExecutionEvent

    public init(_ time: StreamTime, _ event: ExecutionEvent) {
      self.time = time
      self.event = event
    }

    /// Returns a value event at a time in seconds.
    public static func value(_ value: Value, at seconds: Double) -> Event {
      Event(StreamTime(seconds: seconds), .value(value))
    }

    /// Returns a finish event at a time in seconds.
    public static func finished(at seconds: Double) -> Event {
      Event(StreamTime(seconds: seconds), .finished)
    }
  }
}

/// The events of a stream in order: a recording, or the expectation of a test.
///
/// ```swift
/// let run = VirtualRun(Execution(try model.compile()))
/// run.feed([(0, History([.value(7, at: 0), .finished(at: 3)]))])
/// let history = run.run()
/// ```
public struct History: Hashable, Sendable {
  public var events: [Event]

  public init(_ events: [Event] = []) { self.events = events }

  /// The history without skipped values, calls and messages.
  public var ofTheStream: History { History(events.filter(\.event.isOfTheStream)) }

  /// The values without the other events.
  public var values: [Value] {
    events.compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// The completion of the stream, or nil if it has not completed.
  public var completion: Completion? {
    events.last.flatMap { Completion($0.event) }
  }
}

extension ExecutionEvent {
  /// Whether the event is a value or the completion, instead of a message to the host.
  public var isOfTheStream: Bool {
    switch self {
    case .value, .finished, .failure: true
    case .skipped, .call, .noted: false
    }
  }
}
