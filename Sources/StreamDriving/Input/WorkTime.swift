package import StreamEngine
internal import StreamKit

/// An amount of processor time, as arguments write it: `500us`, `10ms`, `1.5s`.
package struct WorkTime: Hashable, Sendable, CustomStringConvertible {
  /// At least one microsecond.
  package let interval: Interval

  private static let units: [(name: String, nanoseconds: Double)] = [
    ("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9),
  ]

  package init?(argument: String) {
    guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
      let number = Double(argument.dropLast(unit.name.count)), number.isFinite
    else { return nil }
    let nanoseconds = (number * unit.nanoseconds).rounded()
    guard nanoseconds >= 1_000, nanoseconds <= 1e15 else { return nil }
    interval = Interval(nanoseconds: Int64(nanoseconds))
  }

  package var description: String { interval.shortText }
}
