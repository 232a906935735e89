internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Reads each text as a value.
  ///
  /// - Failure: `invalidConversion` where a value is no text, the text is no JSON, two members of an object would have one name, or what
  ///   it holds is not of `type`.
  /// - SeeAlso: `encode`, the reverse.
  public struct Decode: OperatorDefinition {
    /// What the texts are. Default `json`, the only one yet.
    public var format: TextFormat?
    /// What the values must be, as the `type` of an input: a type's name, an object of fields, or an array of one type.
    /// Default anything.
    public var type: TypeDeclaration?
    /// What the names of members become, before they are looked at by `type`. Default `asWritten`; `fromSnakeCase` makes
    /// `itemCount` of `item_count`, at every depth.
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
    let declared: CELType
    do throws(Diagnostic) {
      declared = try CELType.declared(type, field: "type")
    } catch {
      throw Diagnostics([error])
    }
    context.outputType = declared
    return DecodeMachine(conversion: InputConversion(declared), renames: names == .fromSnakeCase)
  }
}

extension CELType {
  /// The type that a field declares; `dyn` where there is none.
  static func declared(_ type: TypeDeclaration?, field: String) throws(Diagnostic) -> CELType {
    guard let type else { return .dyn }
    do throws(Diagnostic) {
      return try CELType(type)
    } catch {
      throw error.prefixed(by: JSONPointer([field]))
    }
  }
}

private struct DecodeMachine: Machine {
  let conversion: InputConversion
  /// Whether members are named anew, from `snake_case`.
  let renames: Bool
  /// Knows the keys of earlier texts; no part of the state, since it changes nothing but the speed.
  private var reader = JSONReader()

  init(conversion: InputConversion, renames: Bool) {
    self.conversion = conversion
    self.renames = renames
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .string(let text) = value else {
      throw StreamFailure(.invalidConversion, "'decode' takes strings; found \(value.describedType)", value: value)
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
  public static let spec = OperatorSpec(
    "decode", "Reads each text as a value.",
    fields: [
      .textFormat,
      .optional(
        "type", .type,
        "What the values must be: a type's name, an object of fields, or an array of one type. Default anything."),
      .optional(
        "names", .choice(Names.allCases.map(\.rawValue)),
        "What the names of members become. Default `asWritten`; `fromSnakeCase` makes `itemCount` of `item_count`."),
    ],
    examples: [
      .marbles(
        "from JSON", #"{"decode": {}}"#, in: "-a-b|", out: "-c-d|",
        values: ["a": #"{"k": [1, 2.5]}"#, "b": "null", "c": ["k": [1, 2.5]], "d": .null]),
      .marbles(
        "an integer becomes the double that is declared", #"{"decode": {"type": {"x": "double"}}}"#, in: "-a|",
        out: "-b|", values: ["a": #"{"x": 1}"#, "b": ["x": 1.0]]),
      .marbles("no JSON", #"{"decode": {}}"#, in: "-a-b|", out: "-#", values: ["a": "{"]),
      .marbles(
        "not of the type", #"{"decode": {"type": "int"}}"#, in: "-a-b|", out: "-c-#",
        values: ["a": "1", "b": "true", "c": 1]),
      .marbles(
        "a list of objects", #"{"decode": {"type": [{"id": "int"}]}}"#, in: "-a-b|", out: "-c-#",
        values: [
          "a": #"[{"id": 1}, {"id": 2, "x": true}]"#, "b": #"[{"x": 1}]"#, "c": [["id": 1], ["id": 2, "x": true]],
        ]),
      .marbles(
        "names of another convention", #"{"decode": {"names": "fromSnakeCase", "type": {"itemCount": "int"}}}"#,
        in: "-a|", out: "-b|",
        values: [
          "a": #"{"item_count": 1, "_all_items": [{"id_of_it": 2}]}"#,
          "b": ["itemCount": 1, "_allItems": [["idOfIt": 2]]],
        ]),
      .marbles(
        "two names that become one", #"{"decode": {"names": "fromSnakeCase"}}"#, in: "-a|", out: "-#",
        values: ["a": #"{"a_b": 1, "aB": 2}"#]),
      .rejects(
        "a list of two types", #"{"decode": {"type": ["int", "string"]}}"#, .wrongType, at: "/decode/type"),
      .rejects("a type that there is not", #"{"decode": {"type": "itn"}}"#, .invalidType, at: "/decode/type"),
    ])
}
