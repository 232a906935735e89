public import CEL
public import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Replaces each null.
  ///
  /// - SeeAlso: `compactMap`, which drops nulls; `unwrap`, which fails on them.
  public struct ReplaceNil: StepDefinition {
    /// The replacement.
    public var with: Value?
    /// Returns the replacement, instead of `with`. `value` is null; `index` counts all values. Variables: `value`,
    /// `index`.
    public var expression: CELExpression?

    public init(with: Value? = nil, expression: CELExpression? = nil) {
      self.with = with
      self.expression = expression
    }
  }
}

extension Operator.ReplaceNil {
  public var keepsState: Bool { expression?.mentions("index") ?? false }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    var planned: PlannedExpression?
    if let expression {
      planned = try context.plan(
        expression, field: "expression", over: [Variable("value", .null), Variable("index", .int)])
    }
    let (expression, substitute) = (planned, with ?? .null)
    let type = expression?.resultType ?? .of(substitute)
    context.outputType = context.inputType == .null ? type : context.inputType.withoutNull.joined(with: type)
    return Steps([expression].compactMap { $0 }) { segment in
      let index = segment.index(for: expression)
      if !segment.value.type.isScalar {
        let result = segment.cell(for: .dyn)
        let (isNull, done) = (segment.label(), segment.label())
        segment.branch(ifNull: segment.value, to: isNull)
        segment.store(segment.value, in: result)
        segment.jump(to: done)
        segment.place(isNull)
        let other = expression.map { segment.evaluate($0, index: index) } ?? segment.constant(substitute)
        segment.store(other, in: result)
        segment.place(done)
        segment.value = result
      }
      segment.advance(index)
      segment.keep(index)
    }
  }
}

extension Operator.ReplaceNil {
  public static let spec = OperatorSpec(
    "replaceNil", "Replaces each null.",
    fields: [
      .optional("with", .value, "The replacement."),
      .optional(
        "expression", .expression(["value", "index"]),
        "Returns the replacement, instead of `with`. `value` is null; `index` counts all values."),
    ],
    rules: [.one(["with", "expression"])],
    examples: [
      .marbles(
        "zero instead of null", #"{"replaceNil": {"with": 0}}"#, in: "-a-n-b|", out: "-a-z-b|",
        values: ["a": 1, "n": .null, "b": 2, "z": 0]),
      .marbles(
        "a computed replacement", #"{"replaceNil": {"expression": "'no. ' + string(index)"}}"#, in: "-a-n-#",
        out: "-a-'no. 1'-#", values: ["n": .null]),
      .rejects("no replacement", #"{"replaceNil": {}}"#, .missingField, at: "/replaceNil"),
      .rejects(
        "two replacements", #"{"replaceNil": {"with": 1, "expression": "2"}}"#, .conflictingFields,
        at: "/replaceNil/expression"),
    ])
}
