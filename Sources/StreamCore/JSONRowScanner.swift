/// Walks along a line as `JSONLineScanner` does, for less: it does not know where the line ends, and not whether the
/// writer would write it like that. What is long or rare it leaves to that one.
struct JSONRowScanner {
  /// NB: no further than `end`, where a byte below a space stands, and behind it the padding.
  private(set) var place: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// - Parameter text: begins with the line. Behind it a byte below a space stands.
  @inline(__always)
  init(_ text: PaddedBytes) {
    start = text.base
    place = text.base
    end = text.base + text.count
  }

  /// How many bytes have been passed.
  var count: Int { place - start }

  @inline(__always)
  private func word(_ place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// Passes what stands before a value; false where it is something else.
  @inline(__always)
  mutating func pass(
    _ step: UnsafePointer<JSONLineLayout.Step>, _ words: UnsafeMutablePointer<JSONLineLayout.Word>
  ) -> Bool {
    // NB: what is compared has 48 bytes at most and none below a space, so it ends before `end`.
    if (word(place) ^ step.pointee.first.bytes) & step.pointee.first.mask != 0 { return false }
    let count = step.pointee.wordCount
    if count > 1 {
      let others = words + step.pointee.firstWord
      for index in 1..<count where (word(place + 8 * index) ^ others[index].bytes) & others[index].mask != 0 {
        return false
      }
    }
    place += step.pointee.byteCount
    return true
  }

  /// Passes the line break; false where there is none.
  @inline(__always)
  mutating func passBreak() -> Bool {
    if place[0] == 0x0A {
      place += 1
      return true
    }
    guard place[0] == 0x0D, place[1] == 0x0A else { return false }
    place += 2
    return true
  }

  /// Passes a value; false where it is not plain.
  @inline(__always)
  mutating func skip() -> Bool {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") { return passText() }
    if byte == UInt8(ascii: "-") || byte &- 0x30 < 10 { return skipNumber() }
    return readWord() != nil
  }

  /// Reads a value; false where it is not plain.
  @inline(__always)
  mutating func read(into cell: UnsafeMutablePointer<FieldCell>) -> Bool {
    let byte = place[0]
    if byte == UInt8(ascii: "\"") {
      let first = place + 1
      guard passText() else { return false }
      cell.pointee = FieldCell(textAt: first - start, count: place - first - 1)
      return true
    }
    if byte == UInt8(ascii: "-") || byte &- 0x30 < 10 { return readNumber(into: cell) }
    guard let word = readWord() else { return false }
    cell.pointee = word
    return true
  }

  // MARK: Texts and words

  @inline(__always)
  private mutating func passText() -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var next = place + 1
    while true {
      let word = word(next)
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      // NB: a borrow can only mark bytes above the first one that is truly marked. The byte at `end` is.
      let marks =
        (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | ((word &- (ones &* 0x20)) & ~word) | word)
        & (ones &* 0x80)
      if marks != 0 {
        next += marks.trailingZeroBitCount >> 3
        place = next + 1
        return next[0] == 0x22
      }
      next += 8
    }
  }

  @inline(never)
  private mutating func readWord() -> FieldCell? {
    let word = word(place)
    if word & 0xFFFF_FFFF == 0x6575_7274 {
      place += 4
      return FieldCell(.bool, 1)
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {
      place += 5
      return FieldCell(.bool, 0)
    }
    if word & 0xFFFF_FFFF == 0x6C6C_756E {
      place += 4
      return FieldCell(.null, 0)
    }
    return nil
  }

  // MARK: Numbers

  /// Of most numbers all digits lie within eight bytes, or are those of an int within sixteen.
  @inline(__always)
  private mutating func skipNumber() -> Bool {
    let first = place + (place[0] == UInt8(ascii: "-") ? 1 : 0)
    let word = word(first)
    var marks = DecimalDigits.marks(word)
    let whole = marks.trailingZeroBitCount >> 3
    if whole == 8 {
      let rest = DecimalDigits.count(self.word(first + 8))
      if rest == 8 || first[8 + rest] == UInt8(ascii: ".") || word & 0xFF == 0x30 { return skipOtherNumber() }
      place = first + (8 + rest)
      return true
    }
    if whole == 0 || (whole > 1 && word & 0xFF == 0x30) { return false }
    if first[whole] != UInt8(ascii: ".") {
      place = first + whole
      return true
    }
    marks &= marks &- 1
    let end = marks.trailingZeroBitCount >> 3
    if end == 8 { return skipOtherNumber() }
    place = first + end
    return end - whole > 1
  }

  @inline(__always)
  private mutating func readNumber(into cell: UnsafeMutablePointer<FieldCell>) -> Bool {
    let sign: UInt64 = place[0] == UInt8(ascii: "-") ? 1 : 0
    let first = place + Int(sign)
    let word = word(first)
    var marks = DecimalDigits.marks(word)
    let whole = marks.trailingZeroBitCount >> 3
    if whole == 8 { return readOtherNumber(into: cell) }
    if whole == 0 || (whole > 1 && word & 0xFF == 0x30) { return false }
    if first[whole] != UInt8(ascii: ".") {
      let digits = Int64(bitPattern: DecimalDigits.value(word, whole))
      place = first + whole
      cell.pointee =
        sign == 0
        ? FieldCell(.int, digits)
        : digits == 0 ? FieldCell(.double, Int64(bitPattern: (-0.0).bitPattern)) : FieldCell(.int, 0 &- digits)
      return true
    }
    marks &= marks &- 1
    let end = marks.trailingZeroBitCount >> 3
    if end == 8 { return readOtherNumber(into: cell) }
    place = first + end
    // The digits without the point between them.
    let before = (1 << UInt64(8 * whole)) &- 1 as UInt64
    let digits = DecimalDigits.value((word & before) | ((word >> 8) & ~before), end - 1)
    // Both are exact, so the one rounding is the right one.
    let magnitude = Double(digits) / DecimalDigits.smallPower(end - whole - 1)
    cell.pointee = FieldCell(.double, Int64(bitPattern: magnitude.bitPattern | sign << 63))
    return end - whole > 1
  }

  @inline(never)
  private mutating func skipOtherNumber() -> Bool {
    var cell = FieldCell(.null, 0)
    return readOtherNumber(into: &cell)
  }

  @inline(never)
  private mutating func readOtherNumber(into cell: UnsafeMutablePointer<FieldCell>) -> Bool {
    var scanner = JSONLineScanner(PaddedBytes(unsafe: place, count: end - place))
    let number = scanner.number()
    guard scanner.isPlain else { return false }
    place += scanner.place
    switch number.value {
    case .int(let int): cell.pointee = FieldCell(.int, int)
    case .double(let double): cell.pointee = FieldCell(.double, Int64(bitPattern: double.bitPattern))
    default: return false
    }
    return true
  }
}
