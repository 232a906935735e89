/// How the state of a run is kept on disk.
package struct StateRequest: Equatable, Sendable {
  /// The path of the folder.
  package let folder: String
  package var interval = SaveInterval.time(5_000_000_000)
  /// The handling of a state that was saved of another version of the stream file.
  package var mismatch = Mismatch.keep
  /// Whether a pipe brings everything again from the start, so that what the state has is skipped.
  package var feedsAgain = false

  package init(folder: String) { self.folder = folder }

  package enum Mismatch: String, CaseIterable, Sendable {
    /// The new version continues with the state of the old one, as far as possible.
    case keep
    /// The stream begins again.
    case reset
    /// The run is refused.
    case refuse
  }
}

/// How often the state is saved, as arguments write it: `5s`, `500ms`, `1m`, `1h`, or a number of values.
package enum SaveInterval: Hashable, Sendable {
  /// Nanoseconds, more than 0.
  case time(Int64)
  /// Number of values from inputs, more than 0.
  case values(Int)

  private static let units: [(name: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
  ]

  package init?(argument: String) {
    if let count = Int(argument) {
      guard count > 0 else { return nil }
      self = .values(count)
      return
    }
    guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
      let number = Double(argument.dropLast(unit.name.count)), number > 0, number * unit.nanoseconds <= 1e18,
      number * unit.nanoseconds >= 1e6
    else { return nil }
    self = .time(Int64(number * unit.nanoseconds))
  }
}
