internal import CEL
package import StreamCore

/// The role of a part of a stream file, which determines how it is compared and merged.
package indirect enum StreamRole: Sendable {
  /// A stream: the whole file, a named stream, or an inline model.
  case model
  /// The array `stream`, and one of its items.
  case items, item
  case operators, placedOperator
  /// The fields of an operator or a source, by name.
  case fields([FieldSpec])
  /// An array of streams that an operator uses, and one of them: a name, or an inline model.
  case references, reference
  /// An object with names as keys: inputs, streams, outputs, definitions, parameters or types.
  case names(StreamRole)
  case input, output, definition
  case source
  case partition
  case tests, test
  case expression
  /// A number whose fraction `.0` is optional.
  case fraction
  /// The names that a file requires, whose order is irrelevant.
  case requirements
  /// A value compared as a whole: a part of a test.
  case unit
  /// Values without a role in the comparison: strings, numbers, values.
  case plain

  /// Returns the role of a member of an object.
  package func member(_ name: String) -> StreamRole {
    switch self {
    case .model, .reference: Self.ofModel[name] ?? .plain
    case .item: name == "operators" ? .operators : .plain
    case .placedOperator:
      Operator.entry(named: name).map { .fields($0.spec.fields) } ?? .plain
    case .source: Source.table.first { $0.spec.name == name }.map { .fields($0.spec.fields) } ?? .plain
    case .fields(let fields): fields.first { $0.name == name }.map { StreamRole($0.kind) } ?? .plain
    case .names(let element): element
    case .input: name == "time" ? .fields(InputDeclaration.EventTime.spec.fields) : .plain
    case .output: name == "stream" ? .reference : .plain
    case .partition: Self.ofPartition[name] ?? .plain
    case .definition: Self.ofDefinition[name] ?? .plain
    case .test: .unit
    default: .plain
    }
  }

  /// The role of the elements of an array.
  package var element: StreamRole {
    switch self {
    case .items: .item
    case .operators: .placedOperator
    case .references: .reference
    case .tests: .test
    default: .plain
    }
  }

  private static let ofModel: [String: StreamRole] = [
    "requires": .requirements, "parameters": .names(.plain), "definitions": .names(.definition),
    "types": .names(.plain), "inputs": .names(.input), "streams": .names(.model), "stream": .items,
    "source": .source, "partition": .partition, "operators": .operators, "outputs": .names(.output),
    "tests": .tests,
  ]

  private static let ofDefinition: [String: StreamRole] = [
    "parameters": .names(.plain), "operators": .operators, "tests": .tests,
  ]

  private static let ofPartition: [String: StreamRole] = [
    "key": .expression, "time": .expression, "lateness": .fraction, "then": .operators,
  ]

  private init(_ kind: FieldSpec.Kind) {
    switch kind {
    case .streams: self = .references
    case .stream, .boolOrStream: self = .reference
    case .operators: self = .operators
    case .expression: self = .expression
    case .seconds, .number: self = .fraction
    default: self = .plain
    }
  }

  /// Whether two values are the same, or only written otherwise.
  package func isSame(_ first: Value?, _ second: Value?) -> Bool {
    switch (self, first, second) {
    case (.expression, .string(let first)?, .string(let second)?):
      CELExpression(first).form == CELExpression(second).form
    case (.fraction, .int(let number)?, .double(let other)?), (.fraction, .double(let other)?, .int(let number)?):
      Double(number) == other
    default: first == second
    }
  }

  /// Whether the part contains streams or operators, which are compared separately.
  var isNested: Bool {
    switch self {
    case .references, .reference, .operators: true
    default: false
    }
  }

  /// Whether it consists of things that are compared one by one: streams, operators, items, tests.
  package var isStructural: Bool {
    switch self {
    case .model, .reference, .items, .operators, .references, .names, .definition, .tests: true
    default: false
    }
  }

  /// Whether the order of the elements means something.
  package var isOrdered: Bool {
    switch self {
    case .tests, .requirements: false
    default: true
    }
  }
}

extension StreamRole {
  /// The members beside an operator's name in its object.
  static let besideOperator = ["id", "label", "onError"]

  /// The name under which an element is known: an operator's `id`, a test's `name`.
  package func identifier(of value: Value) -> String? {
    switch self {
    case .placedOperator: value.member("id")?.text
    case .test: value.member("name")?.text
    default: nil
    }
  }

  /// Returns the key that identifies the kind of an object: the name of an operator or a source, or `stream`,
  /// `source` or `outputs` for a model.
  package func kind(of value: Value) -> String? {
    guard case .map(let map) = value else { return nil }
    return map.keys.lazy.compactMap(\.text).first { isKind($0) }
  }

  /// Whether a member identifies the kind of the object.
  package func isKind(_ name: String) -> Bool {
    switch self {
    case .placedOperator: !Self.besideOperator.contains(name) && !name.hasPrefix("x-")
    case .source: !name.hasPrefix("x-")
    case .model, .reference: name == "stream" || name == "source" || name == "outputs"
    default: false
    }
  }
}
