public import StreamCore
internal import Synchronization

/// Documentation of an operator or a source as data: what decoding, `streamrun operators`, the reference page, the
/// schema and the tests are made from.
///
/// What stands in it is made when it is asked for: a program that runs a stream needs the fields of a few operators,
/// and no examples.
public final class OperatorSpec: Sendable {
  /// The JSON key.
  public let name: String
  /// One sentence, a verb first; the same as the first sentence of the type's documentation.
  public let summary: String
  /// What it keeps between values.
  public let memory: OperatorMemory
  /// How its work grows, one sentence, where a value may take more than a small constant; nil where it does not.
  public let work: String?
  /// What stands in the object behind the key, in the order in which it is written.
  public var fields: [FieldSpec] { parts.fields }
  /// What fields say together.
  public var rules: [FieldRule] { parts.rules }
  /// How it behaves; every example is a test.
  public var examples: [OperatorExample] { makeExamples() }

  private let makeFields: @Sendable () -> [FieldSpec]
  private let makeRules: @Sendable () -> [FieldRule]
  private let makeExamples: @Sendable () -> [OperatorExample]
  private let made = Mutex<Parts?>(nil)

  /// What reading the fields needs.
  struct Parts: Sendable {
    let fields: [FieldSpec]
    /// The fields' names, in their order.
    let names: [String]
    let rules: [FieldRule]
  }

  public init(
    _ name: String, _ summary: String, memory: OperatorMemory = .nothing, work: String? = nil,
    fields: @autoclosure @escaping @Sendable () -> [FieldSpec] = [],
    rules: @autoclosure @escaping @Sendable () -> [FieldRule] = [],
    examples: @autoclosure @escaping @Sendable () -> [OperatorExample]
  ) {
    self.name = name
    self.summary = summary
    self.memory = memory
    self.work = work
    makeFields = fields
    makeRules = rules
    makeExamples = examples
  }

  /// The fields and their rules, made once.
  var parts: Parts {
    made.withLock { made in
      if let made { return made }
      let fields = makeFields()
      let parts = Parts(fields: fields, names: fields.map(\.name), rules: makeRules())
      made = parts
      return parts
    }
  }
}

/// A field of an operator or a source.
public struct FieldSpec: Sendable {
  public let name: String
  public let kind: FieldKind
  public let isRequired: Bool
  /// What it is, with unit, range and default.
  public let summary: String
  /// What a file that leaves it out means; nil where that cannot be written.
  public let defaultValue: FieldDefault?

  public static func required(_ name: String, _ kind: FieldKind, _ summary: String) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isRequired: true, summary: summary, defaultValue: nil)
  }

  public static func optional(
    _ name: String, _ kind: FieldKind, _ summary: String, default: FieldDefault? = nil
  ) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isRequired: false, summary: summary, defaultValue: `default`)
  }
}

/// What a field counts as where it is left out.
public enum FieldDefault: Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  case value(Value)
  /// What another field of the operator is.
  case field(String)

  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  public init(stringLiteral value: String) { self = .value(.string(value)) }
}

/// How an operator behaves, told by an example.
public struct OperatorExample: Sendable {
  public enum Outcome: Sendable {
    /// Diagrams of what goes in (the upstream, then those joined: inputs `a`, `b`, `c` …) and of what comes out.
    case marbles(inputs: [String], output: String)
    /// The file is refused with this code at this pointer, relative to the operator.
    case rejects(DiagnosticCode, at: String)
  }

  public let title: String
  /// The operator, or the source, as JSON text.
  public let json: String
  public let outcome: Outcome
  /// What the symbols of the diagrams stand for.
  public let values: [String: Value]

  /// An operator with one upstream.
  public static func marbles(
    _ title: String, _ json: String, in input: String, out output: String, values: [String: Value] = [:]
  ) -> OperatorExample {
    OperatorExample(title: title, json: json, outcome: .marbles(inputs: [input], output: output), values: values)
  }

  /// An operator that joins its upstream, input `a`, with the inputs `b`, `c` …
  public static func joins(
    _ title: String, _ json: String, in inputs: [String], out output: String, values: [String: Value] = [:]
  ) -> OperatorExample {
    OperatorExample(title: title, json: json, outcome: .marbles(inputs: inputs, output: output), values: values)
  }

  /// A source.
  public static func publishes(
    _ title: String, _ json: String, out output: String, values: [String: Value] = [:]
  ) -> OperatorExample {
    OperatorExample(title: title, json: json, outcome: .marbles(inputs: [], output: output), values: values)
  }

  /// Something that is refused.
  public static func rejects(
    _ title: String, _ json: String, _ code: DiagnosticCode, at pointer: String
  ) -> OperatorExample {
    OperatorExample(title: title, json: json, outcome: .rejects(code, at: pointer), values: [:])
  }
}
