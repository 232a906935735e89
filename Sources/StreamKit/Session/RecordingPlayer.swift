package import StreamCore
package import StreamEngine

/// Plays recordings into the inputs of one stream.
///
/// A recording either plays at its times, as an app sends values, or is read when its input is wanted, as `run` reads the
/// lines of a file: an event that is due waits until then, and counts as present.
package final class RecordingPlayer {
  /// A recording for an input.
  package struct Recording: Sendable {
    package let input: Int
    package let history: History
    /// Whether events wait until the input is wanted.
    package let waits: Bool
    /// The input for late values, and the places of these among the events; nil if there are none.
    private let late: (input: Int, places: Set<Int>)?

    /// Events before time zero are lost, as with any subject.
    package init(input: Int, history: History, waits: Bool) {
      self.input = input
      self.history = History(history.events.filter { $0.time >= .zero })
      self.waits = waits
      late = nil
    }

    /// Creates a recording of values in the order of their times. Late ones go to their own input.
    package init(input: Int, _ script: OrderedScript, in pipeline: Pipeline) {
      self.input = input
      history = script.history
      waits = true
      late = script.late.isEmpty ? nil : pipeline.lateInput(of: input).map { ($0, script.late) }
    }

    /// The input that receives an event.
    fileprivate func target(of place: Int) -> Int {
      if let late, late.places.contains(place) { late.input } else { input }
    }
  }

  /// The order of waiting events of several inputs at one instant.
  package enum Order: Sendable {
    /// One of each input in turn, since they have no times of their own.
    case inTurn
    /// Ends first, then values in the order of the recordings.
    case byInput
  }

  private let recordings: [Recording]
  private let order: Order
  /// Index of the next event of each recording.
  private var next: [Int]
  /// The waiting recording that was read last.
  private var latest = -1
  /// The events that the stream has received, by recording.
  private var received: [[History.Event]]
  /// The input that has received the latest event; nil for the result of a call, and before the first event.
  package private(set) var latestInput: Int?
  /// The time of the latest event.
  package private(set) var latestTime = StreamTime.zero
  /// The results of calls that have not been delivered, in order of time.
  private var results: [(time: StreamTime, call: Int64, result: Result<Value, StreamFailure>)] = []

  package init(_ recordings: [Recording], _ order: Order) {
    self.recordings = recordings
    self.order = order
    next = recordings.map { _ in 0 }
    received = recordings.map { _ in [] }
  }

  /// Delivers the result of a call at an instant: after the events of recordings at that instant.
  package func resolve(_ call: Int64, with result: Result<Value, StreamFailure>, at time: StreamTime) {
    let place = results.firstIndex { $0.time > time } ?? results.endIndex
    results.insert((time, call, result), at: place)
  }

  /// Hands the next event to the stream, if it is due before all timers. Returns false if there is none.
  ///
  /// - Parameter limit: The time at which the run ends.
  package func step(_ session: StreamSession, until limit: StreamTime) -> Bool {
    guard !session.isEnded else { return false }
    var choice = NextInput()
    for number in places {
      guard let event = upcoming(number) else { continue }
      let recording = recordings[number]
      if recording.waits, !session.wants(recording.input) { continue }
      choice.consider(
        number, isEnd: recording.waits && order == .byInput && !event.isValue, at: max(session.time, event.time))
    }
    if let first = results.first, choice.next.map({ first.time < $0.time }) ?? true {
      guard isDue(first.time, session, until: limit) else { return false }
      results.removeFirst()
      (latestInput, latestTime) = (nil, max(session.time, first.time))
      session.answer(first.call, first.result, at: max(session.time, first.time))
      return true
    }
    guard let (number, time) = choice.next, isDue(time, session, until: limit), let event = upcoming(number)
    else { return false }
    let input = recordings[number].target(of: next[number])
    next[number] += 1
    if recordings[number].waits { latest = number }
    received[number].append(History.Event(time, event.event))
    (latestInput, latestTime) = (input, time)
    switch event.event {
    case .value(let value): session.send(value, to: input, at: time)
    case .finished: session.complete(input, .finished, at: time)
    case .failure(let failure): session.complete(input, .failure(failure), at: time)
    case .skipped, .call, .noted: break
    }
    return true
  }

  /// The events for an input: those that the stream has received, and those of recordings with times that it has not.
  package func events(for input: Int) -> [History.Event] {
    recordings.indices.flatMap { number in
      let recording = recordings[number]
      let hasTimes = !recording.waits || order == .byInput
      let events = received[number] + (hasTimes ? recording.history.events[next[number]...] : [])
      return events.enumerated().filter { recording.target(of: $0.offset) == input }.map(\.element)
    }
  }

  /// Whether an event is later than an instant.
  package func hasEvents(after time: StreamTime) -> Bool {
    recordings.contains { $0.history.events.contains { $0.time > time } }
  }

  /// The numbers of the recordings in the order in which they are asked.
  private var places: [Int] {
    let all = recordings.indices
    guard order == .inTurn else { return Array(all) }
    let waiting = all.filter { recordings[$0].waits }
    return all.filter { !recordings[$0].waits } + waiting.filter { $0 > latest } + waiting.filter { $0 <= latest }
  }

  /// Whether an event at an instant comes before all timers, and before the end of the run.
  private func isDue(_ time: StreamTime, _ session: StreamSession, until limit: StreamTime) -> Bool {
    time <= limit && session.nextWake.map { time <= $0 } ?? true
  }

  private func upcoming(_ number: Int) -> History.Event? {
    let events = recordings[number].history.events
    return next[number] < events.count ? events[next[number]] : nil
  }
}

extension History.Event {
  package var isValue: Bool { if case .value = event { true } else { false } }
}

/// The input whose next event comes first: an end before values of the same instant, and the first input among equals.
package struct NextInput {
  /// The number of the input, and when its event counts as happened; nil if none has been considered.
  package private(set) var next: (input: Int, time: StreamTime)?
  package private(set) var isEnd = false

  package init() {}

  package mutating func consider(_ input: Int, isEnd: Bool, at time: StreamTime) {
    if let next {
      guard time != next.time ? time < next.time : isEnd && !self.isEnd else { return }
    }
    next = (input, time)
    self.isEnd = isEnd
  }
}
