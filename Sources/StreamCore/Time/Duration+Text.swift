extension Duration {
  /// Creates a duration from seconds as text, such as `1.5s` or `-0.001s`; nil if the text has another form.
  ///
  /// The form is protobuf's JSON mapping. Digits beyond nanoseconds are cut off, as in a timestamp and in `duration()`.
  public init?(secondsText text: String) {
    var scanner = DigitScanner(text)
    let isNegative = scanner.skip("-")
    guard let seconds = scanner.number() else { return nil }
    var nanoseconds: Int64 = 0
    if scanner.skip(".") {
      guard let fraction = scanner.fraction(9) else { return nil }
      nanoseconds = fraction
    }
    guard scanner.skip("s"), scanner.isAtEnd else { return nil }
    let duration = Duration.seconds(seconds) + .nanoseconds(nanoseconds)
    self = isNegative ? .zero - duration : duration
  }

  /// The duration in seconds, with only the fraction digits it needs: `1.5s`. Digits beyond nanoseconds are cut off.
  public var secondsText: String {
    let (seconds, attoseconds) = components
    let nanoseconds = attoseconds / 1_000_000_000
    var text = seconds < 0 || nanoseconds < 0 ? "-" : ""
    text += String(seconds.magnitude)
    if nanoseconds != 0 {
      let digits = String(nanoseconds.magnitude)
      var fraction = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "s"
  }
}
