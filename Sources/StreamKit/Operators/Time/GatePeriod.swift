internal import StreamCore
internal import StreamEngine

/// An interval that starts with a value: a number of seconds, or until a stream started for the value publishes.
///
/// The machine's timer 0 or a value on port 1 ends it; a stream without a value completes port 1.
enum GatePeriod: Sendable {
  case time(Interval)
  case stream

  static let port = 1
  private static let timer = 0

  /// Creates the interval of the fields `seconds` and `stream`: the operator has one of them.
  init(seconds: Double?) {
    self = seconds.map { .time(Interval(seconds: $0)) } ?? .stream
  }

  /// Restarts the interval for a value; `index` is its number.
  func begin(for value: Value, index: Int64, _ effects: Effects) {
    switch self {
    case .time(let interval):
      effects.setTimer(Self.timer, at: effects.now + interval)
    case .stream:
      effects.cancel(Self.port)
      effects.subscribe(to: 1, on: Self.port, capturing: [value, .int(index)])
      effects.request(Demand(1), from: Self.port)
    }
  }

  /// Ends the interval.
  func end(_ effects: Effects) {
    switch self {
    case .time: effects.cancelTimer(Self.timer)
    case .stream: effects.cancel(Self.port)
    }
  }
}

extension InnerStream {
  /// The stream of a field `stream`, started for each value that starts an interval.
  var spans: [JoinedStream] { [joined(capturing: InnerStream.captures)] }
}
