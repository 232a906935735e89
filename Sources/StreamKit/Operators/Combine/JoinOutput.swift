internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// Combines one value of each stream: into an array, an object with names, or the result of an expression.
struct JoinOutput: Sendable {
  private let shape: Shape?
  private let expression: PlannedExpression?
  /// The expression as a fused program; nil if it cannot be fused.
  let program: TupleExpression?

  /// - Throws: If the names do not fit the streams, or the expression has errors.
  init(
    names: [String]?, expression: CELExpression?, count: Int, _ context: inout OperatorContext
  ) throws(Diagnostics) {
    if let names { try Self.check(names, count: count) }
    shape = names.map(Shape.init(names:))
    let types = [context.inputType] + context.joinedTypes
    if let expression {
      var variables = [Variable("values", .list(Self.elementType(types)))]
      for (name, type) in zip(names ?? [], types) { variables.append(Variable(name, type)) }
      let planned = try context.plan(expression, field: "expression", over: variables)
      self.expression = planned
      program =
        context.fuses ? TupleExpression(planned, list: "values", names: names ?? [], count: count) : nil
      context.outputType = planned.resultType
    } else {
      self.expression = nil
      program = nil
      if let names {
        context.outputType = .record(zip(names, types).map { RecordField($0, $1) })
      } else {
        context.outputType = .list(types.dropFirst().reduce(types[0]) { $0.joined(with: $1) })
      }
    }
  }

  /// The element type of the list, where it is certain. A double is not: it may be represented as an int.
  private static func elementType(_ types: [CELType]) -> CELType {
    let plain: [CELType] = [.int, .uint, .bool, .string]
    return plain.contains(types[0]) && types.allSatisfy { $0 == types[0] } ? types[0] : .dyn
  }

  func make(_ values: [Value], _ effects: Effects) throws(StreamFailure) -> Value {
    guard let expression else {
      return shape.map { .map(ValueMap(shape: $0, slots: values)) } ?? .list(values)
    }
    let list = Value.list(values)
    return try expression.evaluate(effects, variables: shape == nil ? [list] : [list] + values, value: list)
  }

  private static func check(_ names: [String], count: Int) throws(Diagnostics) {
    guard names.count == count else {
      throw Diagnostics(
        .outOfRange, "there are \(names.count) names for \(count) streams: upstream and the streams of 'with'",
        at: JSONPointer(["names"]), help: "the first name is for upstream")
    }
    for (index, name) in names.enumerated() {
      let place = JSONPointer(["names", String(index)])
      if names.prefix(index).contains(name) {
        throw Diagnostics(.duplicateName, "the name '\(name)' is used twice", at: place)
      }
      guard VariableName.isIdentifier(name), name != "values" else {
        throw Diagnostics(
          .invalidIdentifier,
          name == "values"
            ? "'values' already names the list of all values" : "'\(name)' cannot be a variable in an expression",
          at: place, help: VariableName.help)
      }
    }
  }
}

extension FieldSpec {
  /// The fields shared by all operators that combine the values of several streams.
  static let joining: [FieldSpec] = [
    .required("with", .streams, "The other streams."),
    .optional(
      "names", .names, "Names of the values, upstream's first. With names, an object is published instead of an array."),
    .optional(
      "expression", .expression(["values", "(names)"]),
      "Returns the value to publish. `values` is the list of all values; each name is a variable, too."),
  ]
}
