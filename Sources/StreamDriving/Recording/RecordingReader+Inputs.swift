package import StreamEngine
internal import StreamKit

extension RecordingReader {
  /// An event of an input in a recording.
  package struct InputEvent {
    package let input: String
    package let time: StreamTime
    /// A value or a completion.
    package let event: ExecutionEvent
  }

  /// Reads the events of all inputs, in their order.
  ///
  /// - Parameter limit: The most events that are read.
  package func inputEvents(limit: Int) throws(RunStop) -> [InputEvent] {
    var events: [InputEvent] = []
    while events.count < limit, let entry = try next() {
      guard case .event(let event, let time) = entry else { continue }
      switch event {
      case .value(let value, let input), .unconverted(let value, let input):
        events.append(InputEvent(input: input, time: time, event: .value(value)))
      case .completion(.finished, let input): events.append(InputEvent(input: input, time: time, event: .finished))
      case .completion(.failure(let failure), let input):
        events.append(InputEvent(input: input, time: time, event: .failure(failure)))
      case .result, .advance, .timer: continue
      }
    }
    return events
  }
}
