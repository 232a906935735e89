extension FunctionCatalogue {
  private static let numberTypes: [CELType] = [.int, .uint, .double]
  private static let ordered: [CELType] = [
    .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
  ]

  private static func mixed(_ result: (CELType, CELType) -> CELType) -> [Function.Overload] {
    var overloads: [Function.Overload] = []
    for left in numberTypes {
      for right in numberTypes where left != right { overloads.append(.function([left, right], result(left, right))) }
    }
    return overloads
  }

  private static func arithmetic(
    _ operation: ArithmeticOperation, _ summary: String, _ types: [CELType], more: [Function.Overload] = []
  ) -> Function {
    Function(
      operation.function, summary, form: .arithmetic(operation), types.map { .function([$0, $0], $0) } + more,
      mixed: mixed { _, _ in .double } + (operation == .remainder ? [.function([.double, .double], .double)] : []))
  }

  private static func comparison(_ comparison: Comparison, _ summary: String) -> Function {
    Function(
      comparison.function, summary, form: .comparison(comparison), ordered.map { .function([$0, $0], .bool) },
      mixed: mixed { _, _ in .bool })
  }

  /// The operators. The planner creates dedicated nodes for them, so they have no bodies.
  static let operators: [Function] = [
    arithmetic(
      .add, "The sum of two numbers, or the concatenation of two strings, bytes or lists",
      [.int, .uint, .double, .string, .bytes],
      more: [
        .function([.list(.parameter("A")), .list(.parameter("A"))], .list(.parameter("A"))),
        .function([.timestamp, .duration], .timestamp), .function([.duration, .timestamp], .timestamp),
        .function([.duration, .duration], .duration),
      ]),
    arithmetic(
      .subtract, "The difference", [.int, .uint, .double],
      more: [
        .function([.timestamp, .timestamp], .duration), .function([.timestamp, .duration], .timestamp),
        .function([.duration, .duration], .duration),
      ]),
    arithmetic(
      .multiply, "The product", [.int, .uint, .double],
      more: numberTypes.flatMap { [.function([.duration, $0], .duration), .function([$0, .duration], .duration)] }),
    arithmetic(
      .divide, "The quotient; of two integers, truncated toward zero", [.int, .uint, .double],
      more: numberTypes.map { .function([.duration, $0], .duration) } + [.function([.duration, .duration], .double)]),
    arithmetic(.remainder, "The remainder of a division, with the sign of the dividend", [.int, .uint]),
    Function(
      Operators.negate, "The negative", form: .negate, [.function([.int], .int), .function([.double], .double)]),
    Function(Operators.not, "Whether the operand is false", form: .not, [.function([.bool], .bool)]),
    Function(
      Operators.and, "Whether both operands are true; an error in one is ignored if the other is false",
      form: .and, [.function([.bool, .bool], .bool)]),
    Function(
      Operators.or, "Whether at least one operand is true; an error in one is ignored if the other is true", form: .or,
      [.function([.bool, .bool], .bool)]),
    Function(
      Operators.conditional, "The second operand if the first is true, else the third", form: .conditional,
      [.function([.bool, .parameter("A"), .parameter("A")], .parameter("A"))]),
    Function(
      Operators.notStrictlyFalse, "Whether the operand is anything but false", form: .notStrictlyFalse,
      [.function([.bool], .bool)]),
    Function(
      Operators.equal, "Whether both operands are equal; numbers compare by value", form: .equality(isNegated: false),
      [.function([.dyn, .dyn], .bool)]),
    Function(
      "_!=_", "Whether the operands differ", form: .equality(isNegated: true), [.function([.dyn, .dyn], .bool)]),
    comparison(.less, "Whether the first operand is less than the second"),
    comparison(.lessOrEqual, "Whether the first operand is less than or equal to the second"),
    comparison(.greater, "Whether the first operand is greater than the second"),
    comparison(.greaterOrEqual, "Whether the first operand is greater than or equal to the second"),
    Function(
      Operators.in, "Whether a list contains the element, or a map the key", form: .containment,
      [
        .function([.dyn, .list(.dyn)], .bool), .function([.dyn, .map(.dyn, .dyn)], .bool),
      ]),
    Function(
      Operators.index, "The element of a list at an index from 0, or the value of a map's key", form: .index,
      [
        .function([.list(.parameter("A")), .int], .parameter("A")),
        .function([.map(.parameter("A"), .parameter("B")), .parameter("A")], .parameter("B")),
        .function([.optional(.list(.parameter("A"))), .int], .optional(.parameter("A"))),
        .function(
          [.optional(.map(.parameter("A"), .parameter("B"))), .parameter("A")], .optional(.parameter("B"))),
      ],
      mixed: [
        .function([.list(.parameter("A")), .uint], .parameter("A")),
        .function([.list(.parameter("A")), .double], .parameter("A")),
        .function([.map(.int, .parameter("B")), .double], .parameter("B")),
        .function([.map(.int, .parameter("B")), .uint], .parameter("B")),
        .function([.map(.uint, .parameter("B")), .int], .parameter("B")),
        .function([.map(.uint, .parameter("B")), .double], .parameter("B")),
      ]),
    Function(
      Operators.optionalIndex, "The element of a list at an index from 0, or the value of a map's key, as an optional",
      form: .optionalIndex,
      [CELType.list(.parameter("A")), .optional(.list(.parameter("A")))].map {
        .function([$0, .int], .optional(.parameter("A")))
      }
        + [
          CELType.map(.parameter("A"), .parameter("B")), .optional(.map(.parameter("A"), .parameter("B"))),
        ].map { .function([$0, .parameter("A")], .optional(.parameter("B"))) }),
    Function(
      Operators.optionalSelect, "The field as an optional", form: .optionalSelect,
      [CELType.map(.string, .parameter("A")), .optional(.map(.string, .parameter("A")))].map {
        .function([$0, .string], .optional(.parameter("A")))
      }),
    Function(
      Operators.optionalElement, "The value of an optional, omitted if it has none", form: .optionalElement,
      [.function([.optional(.parameter("A"))], .parameter("A"))]),
    Function(
      Operators.mapInsert, "The map with additional entries",
      [
        .function(
          [.map(.parameter("A"), .parameter("B")), .parameter("A"), .parameter("B")],
          .map(.parameter("A"), .parameter("B"))),
        .function(
          [.map(.parameter("A"), .parameter("B")), .map(.parameter("A"), .parameter("B"))],
          .map(.parameter("A"), .parameter("B"))),
      ]),
  ]
}
