internal import CLibrary

/// Formats doubles in decimal with a given number of digits after the decimal point, rounded half to even.
enum DecimalText {
  static func text(_ number: Double, isScientific: Bool, _ precision: Int) -> String {
    // The longest double has 309 digits before the decimal point.
    var buffer = [CChar](repeating: 0, count: 320 + precision)
    let count = withVaList([Int32(truncatingIfNeeded: precision), number]) { arguments in
      vsnprintf(&buffer, buffer.count, isScientific ? "%.*e" : "%.*f", arguments)
    }
    return String(decoding: buffer.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
