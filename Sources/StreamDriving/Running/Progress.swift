internal import StreamEngine

/// The progress line of a run.
struct Progress {
  /// Whether it is shown.
  let isShown: Bool
  private let clock = LiveClock()
  private var next = Progress.delay

  /// Nanoseconds before the first line.
  private static let delay: Int64 = 1_000_000_000
  /// Nanoseconds between two lines.
  private static let interval: Int64 = 500_000_000

  init(isShown: Bool) { self.isShown = isShown }

  mutating func show(on console: Console, valuesIn: Int, valuesOut: Int) {
    guard isShown else { return }
    let now = clock.now
    guard now.nanoseconds >= next else { return }
    next = now.nanoseconds + Self.interval
    let rate = Int(Double(valuesIn) / now.seconds)
    console.showProgress("\(valuesIn) values in, \(valuesOut) out, \(rate) per second")
  }
}
