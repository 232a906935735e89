internal import CEL
public import StreamCore
public import StreamRuntime

/// What values are written as, and read from.
public enum TextFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// JSON without white space.
  case json
}

extension FieldSpec {
  /// The field of `encode` and `decode`.
  static let textFormat = FieldSpec.optional(
    "format", .choice(TextFormat.allCases.map(\.rawValue)), "What the strings are. Default `json`, the only one yet.",
    default: "json")
}

extension Operator {
  /// Writes each value as a text.
  ///
  /// What JSON has no form for is written as a text in it: timestamps (RFC 3339), durations (`1.5s`), bytes (base64).
  ///
  /// - Failure: `invalidConversion` where two keys of a map have one name in JSON, as `1` and `'1'`.
  /// - SeeAlso: `decode`, the reverse.
  public struct Encode: OperatorDefinition {
    /// What the texts are. Default `json`, the only one yet.
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

  /// As long as a text may be that is read as JSON.
  private static let longest = JSONLimits().bytes
}

extension Operator.Encode {
  public static let spec = OperatorSpec(
    "encode", "Writes each value as a string.",
    fields: [.textFormat],
    examples: [
      .marbles(
        "as JSON", #"{"encode": {}}"#, in: "-a-b|", out: "-c-d|",
        values: ["a": ["k": [1, 2.5]], "b": "text", "c": #"{"k":[1,2.5]}"#, "d": #""text""#]),
      .marbles("a failure stays one", #"{"encode": {"format": "json"}}"#, in: "-#", out: "-#"),
      .rejects(
        "a format that there is not", #"{"encode": {"format": "xml"}}"#, .outOfRange, at: "/encode/format"),
    ])
}
