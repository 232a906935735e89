/// Scans plain JSON scalars in a line, eight bytes at a time: numbers of up to 18 characters without an exponent, strings
/// without escapes, `true`, `false` and `null`.
///
/// Each function takes the place of the first byte and returns that of the first byte after it, or nil if the text there
/// is not plain. The general reader then reads the line and reports its errors.
///
/// NB: A place is in the line or at its end. The line ends with a control character, such as a line break, and readable
/// padding follows it. Plain text contains no control character, so that no function goes beyond it.
enum JSONLineScanner {
  typealias Place = UnsafePointer<UInt8>

  @inline(__always)
  private static func word(_ place: Place) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// Passes the expected bytes before a value.
  @inline(__always)
  static func pass(
    _ step: UnsafePointer<JSONLineLayout.Step>, _ words: UnsafeMutablePointer<JSONLineLayout.Word>, _ place: Place
  ) -> Place? {
    // NB: Expected bytes are at most 48, which is less than the padding.
    if (word(place) ^ step.pointee.first.bytes) & step.pointee.first.mask != 0 { return nil }
    let count = step.pointee.wordCount
    if count > 1 {
      let others = words + step.pointee.firstWord
      for index in 1..<count where (word(place + 8 * index) ^ others[index].bytes) & others[index].mask != 0 {
        return nil
      }
    }
    return place + step.pointee.byteCount
  }

  /// Whether a line break is here.
  @inline(__always)
  static func isBreak(_ place: Place) -> Bool { place[0] == 0x0A || (place[0] == 0x0D && place[1] == 0x0A) }

  /// Passes a value.
  @inline(__always)
  static func skip(_ place: Place) -> Place? {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") { return passString(place + 1) }
    if byte < 0x3A { return Number(place)?.end }
    return passWord(place)
  }

  /// Passes a value that `JSONWriter` writes with the same bytes.
  @inline(__always)
  static func skipCanonical(_ place: Place) -> Place? {
    guard place[0] < 0x3A, place[0] != UInt8(ascii: "\"") else { return skip(place) }
    guard let number = Number(place), number.isCanonical else { return nil }
    return number.end
  }

  /// Reads a value.
  ///
  /// - Parameter line: The start of the line.
  @inline(__always)
  static func read(_ place: Place, of line: Place, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") {
      guard let end = passString(place + 1) else { return nil }
      cell.pointee = FieldCell(textAt: place + 1 - line, count: end - place - 2)
      return end
    }
    if byte < 0x3A { return readNumber(place, byte, into: cell) }
    return readWord(place, cell)
  }

  // MARK: Strings and words

  /// Passes text without quotation marks, up to a separator or the line break.
  @inline(__always)
  static func passField(_ start: Place, _ separator: UInt8) -> Place? {
    guard let end = PlainText.end(start, { PlainText.marksOfField($0, separator) }),
      end[0] == separator || isBreak(end)
    else { return nil }
    return end
  }

  /// Passes a string, from after its first quotation mark.
  @inline(__always)
  static func passString(_ start: Place) -> Place? {
    guard let end = PlainText.end(start, PlainText.marks), end[0] == 0x22 else { return nil }
    return end + 1
  }

  private static func passWord(_ place: Place) -> Place? {
    var cell = FieldCell(.null, 0)
    return readWord(place, &cell)
  }

  /// Reads `true`, `false` or `null`.
  @inline(never)
  static func readWord(_ place: Place, _ cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    let word = word(place)
    if word & 0xFFFF_FFFF == 0x6575_7274 {
      cell.pointee = FieldCell(.bool, 1)
      return place + 4
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {
      cell.pointee = FieldCell(.bool, 0)
      return place + 5
    }
    guard word & 0xFFFF_FFFF == 0x6C6C_756E else { return nil }
    cell.pointee = FieldCell(.null, 0)
    return place + 4
  }

  // MARK: Numbers

  /// The place of a number's digits.
  struct Number {
    private let first: Place
    let end: Place
    /// Number of digits before the decimal point.
    private let whole: Int
    /// Number of digits after the decimal point; -1 without one.
    private let scale: Int
    private let isNegative: Bool

    @inline(__always)
    init?(_ place: Place) {
      isNegative = place[0] == UInt8(ascii: "-")
      first = isNegative ? place + 1 : place
      whole = Self.digitCount(first)
      if whole == 0 || (whole > 1 && first[0] == 0x30) { return nil }
      if first[whole] == UInt8(ascii: ".") {
        scale = Self.digitCount(first + whole + 1)
        if scale == 0 { return nil }
        end = first + (whole + 1 + scale)
      } else {
        scale = -1
        end = first + whole
      }
      // More digits might not fit into 64 bits, and a double may not be the nearest one above 2^53.
      if end - first > 18 || (scale > 0 && whole + scale > 15 && digits > 1 << 53) { return nil }
    }

    /// Counts digits, up to 24.
    @inline(__always)
    private static func digitCount(_ start: Place) -> Int {
      let count = DecimalDigits.count(word(start))
      if count < 8 { return count }
      let next = DecimalDigits.count(word(start + 8))
      return next < 8 ? 8 + next : 16 + DecimalDigits.count(word(start + 16))
    }

    /// Whether the number is an integer.
    var isInt: Bool { scale < 0 }

    /// Whether `JSONWriter` writes the number with these digits.
    ///
    /// No two decimals of up to 15 digits share a double, so that one of them without trailing zeros is the shortest.
    /// The writer may use an exponent below a thousandth.
    @inline(__always)
    var isCanonical: Bool {
      if isInt { return !(isNegative && first[0] == 0x30) }
      guard whole + scale <= 15 else { return false }
      if scale == 1 { return true }
      guard end[-1] != 0x30 else { return false }
      return first[0] != 0x30 || scale <= 3 || word(first + whole) & 0xFFFF_FF00 != 0x3030_3000
    }

    /// The digits without sign and decimal point.
    private var digits: UInt64 {
      let digits = Self.digits(first, whole)
      return scale < 0 ? digits : Self.digits(first + whole + 1, scale, after: digits)
    }

    var cell: FieldCell {
      if isInt { return FieldCell(.int, (isNegative ? -1 : 1) &* Int64(bitPattern: digits)) }
      // The digits and the power are exact, so that the division rounds once.
      let magnitude = Double(digits) / DecimalPower.exact(max(scale, 0))
      return FieldCell(isNegative ? -magnitude : magnitude)
    }

    /// The value of digits, after that of those before them.
    private static func digits(_ start: Place, _ count: Int, after prefix: UInt64 = 0) -> UInt64 {
      var result = prefix
      for offset in stride(from: 0, to: count, by: 8) {
        let length = min(count - offset, 8)
        result = result &* DecimalDigits.power(length) &+ DecimalDigits.value(word(start + offset), length)
      }
      return result
    }
  }

  /// Reads a number.
  ///
  /// NB: Inlined up to here, because most numbers have all digits in eight bytes.
  @inline(__always)
  static func readNumber(_ place: Place, _ byte: UInt8, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    // 1 for a minus sign, 0 for a digit. NB: Computed, because a branch on signs is mispredicted.
    let sign = UInt64(byte >> 4 & 1 ^ 1)
    guard (UInt64(byte) ^ UInt64(UInt8(ascii: "-"))) & (0 &- sign) == 0 else { return nil }
    let first = place + Int(sign)
    let word = word(first)
    var marks = DecimalDigits.marks(word)
    let whole = marks.trailingZeroBitCount >> 3
    if whole == 8 { return readLongNumber(place, into: cell) }
    if whole == 0 || (whole > 1 && word & 0xFF == 0x30) { return nil }
    guard first[whole] == UInt8(ascii: ".") else {
      let digits = Int64(bitPattern: DecimalDigits.value(word, whole))
      cell.pointee = FieldCell(.int, (digits ^ (0 &- Int64(sign))) &+ Int64(sign))
      return first + whole
    }
    marks &= marks &- 1
    let end = marks.trailingZeroBitCount >> 3
    // NB: First, since the digits after the point may be beyond the word.
    if end == 8 { return readLongNumber(place, into: cell) }
    guard end - whole > 1 else { return nil }
    // The digits without the point between them.
    let before = (1 << UInt64(8 * whole)) &- 1 as UInt64
    let digits = DecimalDigits.value((word & before) | ((word >> 8) & ~before), end - 1)
    // Both are exact, so that the division rounds once.
    let magnitude = Double(Int64(bitPattern: digits)) / DecimalDigits.smallPower(end - whole - 1)
    cell.pointee = FieldCell(.double, Int64(bitPattern: magnitude.bitPattern | sign << 63))
    return first + end
  }

  @inline(never)
  private static func readLongNumber(_ place: Place, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    guard let number = Number(place) else { return nil }
    cell.pointee = number.cell
    return number.end
  }
}
