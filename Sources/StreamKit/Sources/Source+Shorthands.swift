/// The sources that Swift code writes most.
extension Source {
  /// Publishes the integers of a range.
  public static func range(_ range: ClosedRange<Int64>) -> Source {
    .range(Range(from: range.lowerBound, through: range.upperBound))
  }

  /// Publishes 0, 1, 2 and so on at regular intervals.
  ///
  /// - Parameters:
  ///   - seconds: The seconds between two values, greater than 0.
  ///   - count: The number of values; nil for no end.
  public static func timer(every seconds: Double, count: Int64? = nil) -> Source {
    .timer(Timer(every: seconds, count: count))
  }

  /// Publishes 0, 1, 2 and so on at regular intervals, as in `.timer(every: .seconds(1))`.
  public static func timer(every interval: Duration, count: Int64? = nil) -> Source {
    .timer(every: interval / .seconds(1), count: count)
  }

  /// Publishes what the host sends to an input.
  public static func input(_ name: String) -> Source { .input(Input(name: name)) }

  /// Publishes the values of a stream of the same file.
  public static func stream(_ name: String) -> Source { .stream(Stream(name: name)) }
}
