/// Reads the parts of a line as `JSONLineScanner` does, for less: it looks at eight bytes of a value at once, and not
/// whether the writer would write it like that. What is long or rare it leaves to that one.
///
/// Each part begins at a place and gives where it ends, or nil where it is not plain.
/// NB: a place is in the line or at its end, where a line break stands, with the padding behind it. No part goes beyond
/// a line break.
enum JSONRowScanner {
  typealias Place = UnsafePointer<UInt8>

  @inline(__always)
  private static func word(_ place: Place) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// Passes what stands before a value.
  @inline(__always)
  static func pass(
    _ step: UnsafePointer<JSONLineLayout.Step>, _ words: UnsafeMutablePointer<JSONLineLayout.Word>, _ place: Place
  ) -> Place? {
    // NB: what is compared has 48 bytes at most and no line break, so it ends before one.
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

  /// Whether a line break stands here.
  @inline(__always)
  static func isBreak(_ place: Place) -> Bool { place[0] == 0x0A || (place[0] == 0x0D && place[1] == 0x0A) }

  /// Passes a value.
  @inline(__always)
  static func skip(_ place: Place) -> Place? {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") { return passText(place + 1) }
    if byte < 0x3A { return skipNumber(place, byte) }
    var cell = FieldCell(.null, 0)
    return readWord(place, &cell)
  }

  /// Reads a value.
  ///
  /// - Parameter line: where the line begins.
  @inline(__always)
  static func read(_ place: Place, of line: Place, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") {
      guard let end = passText(place + 1) else { return nil }
      cell.pointee = FieldCell(textAt: place + 1 - line, count: end - place - 2)
      return end
    }
    if byte < 0x3A { return readNumber(place, byte, into: cell) }
    return readWord(place, cell)
  }

  // MARK: Texts and words

  /// Passes a text that stands there as it is, up to a comma or the line break.
  @inline(__always)
  static func passField(_ start: Place) -> Place? {
    guard let end = PlainText.end(start, PlainText.marksOfField), end[0] == 0x2C || isBreak(end) else { return nil }
    return end
  }

  /// Passes a text behind its first quotation mark.
  @inline(__always)
  static func passText(_ start: Place) -> Place? {
    guard let end = PlainText.end(start, PlainText.marks), end[0] == 0x22 else { return nil }
    return end + 1
  }

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

  /// 1 of a minus sign, 0 of a digit, either of others.
  ///
  /// NB: computed, for a jump could not be foretold: every other number is negative.
  @inline(__always)
  private static func sign(_ byte: UInt8) -> UInt64 { UInt64(byte >> 4 & 1 ^ 1) }

  /// Whether what was taken for a sign is one.
  @inline(__always)
  private static func isSign(_ byte: UInt8, _ sign: UInt64) -> Bool {
    (UInt64(byte) ^ UInt64(UInt8(ascii: "-"))) & (0 &- sign) == 0
  }

  /// Of most numbers all digits lie within eight bytes, or are those of an int within sixteen.
  @inline(__always)
  static func skipNumber(_ place: Place, _ byte: UInt8) -> Place? {
    let sign = sign(byte)
    guard isSign(byte, sign) else { return nil }
    let first = place + Int(sign)
    let word = word(first)
    var marks = DecimalDigits.marks(word)
    let whole = marks.trailingZeroBitCount >> 3
    if whole == 8 {
      let rest = DecimalDigits.count(self.word(first + 8))
      let end = first + (8 + rest)
      guard rest < 8, word & 0xFF != 0x30, end[0] != UInt8(ascii: ".") else { return skipOtherNumber(place) }
      return end
    }
    if whole == 0 || (whole > 1 && word & 0xFF == 0x30) { return nil }
    guard first[whole] == UInt8(ascii: ".") else { return first + whole }
    marks &= marks &- 1
    let end = marks.trailingZeroBitCount >> 3
    guard end - whole > 1 else { return nil }
    return end == 8 ? skipOtherNumber(place) : first + end
  }

  /// Passes an int of 15 digits at most.
  @inline(__always)
  static func skipInt(_ place: Place) -> Place? {
    let sign = sign(place[0])
    guard isSign(place[0], sign) else { return nil }
    let first = place + Int(sign)
    var count = DecimalDigits.count(word(first))
    // -0 is a double.
    if count == 0 || (first[0] == 0x30 && (count > 1 || sign == 1)) { return nil }
    if count == 8 {
      let rest = DecimalDigits.count(word(first + 8))
      if rest == 8 { return nil }
      count += rest
    }
    return first + count
  }

  /// Reads a number. NB: inlined, for most is decided by its first eight bytes.
  @inline(__always)
  static func readNumber(
    _ place: Place, _ byte: UInt8, into cell: UnsafeMutablePointer<FieldCell>
  ) -> Place? {
    let sign = sign(byte)
    guard isSign(byte, sign) else { return nil }
    let first = place + Int(sign)
    let word = word(first)
    var marks = DecimalDigits.marks(word)
    let whole = marks.trailingZeroBitCount >> 3
    if whole == 8 { return readLongInt(place, into: cell) }
    if whole == 0 || (whole > 1 && word & 0xFF == 0x30) { return nil }
    guard first[whole] == UInt8(ascii: ".") else {
      let digits = Int64(bitPattern: DecimalDigits.value(word, whole))
      // -0 is a double.
      if digits == 0 { return readOtherNumber(place, into: cell) }
      cell.pointee = FieldCell(.int, (digits ^ (0 &- Int64(sign))) &+ Int64(sign))
      return first + whole
    }
    marks &= marks &- 1
    let end = marks.trailingZeroBitCount >> 3
    guard end - whole > 1 else { return nil }
    if end == 8 { return readOtherNumber(place, into: cell) }
    // The digits without the point between them.
    let before = (1 << UInt64(8 * whole)) &- 1 as UInt64
    let digits = DecimalDigits.value((word & before) | ((word >> 8) & ~before), end - 1)
    // Both are exact, so the one rounding is the right one.
    let magnitude = Double(Int64(bitPattern: digits)) / DecimalDigits.smallPower(end - whole - 1)
    cell.pointee = FieldCell(.double, Int64(bitPattern: magnitude.bitPattern | sign << 63))
    return first + end
  }

  /// Reads a number of eight digits or more before the point: most are ints of at most 15, such as times.
  @inline(never)
  private static func readLongInt(_ place: Place, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    let sign = sign(place[0])
    let first = place + Int(sign)
    let (word, rest) = (word(first), word(first + 8))
    let count = DecimalDigits.count(rest)
    let end = first[8 + count]
    guard count < 8, word & 0xFF != 0x30, end != UInt8(ascii: "."), end | 0x20 != UInt8(ascii: "e") else {
      return readOtherNumber(place, into: cell)
    }
    var digits = DecimalDigits.value(word, 8) &* DecimalDigits.power(count)
    if count > 0 { digits &+= DecimalDigits.value(rest, count) }
    cell.pointee = FieldCell(.int, (Int64(bitPattern: digits) ^ (0 &- Int64(sign))) &+ Int64(sign))
    return first + (8 + count)
  }

  @inline(never)
  private static func skipOtherNumber(_ place: Place) -> Place? {
    var cell = FieldCell(.null, 0)
    return readOtherNumber(place, into: &cell)
  }

  @inline(never)
  private static func readOtherNumber(_ place: Place, into cell: UnsafeMutablePointer<FieldCell>) -> Place? {
    // No number that is plain has more bytes, and what is read lies within the padding.
    var scanner = JSONLineScanner(PaddedBytes(unsafe: place, count: 24))
    let number = scanner.number()
    guard scanner.isPlain else { return nil }
    switch number.value {
    case .int(let int): cell.pointee = FieldCell(.int, int)
    case .double(let double): cell.pointee = FieldCell(.double, Int64(bitPattern: double.bitPattern))
    default: return nil
    }
    return place + scanner.place
  }
}
