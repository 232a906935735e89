internal import CEL
internal import StreamCore
internal import StreamEngine

extension Timestamp {
  /// Creates the instant that a number of units after 1970 shows; nil if it is out of range.
  ///
  /// The number is the decimal that is written for it, not the binary fraction nearest to that: 1700000000.1 s is 100 ms
  /// after a whole second, although the nearest `Double` is 24 ns less.
  init?(decimal number: Double, _ unit: Pipeline.Input.TimeUnit) {
    // The usual case: a decimal of few digits. It is the one that is written if it has the value of the number, and if
    // numbers are closer together than such decimals.
    let scale: Double =
      switch unit {
      case .seconds: 1_000_000
      case .milliseconds: 1000
      case .microseconds, .nanoseconds: 1
      }
    if number.ulp * scale < 0.5, case let whole = (number * scale).rounded(), whole / scale == number,
      let count = Int64(exactly: whole)
    {
      let perSecond = unit.perSecond * Int64(scale)
      let (seconds, rest) = count.quotientAndRemainder(dividingBy: perSecond)
      self.init(seconds: seconds, nanoseconds: rest * (1_000_000_000 / perSecond))
      return
    }
    guard let decimal = ShortestDecimal(number), let time = decimal.count(of: 1_000_000_000 / unit.perSecond) else {
      return nil
    }
    self.init(seconds: time.units / unit.perSecond, nanoseconds: time.units % unit.perSecond * time.size + time.rest)
  }
}

/// The decimal of the fewest digits that is read as a number.
private struct ShortestDecimal {
  /// The digits as an integer, and the power of ten by which they are multiplied.
  private var digits: Int64 = 0
  private var exponent = 0

  /// Returns nil for a number that is not finite.
  init?(_ number: Double) {
    guard number.isFinite else { return nil }
    let text = number.description.utf8
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    var isFraction = false
    for byte in mantissa {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
        // NB: Only the zeros of a whole number do not fit.
        if overflow { return nil }
        digits = product + Int64(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      case UInt8(ascii: "."): isFraction = true
      default: break
      }
    }
    if mantissa.count < text.count { exponent += Int(String(text.dropFirst(mantissa.count + 1)) ?? "") ?? 0 }
    if number.sign == .minus { digits.negate() }
  }

  /// Returns the whole part, and the rest in fractions of this size, rounded; nil if the whole part is out of range.
  ///
  /// - Parameter size: The number of fractions of 1, a power of ten.
  func count(of size: Int64) -> (units: Int64, rest: Int64, size: Int64)? {
    var units = digits
    guard exponent < 0 else {
      for _ in 0..<exponent {
        let (product, overflow) = units.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        units = product
      }
      return (units, 0, size)
    }
    // Below 10⁻¹⁸ nothing is left, even of 19 digits.
    guard exponent >= -18 else { return (0, 0, size) }
    let divisor = (0 ..< -exponent).reduce(Int64(1)) { power, _ in power * 10 }
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: divisor)
    guard divisor > size else { return (whole, fraction * (size / divisor), size) }
    let step = divisor / size
    let (rest, excess) = fraction.quotientAndRemainder(dividingBy: step)
    // Half of a fraction is rounded to the even one.
    let isUp = 2 * abs(excess) > step || 2 * abs(excess) == step && !rest.isMultiple(of: 2)
    return (whole, isUp ? rest + fraction.signum() : rest, size)
  }
}
