/// The speed of time: `10x`, `0.5x`, or the number alone.
package struct Speed: Equatable, Sendable {
  package let factor: Double

  package init?(argument: String) {
    let number = argument.hasSuffix("x") ? String(argument.dropLast()) : argument
    guard let factor = Double(number), factor.isFinite else { return nil }
    self.factor = factor
  }
}
