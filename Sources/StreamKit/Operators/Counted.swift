internal import StreamCore

/// A counter in an operator's state: 0 or more, and far from overflow.
///
/// A snapshot may come from an untrusted source. Decoding refuses a number out of range, so operators increment the
/// counter without a check.
@propertyWrapper
struct Counted<Number: FixedWidthInteger & Codable & Sendable>: Codable, Sendable {
  var wrappedValue: Number

  /// The highest number that is restored: half of the largest signed number of this size.
  static var limit: Number { Number(1) << (Number.bitWidth - 2) }

  init(wrappedValue: Number) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = try container.decode(Number.self)
    guard wrappedValue.isCount else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the count is \(wrappedValue); expected 0 to \(Self.limit)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
