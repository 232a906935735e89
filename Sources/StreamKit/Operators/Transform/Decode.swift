internal import CEL
@_spi(Engine) public import StreamCore
public import StreamEngine

extension Operator {
  /// Parses each string as JSON.
  ///
  /// - Failure: `invalidConversion` if a value is not a string, the string is not JSON, two members of an object
  ///   would have the same name, or the result does not match `type`.
  /// - SeeAlso: `encode`, the reverse.
  public struct Decode: OperatorDefinition {
    /// Format of the strings. Default `json`.
    public var format: TextFormat?
    /// Type of the decoded values, as for an input: a type's name, an object of fields, or an array of one type. By
    /// default any value is accepted.
    public var type: TypeDeclaration?
    /// Conversion of member names, before `type` is checked: `asWritten` keeps them; `fromSnakeCase` turns `item_count`
    /// into `itemCount`, at every depth. Default `asWritten`.
    public var names: Names?

    public init(format: TextFormat? = nil, type: TypeDeclaration? = nil, names: Names? = nil) {
      self.format = format
      self.type = type
      self.names = names
    }

    public enum Names: String, Hashable, Sendable, Codable, CaseIterable {
      case asWritten, fromSnakeCase
    }
  }
}

extension Operator.Decode {
  public func validate() throws(Diagnostic) {
    _ = try CELType.declared(type, field: "type")
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try context.requireInput("strings") { $0 == .string }
    let declared = try Diagnostics.listing { [types = context.types] () throws(Diagnostic) in
      try CELType.declared(type, field: "type", in: types)
    }
    context.outputType = declared
    return DecodeMachine(conversion: InputConversion(declared), renames: names ?? Self.defaultNames == .fromSnakeCase)
  }
}

private struct DecodeMachine: Machine {
  let conversion: InputConversion
  /// Whether members are renamed from `snake_case`.
  let renames: Bool
  /// Remembers the keys of earlier strings. Not part of the state, because it affects only the speed.
  private var reader = JSONReader()

  init(conversion: InputConversion, renames: Bool) {
    self.conversion = conversion
    self.renames = renames
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .string(let text) = value else {
      throw StreamFailure(.invalidConversion, "'decode' needs strings; found \(value.describedType)", value: value)
    }
    var decoded: Value
    do throws(JSONError) {
      decoded = try reader.read(text)
    } catch {
      let (line, column) = SourceText(file: "", text: text).position(of: error.offset)
      let place = line == 1 ? "column \(column)" : "line \(line), column \(column)"
      throw StreamFailure(.invalidConversion, "the string is not JSON: \(error.message) (\(place))", value: value)
    }
    if renames {
      do throws(SnakeCase.Clash) {
        decoded = try SnakeCase.renamingMembers(of: decoded)
      } catch {
        throw StreamFailure(.invalidConversion, "an object would have two members '\(error.name)'", value: value)
      }
    }
    do throws(InputConversion.Problem) {
      effects.publish(try conversion.convert(decoded))
    } catch {
      let place = error.tokens.isEmpty ? "" : " (at \(JSONPointer(error.tokens)))"
      throw StreamFailure(.invalidConversion, error.message + place, value: value)
    }
  }
}

extension Operator.Decode {
  private static let defaultNames = Names.asWritten

  public static let spec = OperatorSpec(
    "decode", "Parses each string as JSON.",
    fields: [
      .textFormat,
      .optional(
        "type", .type,
        "Type of the decoded values, as for an input: a type's name, an object of fields, or an array of one "
          + "type. By default any value is accepted."),
      .optional(
        "names", .choice(Names.allCases.map(\.rawValue)),
        "Conversion of member names, before `type` is checked: `asWritten` keeps them; `fromSnakeCase` turns "
          + "`item_count` into `itemCount`, at every depth.", default: .of(defaultNames)),
    ],
    examples: [
      .marbles(
        "JSON", #"{"decode": {}}"#, in: "-a-b|", out: "-c-d|",
        values: ["a": #"{"k": [1, 2.5]}"#, "b": "null", "c": ["k": [1, 2.5]], "d": .null]),
      .marbles(
        "an integer becomes a double if one is declared", #"{"decode": {"type": {"x": "double"}}}"#, in: "-a|",
        out: "-b|", values: ["a": #"{"x": 1}"#, "b": ["x": 1.0]]),
      .marbles("invalid JSON", #"{"decode": {}}"#, in: "-a-b|", out: "-#", values: ["a": "{"]),
      .marbles(
        "a value of another type", #"{"decode": {"type": "int"}}"#, in: "-a-b|", out: "-c-#",
        values: ["a": "1", "b": "true", "c": 1]),
      .marbles(
        "an array of objects", #"{"decode": {"type": [{"id": "int"}]}}"#, in: "-a-b|", out: "-c-#",
        values: [
          "a": #"[{"id": 1}, {"id": 2, "x": true}]"#, "b": #"[{"x": 1}]"#, "c": [["id": 1], ["id": 2, "x": true]],
        ]),
      .marbles(
        "names in snake case", #"{"decode": {"names": "fromSnakeCase", "type": {"itemCount": "int"}}}"#,
        in: "-a|", out: "-b|",
        values: [
          "a": #"{"item_count": 1, "_all_items": [{"id_of_it": 2}]}"#,
          "b": ["itemCount": 1, "_allItems": [["idOfIt": 2]]],
        ]),
      .marbles(
        "two names that become equal", #"{"decode": {"names": "fromSnakeCase"}}"#, in: "-a|", out: "-#",
        values: ["a": #"{"a_b": 1, "aB": 2}"#]),
      .rejects(
        "an array of two types", #"{"decode": {"type": ["int", "string"]}}"#, .wrongType, at: "/decode/type"),
      .rejects("an unknown type", #"{"decode": {"type": "itn"}}"#, .invalidType, at: "/decode/type"),
    ])
}
