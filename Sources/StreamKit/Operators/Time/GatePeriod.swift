internal import CEL
internal import StreamCore
internal import StreamRuntime

/// How long something lasts that begins with a value: so many seconds, or until a stream that is started for the value
/// publishes.
///
/// The machine's timer 0 or its port 1 tells when it is over; a stream that ends without a value ends on port 1.
enum GatePeriod: Sendable {
  case time(Interval)
  case stream

  static let port = 1
  private static let timer = 0

  /// Of fields `seconds` and `stream`, one of which is there.
  init(seconds: Double?) {
    self = seconds.map { .time(Interval(seconds: $0)) } ?? .stream
  }

  /// Begins anew for a value; `index` is its number.
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

  /// Is over, or breaks off.
  func end(_ effects: Effects) {
    switch self {
    case .time: effects.cancelTimer(Self.timer)
    case .stream: effects.cancel(Self.port)
    }
  }
}

extension InnerStream {
  /// The stream of a field `stream`, started for each value that a span begins with.
  var spans: [JoinedStream] { [joined(capturing: InnerStream.captures)] }
}
