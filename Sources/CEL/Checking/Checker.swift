import StreamCore

/// Determines the meaning and the type of each node of a syntax tree.
///
/// Typing is gradual: `dyn` is compatible with every type, and only certain errors are reported. All errors are
/// collected; the type of an erroneous node is `dyn`, so that its ancestors do not report the error again.
struct Checker {
  /// The meaning of a name, a field access or a call.
  enum Meaning {
    case plain
    /// The variable in this slot.
    case variable(Int)
    /// A type used as a value.
    case type(String)
    case function(Function)
    /// A function with this full name, written with dots: the target is part of the name.
    case qualifiedFunction(Function)
    case loop(variable: Int, second: Int?, accumulator: Int)
    /// Undefined or ill-typed; fails when it is evaluated.
    case failing(DiagnosticCode, String)
  }

  struct Local {
    var name: String
    var slot: Int
    var type: CELType
    /// Whether the type comes from a declaration, which makes an unknown field an error.
    var isDeclared: Bool
  }

  /// The tree. Names of constants become literals when they are checked.
  var syntax: Syntax
  let environment: ExpressionEnvironment
  var types: [CELType]
  var meanings: [Meaning]
  var diagnostics = Diagnostics()
  var locals: [Local] = []
  /// Number of slots for the declared variables and the variables of loops.
  var slotCount: Int
  /// The slots of declared variables that occur: bits for the first 64, a set for the others.
  private var used: UInt64 = 0
  private var usedBeyond: Set<Int> = []
  /// Whether the expression calls `random()`.
  var callsRandom = false
  /// The tests that the checked node is under.
  var tests: [NullTest] = []
  /// Whether tests can narrow a type.
  let mayNarrow: Bool
  /// Number of folds whose steps contain the checked node.
  private var foldDepth = 0

  init(_ syntax: Syntax, in environment: ExpressionEnvironment, using memory: ExpressionMemory = ExpressionMemory()) {
    self.syntax = syntax
    self.environment = environment
    types = ExpressionMemory.emptied(&memory.types)
    meanings = ExpressionMemory.emptied(&memory.meanings)
    slotCount = environment.variables.count
    mayNarrow = Self.mayNarrow(environment.variables)
    types.reserveCapacity(syntax.nodes.count)
    meanings.reserveCapacity(syntax.nodes.count)
    for _ in syntax.nodes.indices {
      types.append(.dyn)
      meanings.append(.plain)
    }
  }

  /// Returns the slot of a declared variable; the first declaration of a name counts.
  func slot(of variable: String) -> Int? { environment.variables.firstIndex { $0.name == variable } }

  /// Returns the function that the host has declared under a name; the first declaration counts.
  func declaredFunction(_ name: String) -> FunctionDeclaration? {
    environment.declaredFunctions.first { $0.name == name }
  }

  /// Records that the variable of a slot occurs.
  mutating func use(_ slot: Int) {
    if slot < 64 { used |= 1 << UInt64(slot) } else { usedBeyond.insert(slot) }
  }

  /// The declared variables that occur, in the order of their slots.
  var usedVariables: [(slot: Int, variable: Variable)] {
    var variables: [(slot: Int, variable: Variable)] = []
    variables.reserveCapacity(used.nonzeroBitCount + usedBeyond.count)
    var rest = used
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      variables.append((slot, environment.variables[slot]))
      rest &= rest - 1
    }
    if !usedBeyond.isEmpty { variables += usedBeyond.sorted().map { ($0, environment.variables[$0]) } }
    return variables
  }

  var numbers: Numbers { environment.numbers }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at id: Syntax.ID, notes: [String] = [], help: String? = nil
  ) {
    if environment.checksEnabled {
      diagnostics.append(
        Diagnostic(code, message, part: .text(syntax.ranges[id]), notes: notes, help: help))
    }
  }

  /// Reports an error, and makes the node fail when it is evaluated (which happens if checks are off).
  mutating func reject(
    _ code: DiagnosticCode, _ message: String, at id: Syntax.ID, running: DiagnosticCode,
    notes: [String] = [], help: String? = nil
  ) {
    report(code, message, at: id, notes: notes, help: help)
    meanings[id] = .failing(running, message)
    types[id] = .dyn
  }

  mutating func check(_ id: Syntax.ID) {
    switch syntax.nodes[id] {
    case .literal(let value): types[id] = CELType.of(value)
    case .name, .select:
      checkPath(id)
      if !tests.isEmpty { narrow(id) }
    case .call:
      checkCall(id)
      if !tests.isEmpty { narrow(id) }
    case .list: checkList(id)
    case .map: checkMap(id)
    case .message:
      reject(
        .expressionSyntax, "messages are not supported: '\(syntax.text(of: id).prefix(40))'", at: id,
        running: .noSuchOverload, help: "write a map: {'field': value}")
    case .comprehension: checkComprehension(id)
    }
  }

  private mutating func checkList(_ id: Syntax.ID) {
    guard case .list(let elements) = syntax.nodes[id] else { return }
    var type = CELType.undetermined
    for element in elements {
      check(element)
      type = type.joined(with: types[element])
    }
    types[id] = CELType.list(type).limited
  }

  private mutating func checkMap(_ id: Syntax.ID) {
    guard case .map(let keys, let values) = syntax.nodes[id] else { return }
    var keyType = CELType.undetermined
    var valueType = CELType.undetermined
    var fields: [RecordField]? = []
    for (key, value) in zip(keys, values) {
      checkKey(key)
      check(value)
      if !Self.isKeyType(types[key]) {
        report(
          .typeMismatch, "\(types[key].phrase) cannot be a map key", at: key,
          help: "a map key is a string, int, uint or bool")
      }
      keyType = keyType.joined(with: types[key])
      valueType = valueType.joined(with: types[value])
      fields = fields.flatMap { appending(key, value, to: $0) }
    }
    if let fields, !fields.isEmpty {
      types[id] = CELType.record(fields).limited
    } else {
      types[id] = CELType.map(keyType, valueType).limited
    }
  }

  /// Checks the key of a map, with help for a bare name as in JavaScript.
  private mutating func checkKey(_ id: Syntax.ID) {
    if case .name(let name, isAbsolute: false) = syntax.nodes[id], !isKnown(name) {
      reject(
        .unknownName, "there is no name '\(name)' here", at: id, running: .expressionFailed,
        help: "map keys are expressions: write '\(name)' in quotation marks")
    } else {
      check(id)
    }
  }

  /// Returns the fields and the entry's, if the entry certainly is a new field of a record; otherwise nil.
  private func appending(_ key: Syntax.ID, _ value: Syntax.ID, to fields: [RecordField]) -> [RecordField]? {
    guard fields.count < Self.maximumFields, case .literal(.string(let name)) = syntax.nodes[key] else { return nil }
    if case .call(Operators.optionalElement, _, _) = syntax.nodes[value] { return nil }
    if fields.contains(where: { $0.name == name }) { return nil }
    return fields + [RecordField(name, types[value])]
  }

  /// Maximum number of fields of a record; a map literal with more keys has a map type.
  private static let maximumFields = 64

  private static func isKeyType(_ type: CELType) -> Bool {
    switch type {
    case .dyn, .undetermined, .string, .int, .uint, .bool: true
    default: false
    }
  }

  private mutating func checkComprehension(_ id: Syntax.ID) {
    guard case .comprehension(let loop) = syntax.nodes[id] else { return }
    check(loop.range)
    let (first, second) = elementTypes(of: loop)
    check(loop.initial)
    let outer = locals.count
    let isDeclared = isDeclared(loop.range)
    let isFold = loop.accumulator != Parser.accumulator && types[loop.range] != .list(.undetermined)
    if isFold { foldDepth += 1 }
    // The step of a fold that begins with null tests for it.
    let isOpen = isFold && (foldDepth > Self.maximumFoldDepth || types[loop.initial] == .null)
    let initial = isOpen ? .dyn : types[loop.initial]
    let accumulator = declare(loop.accumulator, initial, isDeclared: false)
    let variable = declare(loop.variable, first, isDeclared: isDeclared)
    let secondVariable = loop.secondVariable.map { declare($0, second, isDeclared: isDeclared) }
    check(loop.condition)
    let problems = diagnostics.all.count
    check(loop.step)
    if isFold {
      // The step may return another type than that of the initial value: then it is checked again with any type.
      if diagnostics.all.count == problems, initial.joined(with: types[loop.step]) != initial {
        locals[outer].type = .dyn
        check(loop.step)
      }
      foldDepth -= 1
    }
    // An empty list that grows takes the type of the appended elements.
    let grown = types[loop.initial].joined(with: types[loop.step])
    locals.removeLast(locals.count - outer)
    slotCount = max(slotCount, environment.variables.count + outer + 3)
    _ = declare(loop.accumulator, grown, isDeclared: self.isDeclared(loop.initial))
    check(loop.result)
    locals.removeLast(locals.count - outer)
    meanings[id] = .loop(variable: variable, second: secondVariable, accumulator: accumulator)
    types[id] = types[loop.result]
  }

  /// Number of nested folds whose steps may be checked twice; deeper ones have an accumulator of any type.
  private static let maximumFoldDepth = 4

  private mutating func declare(_ name: String, _ type: CELType, isDeclared: Bool) -> Int {
    let slot = environment.variables.count + locals.count
    locals.append(Local(name: name, slot: slot, type: type, isDeclared: isDeclared))
    return slot
  }

  private mutating func elementTypes(of loop: Syntax.Comprehension) -> (CELType, CELType) {
    switch types[loop.range].settled {
    case .list(let element): return loop.secondVariable == nil ? (element, .dyn) : (.int, element)
    case .map(let key, let value): return (key, value)
    case .record:
      guard case .map(let key, let value) = types[loop.range].asMap else { return (.string, .dyn) }
      return (key, value)
    case .dyn, .optional: return (.dyn, .dyn)
    default:
      let text = syntax.operand(loop.range)
      report(
        .typeMismatch,
        "\(describe(loop.range)); a comprehension needs a list or a map", at: loop.range,
        help: types[loop.range].allowsNull && types[loop.range] != .null
          ? "write (\(text) == null ? [] : \(text)), or test it before: \(text) != null && …" : nil)
      return (.dyn, .dyn)
    }
  }

  /// Returns a description such as "'value.mag' is a double here".
  func describe(_ id: Syntax.ID) -> String {
    let text = syntax.text(of: id)
    let shown = text.unicodeScalars.count > 40 ? String(text.prefix(39)) + "…" : text
    return "'\(shown)' is \(types[id].settled.phrase) here"
  }
}
