extension Duration {
  /// Creates a duration from seconds as text, such as `1.5s` or `-0.001s`; nil if the text has another form.
  ///
  /// The form is protobuf's JSON mapping. A duration counts attoseconds; digits beyond the 18th are cut off.
  public init?(secondsText text: String) {
    var scanner = DigitScanner(text)
    let isNegative = scanner.skip("-")
    guard let seconds = scanner.number() else { return nil }
    var attoseconds: Int64 = 0
    if scanner.skip(".") {
      guard let fraction = scanner.fraction(18) else { return nil }
      attoseconds = fraction
    }
    guard scanner.skip("s"), scanner.isAtEnd else { return nil }
    self.init(
      secondsComponent: isNegative ? -seconds : seconds, attosecondsComponent: isNegative ? -attoseconds : attoseconds)
  }

  /// The duration without fractions of a nanosecond, the unit of durations in expressions.
  package var inNanoseconds: Duration {
    let (seconds, attoseconds) = components
    return Duration(
      secondsComponent: seconds, attosecondsComponent: attoseconds - attoseconds % 1_000_000_000)
  }

  /// The duration in seconds, with only the fraction digits it needs: `1.5s`.
  public var secondsText: String {
    let (seconds, attoseconds) = components
    var text = seconds < 0 || attoseconds < 0 ? "-" : ""
    text += String(seconds.magnitude)
    if attoseconds != 0 {
      let digits = String(attoseconds.magnitude)
      var fraction = String(repeating: "0", count: max(0, 18 - digits.count)) + digits
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "s"
  }
}
