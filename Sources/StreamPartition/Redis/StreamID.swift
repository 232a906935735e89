/// The ID of an entry of a Redis stream. IDs grow along the stream.
package struct StreamID: Hashable, Sendable {
  package var milliseconds: UInt64
  package var sequence: UInt64

  package init(milliseconds: UInt64, sequence: UInt64) {
    (self.milliseconds, self.sequence) = (milliseconds, sequence)
  }

  /// The ID before the first entry of every stream.
  package static let zero = StreamID(milliseconds: 0, sequence: 0)

  /// Reads an ID such as `1700000000000-0`; nil if the text is none.
  package init?(_ text: some Collection<UInt8>) {
    guard let dash = text.firstIndex(of: UInt8(ascii: "-")),
      let milliseconds = Self.number(text[..<dash]), let sequence = Self.number(text[text.index(after: dash)...])
    else { return nil }
    self.init(milliseconds: milliseconds, sequence: sequence)
  }

  private static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard !digits.isEmpty, digits.count <= 20 else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      let (product, isTooLong) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      guard !isTooLong, !isTooLarge else { return nil }
      value = sum
    }
    return value
  }
}

extension StreamID: Comparable {
  package static func < (left: StreamID, right: StreamID) -> Bool {
    (left.milliseconds, left.sequence) < (right.milliseconds, right.sequence)
  }
}

extension StreamID: CustomStringConvertible {
  package var description: String { "\(milliseconds)-\(sequence)" }
}
