internal import StreamCore
internal import StreamRuntime

/// A counter in a machine's state: 0 or more, and far from overflow.
///
/// A snapshot may come from an untrusted source. Decoding refuses a number out of range, so machines, fused or not,
/// increment the counter without a check.
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

extension Machine where State == Int64 {
  /// Many machines keep the index of the next value as their state.
  func problem(with saved: Int64) -> String? { saved.isCount ? nil : "counts to \(saved)" }
}
