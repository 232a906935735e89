@_spi(Engine) import StreamCore

@testable import CEL

/// Evaluates a tree by walking it, as the language's definition says: no types, no plan, nothing beforehand.
///
/// It shares with the plan only the functions of the library and the arithmetic on values.
struct ReferenceEvaluator {
  let syntax: Syntax
  let numbers: Numbers
  let variables: [String: Value]
  /// For the library's functions: pays for their work.
  let activation: Activation
  private var locals: [(name: String, value: Result<Value, EvaluationError>)] = []
  private var steps = 0

  static let maximumSteps = 20_000

  init(_ syntax: Syntax, _ numbers: Numbers, _ variables: [String: Value], _ activation: Activation) {
    self.syntax = syntax
    self.numbers = numbers
    self.variables = variables
    self.activation = activation
  }

  mutating func evaluate() throws(EvaluationError) -> Value { try value(syntax.root) }

  private func fail(_ message: String) -> EvaluationError { EvaluationError(.noSuchOverload, message) }

  private mutating func result(_ id: Syntax.ID) -> Result<Value, EvaluationError> {
    do throws(EvaluationError) { return .success(try value(id)) } catch { return .failure(error) }
  }

  private mutating func value(_ id: Syntax.ID) throws(EvaluationError) -> Value {
    steps += 1
    if steps > Self.maximumSteps { throw EvaluationError(.budgetExceeded, "the reference has had enough") }
    if let type = type(id) { return type }
    switch syntax.nodes[id] {
    case .literal(let value): return value
    case .name(let name, let isAbsolute):
      if !isAbsolute, let local = locals.last(where: { $0.name == name }) { return try local.value.get() }
      guard let value = variables[name] else { throw fail("no name \(name)") }
      return value
    case .select(let operand, let field, let isTest): return try select(operand, field, isTest: isTest)
    case .list(let elements):
      var list: [Value] = []
      for element in elements { if let value = try part(element) { list.append(value) } }
      return .list(list)
    case .map(let keys, let values): return try map(keys, values)
    case .message: throw fail("no messages")
    case .comprehension(let loop): return try comprehension(loop)
    case .call(let function, let target, let arguments): return try call(function, target, arguments)
    }
  }

  /// A path that names a type.
  private func type(_ id: Syntax.ID) -> Value? {
    var path: [String] = []
    var current = id
    while true {
      switch syntax.nodes[current] {
      case .name(let name, let isAbsolute):
        path.insert(name, at: 0)
        if !isAbsolute, locals.contains(where: { $0.name == name }) { return nil }
        let whole = path.joined(separator: ".")
        if variables[whole] != nil || TypeValue.named[whole] == nil { return nil }
        return .opaque(TypeValue(whole))
      case .select(let operand, let field, isTest: false):
        path.insert(field, at: 0)
        current = operand
      default: return nil
      }
    }
  }

  private mutating func select(
    _ operand: Syntax.ID, _ field: String, isTest: Bool
  ) throws(EvaluationError) -> Value {
    let whole = try value(operand)
    let isOptional = whole.optional != nil
    var inner = whole
    if let optional = whole.optional {
      guard let value = optional.value else { return isTest ? false : whole }
      inner = value
    }
    guard case .map(let map) = inner else { throw fail("no fields") }
    let found = map.pairs.first { $0.0 == .string(field) }?.1
    if isTest { return .bool(found != nil) }
    if isOptional { return .optional(found) }
    guard let found else { throw fail("no field") }
    return found
  }

  /// An element or entry; nil when it is left out.
  private mutating func part(_ id: Syntax.ID) throws(EvaluationError) -> Value? {
    guard case .call(Operators.optionalElement, nil, let arguments) = syntax.nodes[id] else { return try value(id) }
    guard let optional = try value(arguments[0]).optional else { throw fail("no optional") }
    return optional.value
  }

  private mutating func map(_ keys: [Syntax.ID], _ values: [Syntax.ID]) throws(EvaluationError) -> Value {
    var pairs: [(Value, Value)] = []
    var seen: Set<MapKey> = []
    for (key, element) in zip(keys, values) {
      let key = try value(key)
      let value = try part(element)
      if let problem = key.problemAsKey { throw problem }
      guard seen.insert(MapKey(key)).inserted else { throw fail("twice") }
      if let value { pairs.append((key, value)) }
    }
    return .map(ValueMap(pairs))
  }

  private mutating func comprehension(_ loop: Syntax.Comprehension) throws(EvaluationError) -> Value {
    let collection = try value(loop.range)
    let entries: [(Value, Value)]
    switch collection {
    case .list(let list):
      entries = list.enumerated().map { loop.secondVariable == nil ? ($1, $1) : (.int(Int64($0)), $1) }
    case .map(let map): entries = Array(map.pairs)
    default: throw fail("no elements")
    }
    var accumulator: Result<Value, EvaluationError> = .success(try value(loop.initial))
    let outer = locals
    for (first, second) in entries {
      locals = outer + [(loop.accumulator, accumulator), (loop.variable, .success(first))]
      if let name = loop.secondVariable { locals.append((name, .success(second))) }
      guard case .bool(let goesOn) = try value(loop.condition) else { throw fail("no bool") }
      if !goesOn { break }
      accumulator = result(loop.step)
      // The error of a predicate may be ignored, that of a fold's step ends the loop.
      let isFold = loop.accumulator != Parser.accumulator
      if case .failure(let error) = accumulator, isFold || error.code == .budgetExceeded { throw error }
    }
    locals = outer + [(loop.accumulator, accumulator)]
    defer { locals = outer }
    return try value(loop.result)
  }

  private mutating func call(
    _ function: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID]
  ) throws(EvaluationError) -> Value {
    switch (function, arguments.count) {
    case (Operators.and, 2): return try logic(arguments, decisive: false)
    case (Operators.or, 2): return try logic(arguments, decisive: true)
    case (Operators.conditional, 3):
      guard case .bool(let condition) = try value(arguments[0]) else { throw fail("no bool") }
      return try value(arguments[condition ? 1 : 2])
    case (Operators.notStrictlyFalse, 1):
      switch result(arguments[0]) {
      case .success(.bool(let flag)): return .bool(flag)
      case .failure(let error) where error.code == .budgetExceeded: throw error
      default: return true
      }
    default: break
    }
    var values: [Value] = []
    if let target {
      if let qualified = qualified(function, target) {
        for argument in arguments { values.append(try value(argument)) }
        return try library(qualified, values)
      }
      // NB: a function that does not exist fails whatever its arguments are.
      values.append(try value(target))
    }
    for argument in arguments { values.append(try value(argument)) }
    if target == nil, let value = try operation(function, values) { return value }
    return try library(function.hasPrefix(".") ? String(function.dropFirst()) : function, values)
  }

  private mutating func logic(_ sides: [Syntax.ID], decisive: Bool) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    for side in sides {
      switch result(side) {
      case .success(.bool(decisive)): return .bool(decisive)
      case .success(.bool): break
      case .success: failure = failure ?? fail("no bool")
      case .failure(let error):
        if error.code == .budgetExceeded { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(!decisive)
  }

  /// The function whose name begins with the target, as in `math.abs(x)`.
  private func qualified(_ function: String, _ target: Syntax.ID) -> String? {
    var names = [function]
    var current = target
    while true {
      switch syntax.nodes[current] {
      case .name(let name, let isAbsolute):
        if !isAbsolute, variables[name] != nil || locals.contains(where: { $0.name == name }) { return nil }
        let whole = ([name] + names).joined(separator: ".")
        return FunctionCatalogue.functions[whole] == nil ? nil : whole
      case .select(let operand, let field, isTest: false):
        names.insert(field, at: 0)
        current = operand
      default: return nil
      }
    }
  }

  private func operation(_ function: String, _ values: [Value]) throws(EvaluationError) -> Value? {
    if values.count == 1 {
      switch (function, values[0]) {
      case (Operators.not, .bool(let flag)): return .bool(!flag)
      case (Operators.negate, .double(let number)): return .double(-number)
      case (Operators.negate, .int(let number)):
        if number == .min { throw .overflow("negative") }
        return .int(-number)
      default: return nil
      }
    }
    guard values.count == 2 else { return nil }
    let (left, right) = (values[0], values[1])
    let arithmetic: [ArithmeticOperation] = [.add, .subtract, .multiply, .divide, .remainder]
    if let operation = arithmetic.first(where: { $0.function == function }) {
      return try operation.apply(left, right, numbers, activation)
    }
    let comparisons: [Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
    if let comparison = comparisons.first(where: { $0.function == function }) {
      return .bool(try comparison.apply(left, right, Activation(slotCount: 0)))
    }
    switch function {
    case Operators.equal: return .bool(try left.isEqual(to: right, activation))
    case "_!=_": return .bool(!(try left.isEqual(to: right, activation)))
    case Operators.in:
      switch right {
      case .list(let list): return .bool(list.contains { $0.isEqual(to: left) })
      case .map(let map): return .bool(map[left] != nil)
      default: return nil
      }
    case Operators.index: return try index(left, right)
    case Operators.optionalIndex, Operators.optionalSelect:
      if let optional = left.optional {
        guard let inner = optional.value else { return left }
        return .optional(try element(inner, right, isField: function == Operators.optionalSelect))
      }
      return .optional(try element(left, right, isField: function == Operators.optionalSelect))
    case Operators.mapInsert:
      guard case .map(let map) = left, case .map(let more) = right else { return nil }
      guard more.keys.allSatisfy({ map[$0] == nil }) else { throw fail("twice") }
      return .map(ValueMap(Array(map.pairs) + Array(more.pairs)))
    default: return nil
    }
  }

  private func index(_ container: Value, _ key: Value) throws(EvaluationError) -> Value {
    if let optional = container.optional {
      guard let inner = optional.value else { return container }
      return .optional(try element(inner, key, isField: false))
    }
    guard let found = try element(container, key, isField: false) else { throw fail("no element") }
    return found
  }

  private func element(_ container: Value, _ key: Value, isField: Bool) throws(EvaluationError) -> Value? {
    switch container {
    case .list(let list) where !isField:
      guard let index = key.exactInt else { throw fail("no index") }
      return list.indices.contains(Int(clamping: index)) ? list[Int(index)] : nil
    case .map(let map): return map.pairs.first { $0.0.isEqual(to: key) }?.1
    default: throw fail("no elements")
    }
  }

  private func library(_ name: String, _ values: [Value]) throws(EvaluationError) -> Value {
    if name == Operators.mapInsert, values.count == 3, case .map(let map) = values[0] {
      if let problem = values[1].problemAsKey { throw problem }
      guard map[values[1]] == nil else { throw fail("twice") }
      return .map(ValueMap(Array(map.pairs) + [(values[1], values[2])]))
    }
    guard let function = FunctionCatalogue.functions[name] else { throw fail("no function") }
    var values = values
    if numbers == .mixed && function.takesOnlyDoubles {
      values = values.map { value in
        if case .double = value { value } else { value.asDouble.map(Value.double) ?? value }
      }
    }
    for body in function.bodies {
      switch (body, values.count) {
      case (.none(let body), 0): return try body(activation)
      case (.one(let body), 1): return try body(values[0], activation)
      case (.two(let body), 2): return try body(values[0], values[1], activation)
      case (.three(let body), 3): return try body(values[0], values[1], values[2], activation)
      case (.many(let body), _): return try body(values, activation)
      default: continue
      }
    }
    throw fail("no overload")
  }
}
