public import StreamCore

/// A part of a stream file, coded as the same plain JSON by any coder.
///
/// ```swift
/// let data = try JSONEncoder().encode(PlacedOperator.delay(seconds: 1))
/// let decoded = try JSONDecoder().decode(PlacedOperator.self, from: data)
/// ```
///
/// Decoding performs the same checks as reading a file, and throws the same `Diagnostics`.
///
/// NB: Foundation's coders keep neither the order of members nor the difference between `1.0` and `1`. Order does not
/// affect names. Doubles without a fraction are listed in the member `x-doubles`, so that a part that was saved and loaded
/// is equal to the original and computes the same. `StreamModel.text` and `StreamModel.init(parsing:)` need no list.
public protocol StreamFilePart: Codable, Hashable, Sendable, CustomDebugStringConvertible {
  /// Reads a part.
  ///
  /// - Throws: everything that is wrong with it, with pointers relative to `json`.
  init(json: Value) throws(Diagnostics)

  /// The part as JSON, in the key order of the format.
  var json: Value { get }
}

extension StreamFilePart {
  /// The part as compact JSON, which `print` shows.
  public var debugDescription: String { JSONWriter.compact(json) }

  public init(from decoder: any Decoder) throws {
    let value = try Value(from: decoder)
    try self.init(json: Value.isRead(exactlyBy: decoder) ? value : try WholeDoubles.restored(value))
  }

  public func encode(to encoder: any Encoder) throws {
    try (Value.isWritten(exactlyBy: encoder) ? json : WholeDoubles.marked(json)).encode(to: encoder)
  }

  /// The part that a function has read, if nothing is wrong with it.
  static func complete(_ read: (part: Self, problems: Diagnostics)) throws(Diagnostics) -> Self {
    try read.problems.throwErrors()
    return read.part
  }
}
