internal import StreamCore

extension Operator {
  /// The alignment of intervals.
  public enum Alignment: String, Hashable, Sendable, Codable, CaseIterable {
    /// They begin at whole multiples of their length since 1970, or of a day at local midnight.
    case clock
  }
}

extension Operator.Alignment {
  /// The fields beside `align` of every operator that has it.
  ///
  /// - Parameters:
  ///   - length: The name of the field with the length of an interval.
  ///   - what: The noun for several intervals.
  static func fields(length: String, what: String) -> [FieldSpec] {
    [
      .optional(
        "hop", .seconds(0...31_536_000),
        "Time between the starts of two aligned \(what), which overlap if it is less than `\(length)`.",
        default: .field(length)),
      .optional(
        "offset", .seconds(0...31_536_000), "Time by which aligned \(what) begin later than at whole multiples.",
        default: .of(0.0)),
      .optional(
        "zone", .string,
        "Time zone whose days begin with one of the aligned \(what), such as `Europe/Berlin`. By default days begin at "
          + "midnight UTC."),
    ]
  }
}
