internal import StreamCore
package import StreamEngine
package import StreamKit

/// The events of a replay as the script of a test.
package final class ReplayScript {
  /// The events of each input, in the order in which the inputs first occur.
  package private(set) var inputs: [(name: String, events: [Source.Record.Event])] = []
  /// The results of calls by function, without those that repeat another one.
  package private(set) var calls: [(function: String, answers: [StreamTest.CallScript.Answer])] = []
  /// Number of events of inputs and of results.
  package private(set) var count = 0
  /// Maximum number of events.
  package let limit: Int
  /// Whether the limit has ended the replay, rather than the recording.
  package private(set) var isTooLong = false
  /// The time of the latest event.
  package private(set) var time = StreamTime.zero
  /// The functions that gave different results for one argument, which a test cannot tell apart.
  package private(set) var ambiguous: Set<String> = []
  /// When each call was made.
  private var started: [Int64: StreamTime] = [:]

  package init(limit: Int) { self.limit = limit }

  func note(_ call: Call, at time: StreamTime) { started[call.id] = time }

  /// Notes an event of an input. Returns false if there are too many.
  func note(_ event: Source.Record.Event.Kind, of input: String, at time: StreamTime) -> Bool {
    guard noteEvent(at: time) else { return false }
    let event = Source.Record.Event(at: time.seconds, event)
    if let place = inputs.firstIndex(where: { $0.name == input }) {
      inputs[place].events.append(event)
    } else {
      inputs.append((input, [event]))
    }
    return true
  }

  /// Notes the result of a call. Returns false if there are too many.
  func note(_ answer: RecordedAnswer, to call: Call, at time: StreamTime) -> Bool {
    guard noteEvent(at: time) else { return false }
    let kind: StreamTest.CallScript.Answer.Kind =
      switch answer.result {
      case .success(let value): .value(value)
      case .failure(let failure): .failure(failure.errorValue)
      }
    let delay = max(0, (time - (started[call.id] ?? time)).nanoseconds)
    let made = StreamTest.CallScript.Answer(argument: call.argument, after: Double(delay) / 1e9, kind)
    guard let place = calls.firstIndex(where: { $0.function == call.function }) else {
      calls.append((call.function, [made]))
      return true
    }
    if let known = calls[place].answers.first(where: { $0.argument == made.argument }) {
      if known != made { ambiguous.insert(call.function) }
    } else {
      calls[place].answers.append(made)
    }
    return true
  }

  private func noteEvent(at time: StreamTime) -> Bool {
    guard count < limit else {
      isTooLong = true
      return false
    }
    count += 1
    self.time = time
    return true
  }

  /// Notes that time has passed.
  func notePassing(to time: StreamTime) { self.time = max(self.time, time) }
}
