package import StreamCore
package import StreamEngine

/// An event that a session receives from outside.
///
/// The same events at the same times have the same effects in every process, so that they are a recording of a run.
/// Inputs are known by name, since their numbers change with the version.
package enum SessionEvent {
  /// A value of the input's declared type.
  case value(Value, input: String)
  /// A value that each version converts to its own declared type.
  case unconverted(Value, input: String)
  case completion(Completion, input: String)
  /// The result of a call, by the session's number of the call.
  case result(Result<Value, StreamFailure>, call: Int64)
  /// All timers up to the time of the event fire.
  case advance
  /// The next timer fires, and no other of its instant.
  case timer
}

/// Receives every event that a session receives from outside, before the session acts on it.
package protocol SessionJournal: AnyObject {
  /// - Parameter time: The time that the door gave, which may be before that of the session.
  func note(_ event: SessionEvent, at time: StreamTime)
}
