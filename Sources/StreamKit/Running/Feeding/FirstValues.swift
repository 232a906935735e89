package import StreamCore

/// The first values of an input whose clock has `maxJump`, until two of them agree about the time.
///
/// A value is compared with the newest one before it. The first has none, and if its time is wrong, all others seem to be
/// wrong or late. Therefore it waits for the second, and where these two disagree, a third decides.
struct FirstValues {
  /// A value whose time is not confirmed.
  struct Waiting {
    let time: Timestamp
    let value: Value
    let place: ValuePlace?
  }

  /// The handling of a value.
  enum Decision {
    /// It is handled as any other.
    case accepted(Waiting)
    case refused(Waiting, Diagnostic)
  }

  /// The values that wait, two at most, in the order of arrival.
  private(set) var waiting: [Waiting]

  init(waiting: [Waiting] = []) { self.waiting = waiting }

  /// Takes the next value.
  ///
  /// - Returns: The decisions about this one and those before it, in the order of arrival; values without a decision wait.
  ///   If none waits, the time is confirmed.
  mutating func take(_ next: Waiting, by clock: InputClock) -> [Decision] {
    waiting.append(next)
    guard let second = waiting.dropFirst().first else { return [] }
    let first = waiting[0]
    if clock.agree(first.time, next.time) { return acceptAll() }
    guard waiting.count == 3 else { return [] }
    waiting.removeFirst()
    let refused = Decision.refused(first, clock.disagreement(of: first.time, with: second.time, next.time))
    return clock.agree(second.time, next.time) ? [refused] + acceptAll() : [refused]
  }

  /// Accepts the values that wait, as when no others follow.
  mutating func acceptAll() -> [Decision] {
    defer { waiting = [] }
    return waiting.map(Decision.accepted)
  }
}

/// The place of a value, for messages about it.
package enum ValuePlace {
  /// In a file of data; the line, if the data consist of lines.
  case data(Diagnostic.Location?, line: SourceText?)
  /// In a test.
  case test(JSONPointer)
}
