internal import StreamCore
package import StreamEngine

/// The last line of a recording.
package struct RecordingEnd: Equatable, Sendable {
  /// Why a run ends.
  package enum Reason: String, Sendable {
    /// The stream has finished.
    case finished
    /// The stream has failed.
    case failed
    /// Nothing more could happen.
    case idle
    /// The requested number of values or the requested time was reached.
    case enough
    /// The program was asked to stop.
    case interrupted
    /// The reader has closed the output.
    case outputClosed
    /// The run took more work or memory than it may.
    case limited
    /// The data or the output were wrong.
    case refused
  }

  package var time: StreamTime
  package var events: Int
  /// Number of values that the run has written.
  package var values: Int
  package var reason: Reason

  init(time: StreamTime, events: Int, values: Int, reason: Reason) {
    (self.time, self.events, self.values, self.reason) = (time, events, values, reason)
  }

  /// Reads the line; nil if it is not the last line of a recording.
  init?(json: Value) {
    guard let time = json.member("end").flatMap(RecordingTime.read), case .int(let events)? = json.member("events"),
      case .int(let values)? = json.member("values"), events >= 0, values >= 0
    else { return nil }
    self.init(
      time: time, events: Int(events), values: Int(values),
      reason: json.member("because")?.text.flatMap(Reason.init) ?? .finished)
  }

  /// Whether the run was ended in the midst of its work, so that only the number of its values says where.
  var isSudden: Bool {
    switch reason {
    case .interrupted, .outputClosed, .limited, .refused: true
    case .finished, .failed, .idle, .enough: false
    }
  }
}

extension RecordingEnd.Reason {
  /// The reason of a run that has ended.
  ///
  /// - Parameter end: The completion of the stream; nil if it has not completed.
  init(_ stop: RunStop?, _ end: ExecutionEvent?) {
    switch stop {
    case nil: self = end == nil ? .idle : .finished
    case .enough: self = .enough
    case .outputClosed: self = .outputClosed
    case .interrupted: self = .interrupted
    case .failed: self = .failed
    case .limited: self = .limited
    case .refused: self = .refused
    }
  }
}
