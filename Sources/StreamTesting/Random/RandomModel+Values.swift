package import StreamCore

extension RandomModel {
  /// Any JSON value, a few levels deep.
  package mutating func value(depth: Int = 2) -> Value {
    switch generator.below(depth > 0 ? 9 : 6) {
    case 0: .null
    case 1: .bool(generator.happens(oneIn: 2))
    case 2, 3: number()
    case 4, 5: .string(text())
    case 6: .list((0..<generator.below(4)).map { _ in value(depth: depth - 1) })
    default:
      .map(ValueMap((0..<generator.below(4)).map { _ in (.string(text()), value(depth: depth - 1)) }))
    }
  }

  /// A number: small and large ones, whole and with fractions.
  package mutating func number() -> Value {
    switch generator.below(6) {
    case 0: .double(Double(generator.below(2_000) - 1_000) / 8)
    case 1: .double(Double(bitPattern: generator.next() & 0xBFFF_FFFF_FFFF_FFFF).finite)
    case 2: .int(Int64(generator.below(1 << 53)) - (1 << 52))
    default: .int(Int64(generator.below(20)) - 5)
    }
  }

  /// Returns a string: words, with occasional characters that need escapes or are not ASCII.
  package mutating func text() -> String {
    let parts = [
      "north", "Wind", "42", " ", "/", "~", "\"", "\\", "\n", "\u{1}", "ß", "é", "e\u{301}", "日本", "🙂", "x-",
    ]
    return (0..<(1 + generator.below(4))).map { _ in generator.pick(parts) }.joined()
  }

  /// None, one or two members of the author's own.
  mutating func extensions() -> [(Value, Value)] {
    guard generator.happens(oneIn: 8) else { return [] }
    return (0..<(1 + generator.below(2))).map { number in (.string("x-note\(number)"), value()) }
  }
}

extension Double {
  /// The number, or 0 if it is infinite or NaN.
  fileprivate var finite: Double { isFinite ? self : 0 }
}
