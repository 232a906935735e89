internal import StreamRuntime

/// A number of a machine's state that only counts: 0 or more, and small enough that a stream cannot count it to its end.
///
/// The stream that is saved has counted it itself, but a snapshot may come from a stranger. A number out of range is
/// refused when the state is decoded, so that machines add to it without a check, fused or not.
@propertyWrapper
struct Counted<Number: FixedWidthInteger & Codable & Sendable>: Codable, Sendable {
  var wrappedValue: Number

  /// The highest number that is restored: half of what a signed number of this size holds.
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

extension FixedWidthInteger {
  /// Whether it may be what a machine has counted: see `Counted`.
  var isCount: Bool { self >= 0 && self <= Self(1) << (Self.bitWidth - 2) }
}

extension Machine where State == Int64 {
  /// The state of many machines is the index of the next value.
  func problem(with saved: Int64) -> String? { saved.isCount ? nil : "counts to \(saved)" }
}
