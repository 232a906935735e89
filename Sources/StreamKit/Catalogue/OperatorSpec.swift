public import StreamCore
internal import Synchronization

/// The documentation of an operator or a source as data. Decoding, `streamrun operators`, the reference page, the
/// schema and the tests are derived from it.
///
/// ```swift
/// let spec = Operator.specs.first { $0.name == "debounce" }
/// let summary = spec?.summary
/// ```
///
/// Fields, rules and examples are created on demand: a program that runs a stream needs the fields of a few operators,
/// and no examples.
public final class OperatorSpec: Sendable {
  /// The JSON key.
  public let name: String
  /// One sentence that starts with a verb. `OperatorCommentTests` copies it to the type's doc comment.
  public let summary: String
  /// The values that it keeps.
  public let memory: Memory
  /// The time complexity in a sentence, if a value may take more than constant time; nil otherwise.
  public let work: String?
  /// Whether it reads the time of values without a field that has a length of time.
  let readsTime: Bool
  /// The members of the object under the key, in the order in which they are written.
  public var fields: [FieldSpec] { parts.fields }
  /// Rules for several fields.
  public var rules: [Rule] { parts.rules }
  /// Examples. Each one is a test.
  public var examples: [Example] { makeExamples() }

  private let makeFields: @Sendable () -> [FieldSpec]
  private let makeRules: @Sendable () -> [Rule]
  private let makeExamples: @Sendable () -> [Example]
  private let made = Mutex<Parts?>(nil)

  /// The parts that reading the fields needs.
  struct Parts: Sendable {
    let fields: [FieldSpec]
    /// The names of the fields, in their order.
    let names: [String]
    let rules: [Rule]
  }

  public init(
    _ name: String, _ summary: String, memory: Memory = .nothing, work: String? = nil, readsTime: Bool = false,
    fields: @autoclosure @escaping @Sendable () -> [FieldSpec] = [],
    rules: @autoclosure @escaping @Sendable () -> [Rule] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example]
  ) {
    self.name = name
    self.summary = summary
    self.memory = memory
    self.work = work
    self.readsTime = readsTime
    makeFields = fields
    makeRules = rules
    makeExamples = examples
  }

  /// The fields and rules, created once.
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
///
/// ```swift
/// let fields: [FieldSpec] = [
///   .required("factor", .number(0...1), "Weight of the new number, from 0 to 1."),
///   .optional("count", .count(1...100), "Number of values."),
/// ]
/// ```
public struct FieldSpec: Sendable {
  public let name: String
  public let kind: Kind
  public let isRequired: Bool
  /// The meaning, without the kind, range and default, which are derived from the other properties.
  /// `OperatorCommentTests` copies it to the property's doc comment.
  public let summary: String
  /// The value of a field that is left out; nil if there is none in JSON.
  public let defaultValue: Default?

  public static func required(_ name: String, _ kind: Kind, _ summary: String) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isRequired: true, summary: summary, defaultValue: nil)
  }

  public static func optional(
    _ name: String, _ kind: Kind, _ summary: String, default: Default? = nil
  ) -> FieldSpec {
    FieldSpec(name: name, kind: kind, isRequired: false, summary: summary, defaultValue: `default`)
  }
}

extension FieldSpec {
  /// The value of a field that is left out.
  public enum Default: Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
  {
    case value(Value)
    /// The value of another field of the operator.
    case field(String)

    /// A default that the operator's code reads as well.
    static func of(_ number: Int) -> Default { .value(.int(Int64(number))) }
    static func of(_ number: Int64) -> Default { .value(.int(number)) }
    static func of(_ number: Double) -> Default { .value(.seconds(number)) }
    static func of(_ truth: Bool) -> Default { .value(.bool(truth)) }
    static func of(_ text: String) -> Default { .value(.string(text)) }
    static func of(_ word: some RawRepresentable<String>) -> Default { .value(.string(word.rawValue)) }

    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    public init(stringLiteral value: String) { self = .value(.string(value)) }
  }
}

extension OperatorSpec {
  /// An example of an operator's behavior.
  public struct Example: Sendable {
    public enum Outcome: Sendable {
      /// Marble diagrams of the inputs (`in`, or `a`, `b`, `c` … for upstream and the other streams) and the output.
      case marbles(inputs: [String], output: String)
      /// The file is refused with this code at this pointer, relative to the operator.
      case rejects(DiagnosticCode, at: String)
    }

    public let title: String
    /// The operator or the source in JSON.
    public let json: String
    public let outcome: Outcome
    /// The values of the diagrams' symbols.
    public let values: [String: Value]

    /// An example of an operator with one upstream.
    public static func marbles(
      _ title: String, _ json: String, in input: String, out output: String, values: [String: Value] = [:]
    ) -> Example {
      Example(title: title, json: json, outcome: .marbles(inputs: [input], output: output), values: values)
    }

    /// An example of an operator with several upstreams: the inputs `a`, `b`, `c` …
    public static func joins(
      _ title: String, _ json: String, in inputs: [String], out output: String, values: [String: Value] = [:]
    ) -> Example {
      Example(title: title, json: json, outcome: .marbles(inputs: inputs, output: output), values: values)
    }

    /// An example of a source.
    public static func publishes(
      _ title: String, _ json: String, out output: String, values: [String: Value] = [:]
    ) -> Example {
      Example(title: title, json: json, outcome: .marbles(inputs: [], output: output), values: values)
    }

    /// An example that is refused.
    public static func rejects(
      _ title: String, _ json: String, _ code: DiagnosticCode, at pointer: String
    ) -> Example {
      Example(title: title, json: json, outcome: .rejects(code, at: pointer), values: [:])
    }
  }
}
