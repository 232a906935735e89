/// Doubles as ECMAScript's `Number::toString` writes them: the fewest digits that read back as the number, with an
/// exponent from 1e21 on and below 1e-6.
enum ECMAScriptNumber {
  /// Appends a finite number.
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number != 0 else {
      bytes.append(UInt8(ascii: "0"))
      return
    }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let (digits, point) = decimal(number.magnitude)
    switch point {
    case digits.count...21:
      bytes += digits
      bytes += zeros(point - digits.count)
    case 1...21:
      bytes += digits[..<point]
      bytes.append(UInt8(ascii: "."))
      bytes += digits[point...]
    case -5...0:
      bytes += "0.".utf8
      bytes += zeros(-point)
      bytes += digits
    default:
      bytes.append(digits[0])
      if digits.count > 1 {
        bytes.append(UInt8(ascii: "."))
        bytes += digits[1...]
      }
      bytes += (point > 0 ? "e+" : "e-").utf8
      bytes += String((point - 1).magnitude).utf8
    }
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "0"), count: count) }

  /// Returns the shortest digits, without zeros at either end, and the exponent: `0.digits` times ten to `point`.
  private static func decimal(_ magnitude: Double) -> (digits: [UInt8], point: Int) {
    let text = magnitude.description.utf8
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    var digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    var point = whole.count + exponent
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leading)
    point -= leading
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, point)
  }
}
