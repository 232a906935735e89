/// Walks along a line that looks like those before it.
///
/// It knows plain values alone: numbers of up to 18 digits without an exponent, texts without escapes, `true`,
/// `false` and `null`, without white space between. Whatever it is not sure of it leaves to the general reader, which
/// alone says what is wrong with a line: `isPlain` is false then, and what has been read until then means nothing.
struct JSONLineScanner {
  let line: PaddedBytes
  var place = 0
  /// Whether the line, as far as it was read, is plain.
  var isPlain = true
  /// Whether everything, as far as it was read, stands there as the writer would write it.
  var isCanonical = true

  init(_ line: PaddedBytes) { self.line = line }

  /// Passes what stands before a value.
  @inline(__always)
  mutating func pass(_ step: JSONLineLayout.Step, _ words: UnsafeMutablePointer<JSONLineLayout.Word>) {
    // NB: no further than the padding: a place is never beyond the end, and a step's words have 48 bytes at most.
    var offset = place
    for index in step.firstWord..<step.firstWord + step.wordCount {
      if (line.word(at: offset) ^ words[index].bytes) & words[index].mask != 0 {
        isPlain = false
        return
      }
      offset += 8
    }
    advance(to: place + step.byteCount)
  }

  /// Passes the end of the line.
  @inline(__always)
  mutating func passEnd() {
    if place == line.count { return }
    // A line break of two characters.
    isCanonical = false
    if place + 1 != line.count || line[place] != 0x0D { isPlain = false }
  }

  @inline(__always)
  private mutating func advance(to next: Int) {
    place = next
    // What is read beyond the end is not of this line.
    if next > line.count {
      isPlain = false
      place = line.count
    }
  }

  // MARK: Values

  /// Passes a value.
  @inline(__always)
  mutating func skipValue() {
    let byte = line[place]
    if byte == UInt8(ascii: "\"") {
      let start = place + 1
      advance(to: endOfText(from: start) + 1)
    } else if byte == UInt8(ascii: "-") || byte &- 0x30 < 10 {
      skipNumber()
    } else {
      _ = word()
    }
  }

  /// Reads the value here into a slot.
  @inline(__always)
  mutating func readValue(into slot: UnsafeMutablePointer<Value>, _ texts: inout ShortTexts) {
    let byte = line[place]
    if byte == UInt8(ascii: "\"") {
      let start = place + 1
      let end = endOfText(from: start)
      advance(to: end + 1)
      if isPlain { texts.put(line, start, end - start, into: slot) }
    } else if byte == UInt8(ascii: "-") || byte &- 0x30 < 10 {
      let number = number()
      if isPlain { slot.pointee = number.value }
    } else {
      let value = word()
      if isPlain { slot.pointee = value }
    }
  }

  /// `true`, `false` or `null`.
  private mutating func word() -> Value {
    let word = line.word(at: place)
    if word & 0xFFFF_FFFF == 0x6575_7274 {
      advance(to: place + 4)
      return .bool(true)
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {
      advance(to: place + 5)
      return .bool(false)
    }
    if word & 0xFFFF_FFFF == 0x6C6C_756E {
      advance(to: place + 4)
      return .null
    }
    isPlain = false
    return .null
  }

  /// Where the quotation mark stands that ends the text from here on; what is no plain text before it is not plain.
  @inline(__always)
  private mutating func endOfText(from start: Int) -> Int {
    if let end = PlainText.end(line.base + start, before: line.base + line.count, PlainText.marks), end[0] == 0x22 {
      return end - line.base
    }
    isPlain = false
    return line.count
  }

  // MARK: Numbers

  /// A number as it is written: `digits` times ten to the power of minus `scale`.
  struct Number {
    var digits: UInt64 = 0
    var isNegative = false
    /// How many digits stand behind the point; -1 without a point.
    var scale = -1

    @inline(__always)
    var value: Value {
      if scale < 0 {
        guard isNegative else { return .int(Int64(bitPattern: digits)) }
        return digits == 0 ? .double(-0.0) : .int(0 &- Int64(bitPattern: digits))
      }
      // Both factors are exact, so the one rounding is the right one.
      let magnitude = Double(digits) / DecimalPower.exact(scale)
      return .double(isNegative ? -magnitude : magnitude)
    }
  }

  /// Passes a number.
  @inline(__always)
  mutating func number() -> Number {
    var number = Number()
    var offset = place
    if line[offset] == UInt8(ascii: "-") {
      number.isNegative = true
      offset += 1
    }
    let first = offset
    offset = digits(from: offset, into: &number.digits)
    let whole = offset - first
    if whole == 0 || (whole > 1 && line[first] == 0x30) { isPlain = false }
    if line[offset] == UInt8(ascii: ".") {
      let point = offset
      offset = digits(from: point + 1, into: &number.digits)
      number.scale = offset - point - 1
      if number.scale == 0 || number.digits > 1 << 53 { isPlain = false }
      if !isShortest(number, end: offset) { isCanonical = false }
    } else if number.isNegative && number.digits == 0 {
      isCanonical = false
    }
    // More digits might not fit.
    if offset - first > 18 { isPlain = false }
    advance(to: offset)
    return number
  }

  /// Passes a number without computing it.
  @inline(__always)
  private mutating func skipNumber() {
    let isNegative = line[place] == UInt8(ascii: "-")
    let first = isNegative ? place + 1 : place
    var offset = endOfDigits(from: first)
    let whole = offset - first
    let hasZero = line[first] == 0x30
    if whole == 0 || (whole > 1 && hasZero) { isPlain = false }
    if line[offset] == UInt8(ascii: ".") {
      let point = offset
      offset = endOfDigits(from: point + 1)
      let scale = offset - point - 1
      if scale == 0 { isPlain = false }
      if !isShortest(whole, scale, hasZero, point) { isCanonical = false }
    } else if isNegative && hasZero {
      isCanonical = false
    }
    // More digits might not fit.
    if offset - first > 18 { isPlain = false }
    advance(to: offset)
  }

  /// The same as of a number that is computed, from its digits.
  @inline(__always)
  private func isShortest(_ whole: Int, _ scale: Int, _ hasZero: Bool, _ point: Int) -> Bool {
    guard whole + scale <= 15 else { return false }
    if scale <= 1 { return true }
    guard line[point + scale] != 0x30 else { return false }
    return !hasZero || scale <= 3 || line.word(at: point) & 0xFFFF_FF00 != 0x3030_3000
  }

  /// Where the digits from here on end, up to 24 of them.
  @inline(__always)
  private func endOfDigits(from start: Int) -> Int {
    let count = DecimalDigits.count(line.word(at: start))
    if count < 8 { return start + count }
    let next = DecimalDigits.count(line.word(at: start + 8))
    if next < 8 { return start + 8 + next }
    return start + 16 + DecimalDigits.count(line.word(at: start + 16))
  }

  /// Whether the writer gives a double the digits that it has here.
  ///
  /// No two decimals of up to 15 digits share a double, so one of them without zeros at its end is the shortest one. Below
  /// a thousandth the writer may use an exponent.
  @inline(__always)
  private func isShortest(_ number: Number, end: Int) -> Bool {
    guard number.scale > 1 else { return number.digits < 1_000_000_000_000_000 }
    guard line[end - 1] != 0x30, number.digits < 1_000_000_000_000_000, number.scale <= 15 else { return false }
    return number.scale <= 3 || number.digits >= DecimalDigits.power(number.scale - 3)
  }

  /// Appends the digits from here on to a number, up to 24 of them; gives where they end.
  @inline(__always)
  private func digits(from start: Int, into number: inout UInt64) -> Int {
    var word = line.word(at: start)
    var count = DecimalDigits.count(word)
    if count == 0 { return start }
    let value = DecimalDigits.value(word, count)
    number = number == 0 ? value : number &* DecimalDigits.power(count) &+ value
    if count < 8 { return start + count }
    word = line.word(at: start + 8)
    count = DecimalDigits.count(word)
    if count == 0 { return start + 8 }
    number = number &* DecimalDigits.power(count) &+ DecimalDigits.value(word, count)
    if count < 8 { return start + 8 + count }
    word = line.word(at: start + 16)
    count = DecimalDigits.count(word)
    if count == 0 { return start + 16 }
    // NB: may run over; then there are more digits than are plain.
    number = number &* DecimalDigits.power(count) &+ DecimalDigits.value(word, count)
    return start + 16 + count
  }
}
