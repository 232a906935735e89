package import StreamCore
internal import StreamEngine
internal import StreamKit

/// A form of nesting: a field of an operator or of a source that holds a stream or an array of operators.
///
/// The forms are derived from the specifications of operators and sources, so that new operators are included.
package struct NestingForm: Sendable, CustomStringConvertible {
  /// The operator or source.
  package let name: String
  /// The field that holds the nested stream.
  package let field: String
  private let isSource: Bool
  private let kind: FieldSpec.Kind
  /// The fields of an example of the operator.
  private let fields: ValueMap
  /// A value that the example takes.
  private let value: Value

  package var description: String { "\(name).\(field)" }

  /// The stream from which each level takes its values.
  package enum Upstream: String, Sendable, CaseIterable {
    /// An input with a current value.
    case current
    /// An input without a value.
    case silent
  }

  /// A form for each field that holds a stream.
  package static let all: [NestingForm] =
    Operator.table.flatMap { forms(of: $0.spec, isSource: false) }
    + Source.table.flatMap { forms(of: $0.spec, isSource: true) }

  /// The fields that hold a stream but whose use no example shows.
  package static let missing: [String] = (Operator.table.map(\.spec) + Source.table.map(\.spec)).flatMap { spec in
    spec.fields.filter { holdsStreams($0.kind) }.map { "\(spec.name).\($0.name)" }
      .filter { name in !all.contains { $0.description == name } }
  }

  private static func holdsStreams(_ kind: FieldSpec.Kind) -> Bool {
    switch kind {
    case .stream, .streams, .boolOrStream, .operators: true
    default: false
    }
  }

  private static func forms(of spec: OperatorSpec, isSource: Bool) -> [NestingForm] {
    spec.fields.filter { holdsStreams($0.kind) }.compactMap { field in
      for example in ExampleStream.running where example.name == spec.name && example.isSource == isSource {
        guard case .map(let object)? = try? example.fields(), case .map(let fields)? = object[spec.name],
          fields[field.name] != nil
        else { continue }
        let history = (try? example.inputs().first) ?? History()
        return NestingForm(
          name: spec.name, field: field.name, isSource: isSource, kind: field.kind, fields: fields,
          value: history.values.first ?? 1)
      }
      return nil
    }
  }

  /// A file in which streams nest as deep as JSON and the compiler allow, each in the next of these forms.
  ///
  /// - Parameter readsValues: Whether every level evaluates an expression.
  package static func file(_ forms: [NestingForm], over upstream: Upstream, readsValues: Bool) -> Value {
    var models = [model(upstream, 0, [], readsValues)]
    // The inputs are siblings of the nested stream and do not add to its depth.
    let isTooDeep = { (model: Value) in model.isDeeper(than: JSONLimits().depth) }
    for level in 0..<levelLimit {
      let number = level % forms.count
      models.append(forms[number].wrapping(models[level], number, upstream, readsValues))
      // The check takes time in proportion to the depth, so that one for each level took a fifth of the tests' time.
      if level % 8 == 7, isTooDeep(models[level + 1]) { break }
    }
    let inner = models.last { !isTooDeep($0) } ?? models[0]
    let plain = ["a", "b", "c", "d", "silent"].map { (Value.string($0), Value.map(ValueMap())) }
    let current = forms.enumerated().map { number, form in
      (Value.string("current\(number)"), Value.map(ValueMap([(.string("initialValue"), form.value)])))
    }
    guard case .map(let members) = inner else { return inner }
    return .map(ValueMap([(.string("inputs"), .map(ValueMap(plain + current)))] + members.pairs.map { ($0.0, $0.1) }))
  }

  /// The compiler's limit is 200.
  private static let levelLimit = 199

  private static func model(
    _ upstream: Upstream, _ number: Int, _ operators: [Value], _ readsValues: Bool
  ) -> Value {
    let input = upstream == .silent ? "silent" : "current\(number)"
    let read: [Value] = readsValues ? [["map": ["expression": "value"]]] : []
    return ["source": ["input": ["name": .string(input)]], "operators": .list(read + operators)]
  }

  /// A model in which this form holds another one.
  private func wrapping(_ inner: Value, _ number: Int, _ upstream: Upstream, _ readsValues: Bool) -> Value {
    let nested: Value =
      switch kind {
      case .streams: [inner]
      case .operators: if case .map(let members) = inner { members["operators"] ?? [] } else { [] }
      default: inner
      }
    let members = fields.pairs.map { key, value in (key, key == .string(field) ? nested : value) }
    let placed = Value.map(ValueMap([(.string(name), .map(ValueMap(members)))]))
    guard isSource else { return Self.model(upstream, number, [placed], readsValues) }
    return ["source": placed, "operators": readsValues ? [["map": ["expression": "value"]]] : []]
  }
}
