internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// A text format for values.
  public enum TextFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// JSON without white space.
    case json
  }
}

extension FieldSpec {
  /// The field of `encode` and `decode`.
  static let textFormat = FieldSpec.optional(
    "format", .choice(Operator.TextFormat.allCases.map(\.rawValue)), "Format of the strings.",
    default: .of(Operator.TextFormat.json))
}

extension Operator {
  /// Encodes each value as a JSON string.
  ///
  /// Values without a JSON form are written as strings: timestamps (RFC 3339), durations (`1.5s`), bytes (Base64).
  ///
  /// - Failure: `invalidConversion` if two keys of a map are equal in JSON, such as `1` and `'1'`.
  /// - SeeAlso: `decode`, the reverse.
  public struct Encode: OperatorDefinition {
    /// Format of the strings. Default `json`.
    public var format: TextFormat?

    public init(format: TextFormat? = nil) {
      self.format = format
    }
  }
}

extension Operator.Encode {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .string
    return EncodeMachine()
  }
}

private struct EncodeMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    var bytes: [UInt8] = []
    let extent = JSONWriter.append(value, to: &bytes, upTo: Self.longest)
    if let name = extent.repeatedName {
      let problem = JSONWriter.repeated(name)
      throw StreamFailure(problem.code, problem.message)
    }
    guard extent.isWhole else {
      throw StreamFailure(.limitExceeded, "the text of a value is longer than \(Self.longest) bytes")
    }
    effects.publish(.string(String(decoding: bytes, as: UTF8.self)))
  }

  /// The longest text that can be parsed as JSON.
  private static let longest = JSONLimits().bytes
}

extension Operator.Encode {
  public static let spec = OperatorSpec(
    "encode", "Encodes each value as a JSON string.",
    fields: [.textFormat],
    examples: [
      .marbles(
        "JSON", #"{"encode": {}}"#, in: "-a-b|", out: "-c-d|",
        values: ["a": ["k": [1, 2.5]], "b": "text", "c": #"{"k":[1,2.5]}"#, "d": #""text""#]),
      .marbles("a failure", #"{"encode": {"format": "json"}}"#, in: "-#", out: "-#"),
      .rejects(
        "an unknown format", #"{"encode": {"format": "xml"}}"#, .outOfRange, at: "/encode/format"),
    ])
}
