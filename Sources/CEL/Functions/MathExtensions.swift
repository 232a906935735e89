import StreamCore

extension FunctionCatalogue {
  private static let numbers: [CELType] = [.int, .uint, .double]

  /// cel-spec's math extension.
  static let mathExtensions: [Function] = [
    extremum("math.greatest", "The greatest of the numbers, or of the numbers in a list", order: 1),
    extremum("math.least", "The least of the numbers, or of the numbers in a list", order: -1),
    Function(
      "math.abs", "The absolute value of the number", numbers.map { .function([$0], $0) },
      .one { (value, _) throws(EvaluationError) in
        switch value {
        case .int(.min): throw .overflow("the absolute value of \(Int64.min) does not fit into an int")
        case .int(let number): .int(abs(number))
        case .uint: value
        case .double(let number): .double(abs(number))
        default: throw .noOverload("math.abs", value)
        }
      }),
    Function(
      "math.sign", "-1, 0 or 1 for a negative number, zero or a positive number", numbers.map { .function([$0], $0) },
      .one { (value, _) throws(EvaluationError) in
        switch value {
        case .int(let number): .int(number.signum())
        case .uint(let number): .uint(number.signum())
        case .double(let number): .double(number.isNaN ? number : number > 0 ? 1 : number < 0 ? -1 : 0)
        default: throw .noOverload("math.sign", value)
        }
      }),
    rounding("math.ceil", "The number rounded up to an integer", .up),
    rounding("math.floor", "The number rounded down to an integer", .down),
    rounding(
      "math.round", "The number rounded to the nearest integer, halves away from zero", .toNearestOrAwayFromZero),
    rounding("math.trunc", "The number truncated toward zero", .towardZero),
    test("math.isNaN", "Whether the double is not a number") { $0.isNaN },
    test("math.isInf", "Whether the double is infinite") { $0.isInfinite },
    test("math.isFinite", "Whether the double is neither infinite nor NaN") { $0.isFinite },
    Function(
      "math.sqrt", "The square root", numbers.map { .function([$0], .double) },
      .one { (value, _) throws(EvaluationError) in
        guard let number = value.asDouble else { throw .noOverload("math.sqrt", value) }
        return .double(number.squareRoot())
      }),
    bits("math.bitAnd", "The bitwise AND of two numbers", { $0 & $1 }, { $0 & $1 }),
    bits("math.bitOr", "The bitwise OR of two numbers", { $0 | $1 }, { $0 | $1 }),
    bits("math.bitXor", "The bitwise XOR of two numbers", { $0 ^ $1 }, { $0 ^ $1 }),
    Function(
      "math.bitNot", "The bitwise complement of the number", [.function([.int], .int), .function([.uint], .uint)],
      .one { (value, _) throws(EvaluationError) in
        switch value {
        case .int(let number): .int(~number)
        case .uint(let number): .uint(~number)
        default: throw .noOverload("math.bitNot", value)
        }
      }),
    shift("math.bitShiftLeft", "The number shifted left by a number of bits", { $0 << $1 }),
    shift("math.bitShiftRight", "The number shifted right by a number of bits, filled with zeros", { $0 >> $1 }),
  ]

  private static func extremum(_ name: String, _ summary: String, order: Int) -> Function {
    var overloads: [Function.Overload] = numbers.map { .function([$0], $0) }
    // Calls with more numbers, of any types, are resolved by the type checker.
    overloads.append(.function([.int, .int], .int))
    overloads += (numbers + [.dyn]).map { .function([.list($0)], $0) }
    return Function(
      name, summary, form: .extreme, overloads,
      .many { (values, _) throws(EvaluationError) in
        var candidates = values
        if values.count == 1, case .list(let list) = values[0] { candidates = list.elements }
        guard var best = candidates.first else {
          throw EvaluationError(.noSuchOverload, "'\(name)' needs at least one number")
        }
        for value in candidates {
          if value.asDouble == nil { throw .noOverload(name, value) }
          if value.exactOrder(best) == order { best = value }
        }
        return best
      })
  }

  private static func rounding(_ name: String, _ summary: String, _ rule: FloatingPointRoundingRule) -> Function {
    Function(
      name, summary, [.function([.double], .double)], mixed: [.function([.int], .double)],
      .one { (value, _) throws(EvaluationError) in
        guard case .double(let number) = value else { throw .noOverload(name, value) }
        return .double(number.rounded(rule))
      })
  }

  private static func test(_ name: String, _ summary: String, _ body: @escaping @Sendable (Double) -> Bool) -> Function
  {
    Function(
      name, summary, [.function([.double], .bool)], mixed: [.function([.int], .bool)],
      .one { (value, _) throws(EvaluationError) in
        guard case .double(let number) = value else { throw .noOverload(name, value) }
        return .bool(body(number))
      })
  }

  private static func bits(
    _ name: String, _ summary: String, _ signed: @escaping @Sendable (Int64, Int64) -> Int64,
    _ unsigned: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> Function {
    Function(
      name, summary, [.function([.int, .int], .int), .function([.uint, .uint], .uint)],
      .two { (left, right, _) throws(EvaluationError) in
        switch (left, right) {
        case (.int(let a), .int(let b)): .int(signed(a, b))
        case (.uint(let a), .uint(let b)): .uint(unsigned(a, b))
        default: throw .noOverload(name, left, right)
        }
      })
  }

  private static func shift(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (UInt64, Int64) -> UInt64
  ) -> Function {
    Function(
      name, summary, [.function([.int, .int], .int), .function([.uint, .int], .uint)],
      .two { (value, places, _) throws(EvaluationError) in
        guard case .int(let count) = places else { throw .noOverload(name, value, places) }
        if count < 0 { throw EvaluationError(.indexOutOfBounds, "a number cannot be shifted by \(count) bits") }
        switch value {
        case .int(let number): return .int(Int64(bitPattern: body(UInt64(bitPattern: number), count)))
        case .uint(let number): return .uint(body(number, count))
        default: throw .noOverload(name, value, places)
        }
      })
  }
}
