package import StreamCore
package import StreamEngine

/// An input whose values arrive one after another, beside others with which it shares the time of the stream.
package protocol ArrivingInput: AnyObject {
  var order: RecordOrder { get }
  /// Nanoseconds without values after which the input is idle; nil if the others wait for it however long it is silent.
  var patience: Int64? { get }
  /// Number of values that have arrived.
  var arrivalCount: Int { get }
  /// Since when no value has arrived.
  var silence: Silence { get set }
}

/// Since when an input has been silent.
package struct Silence {
  /// The number of its values when it fell silent.
  fileprivate var count = 0
  fileprivate var start = StreamTime.zero

  package init() {}
}

/// The passing of time where inputs are silent: an input with `idle` holds the others no longer than that, and if all of
/// them are silent, time passes by the clock of the machine.
///
/// This is the meaning of `idle` for everything that runs a stream on values that arrive.
package struct Silences {
  /// The newest time when the latest of all values arrived, and that moment by the clock of the machine. Before the first
  /// value it is the time of the calendar.
  private var standstill: (newest: Timestamp, start: StreamTime)?

  /// The next step of a run in which some inputs have no value to offer.
  package enum Step {
    /// Wait until one of them speaks, or until this time by the clock of the machine; nil for no limit.
    case wait(until: StreamTime?)
    /// The inputs that have a value or an end to offer do not wait for the others.
    case proceed
    /// An input releases a value that was held.
    case release
    /// All inputs are idle: time has passed up to an instant. The next value that is held is released after so many
    /// nanoseconds.
    case pass(to: Timestamp, release: Int64?)
  }

  package init() {}

  /// Returns the next step, and moves the clocks of idle inputs.
  ///
  /// - Parameters:
  ///   - silent: The inputs that have nothing to offer.
  ///   - hasOthers: Whether another input has something to offer.
  ///   - newest: The newest time of all values that have arrived; nil if there is none.
  ///   - now: The time by the clock of the machine.
  ///   - calendar: The present time of the calendar.
  package mutating func step(
    without silent: [some ArrivingInput], hasOthers: Bool, newest: Timestamp?, at now: StreamTime,
    calendar: @autoclosure () -> Timestamp
  ) -> Step {
    for input in silent where standstill == nil || input.arrivalCount != input.silence.count {
      input.silence = Silence(count: input.arrivalCount, start: now)
      standstill = (newest ?? calendar(), now)
    }
    let ends = silent.compactMap { input -> StreamTime? in
      guard let patience = input.patience else { return .distantFuture }
      let end = input.silence.start + Interval(nanoseconds: patience)
      return end > now ? end : nil
    }
    if let first = ends.min() { return .wait(until: first == .distantFuture ? nil : first) }
    if hasOthers { return .proceed }
    let timed = silent.filter { $0.order.clock != nil }
    guard !timed.isEmpty, let present = present(at: now) else { return .wait(until: nil) }
    for input in timed {
      input.order.pass(to: present)
      input.order.release()
      if input.order.head != nil { return .release }
    }
    let release = timed.compactMap(\.order.releaseTime).min().map { $0.streamTime(since: present).nanoseconds }
    return .pass(to: timed.compactMap(\.order.reached).min() ?? present, release: release.map { max(1, $0) })
  }

  /// Notes that an input is about to receive a value. If it was idle, time has passed for it.
  package func noteArrival(for input: some ArrivingInput, at now: StreamTime) {
    guard let patience = input.patience, input.arrivalCount == input.silence.count,
      (now - input.silence.start).nanoseconds >= patience, let present = present(at: now)
    else { return }
    input.order.noteSilence(until: present)
  }

  /// The newest time and the length of the silence after it; nil before the first silence.
  private func present(at now: StreamTime) -> Timestamp? {
    standstill.map { newest, start in
      Timestamp(
        seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds) + max(0, (now - start).nanoseconds))
    }
  }
}

extension Silence {
  fileprivate init(count: Int, start: StreamTime) { (self.count, self.start) = (count, start) }
}
