extension FixedWidthInteger {
  /// Whether this can be a count: 0 or more, and far from overflow.
  ///
  /// Counts in snapshots are checked, since these may come from untrusted sources; then they are incremented without a
  /// check.
  package var isCount: Bool { self >= 0 && self <= Self(1) << (Self.bitWidth - 2) }
}

extension BinaryInteger {
  /// Returns the number with its noun, as messages have it: `1 value`, `2 values`.
  ///
  /// - Parameter noun: The singular, whose plural ends in "s".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
