public import CEL
public import StreamCore

/// Builds one program from the expressions of neighboring operators and from the operators' own steps between them.
///
/// Steps run in the order in which they are added. Jumps go forward only, so a program terminates. The program has two
/// equivalent halves: in the *typed* half, expressions are inlined, on unboxed slots if types are known or likely, and
/// common subexpressions are eliminated; in the *generic* half, every expression runs as its plan. A run that meets a
/// case that the typed half does not handle (another type, a missing field, an overflow) takes a side exit: it is rolled
/// back, and the generic half runs from the beginning. Thus a fused expression gives the values and the errors of its plan.
///
/// ```swift
/// var builder = ProgramBuilder()
/// let value = builder.input(.int)
/// let sum = builder.cell(0, .int)
/// let dropped = builder.label()
/// let tripled = try builder.add("value * 3", binding: ["value": value])
/// let isEven = try builder.add("value % 2 == 0", binding: ["value": tripled])
/// builder.branch(unless: isEven, to: dropped)
/// let next = try builder.add("acc + value", binding: ["value": tripled, "acc": sum])
/// builder.store(next, in: sum)
/// builder.emit(next)
/// builder.place(dropped)
/// builder.end()
/// let program = builder.build()
/// ```
@_spi(Engine) public struct ProgramBuilder: ~Copyable {
  let writer = CodeWriter()
  /// The generic half; its jumps contain label indices.
  var generic: [Instruction] = []
  var genericLabels: [Int: Int] = [:]
  var operands: [OperandRecord] = []
  /// The currently defined operands in order of definition, except cells and constants.
  var defined: [Int] = []
  /// Number of operands defined at the first jump to each label.
  var definedAtLabel: [Int: Int] = [:]
  var evaluations: [Evaluation] = []
  /// The locations of the variables of evaluations; each evaluation has a range of them.
  var bindings: [Evaluation.Binding] = []
  var functions: [PairFunction] = []
  var cells: [Cell] = []
  /// The types of the values stored in boxed cells, by the index of the cell; `dyn` for boxed values.
  var stored: [Int: Set<CELType>] = [:]
  var input: Input?
  var rows: KeyedRowLayout?
  /// Index of the first cell that `resetCells` resets; nil if there is no such step.
  var firstReset: Int?
  /// The labels of the entries except the first.
  var entryLabels: [ProgramLabel] = []
  /// The site that failures of the current step report.
  var site = 0
  /// Whether the current position is unreachable: after a jump or an end.
  var isUnreachable = false

  /// The maximum number of instructions, slots, or boxed registers; a program that reaches it has no more room.
  private static let maximumCount = 12_000
  /// The maximum number of instructions of an expression; a longer expression runs as its plan.
  private static let maximumExpressionCount = 2_000

  /// The likely types of the cells, in order of creation; nil for types other than scalars and records.
  private let likelyCells: [CELType?]

  /// - Parameter likelyCells: The likely types of the cells, in order of creation; by default the types of their
  ///   initial values. Values of other types take the generic half.
  public init(likelyCells: [CELType?] = []) { self.likelyCells = likelyCells }

  /// Reserves capacity for the steps of about this many operators.
  package mutating func reserve(operators count: Int) {
    let count = min(count, 64) + 2
    writer.reserve(3 * count)
    generic.reserveCapacity(2 * count)
    operands.reserveCapacity(2 * count)
    defined.reserveCapacity(count)
    evaluations.reserveCapacity(2 * count)
    bindings.reserveCapacity(2 * count)
  }

  /// Whether more steps can be added: a sequence of operators that does not fit is divided. A program has room for a
  /// few thousand operators.
  public var hasRoom: Bool {
    let counts = [writer.code.count, generic.count, writer.slotCount, writer.valueCount]
    return counts.allSatisfy { $0 < Self.maximumCount }
  }

  // MARK: Operands

  /// Adds the input of each run. A program has at most one, which precedes all steps.
  ///
  /// - Parameters:
  ///   - type: The certain type.
  ///   - likely: The likely type, used if `type` is `dyn`; values of other types take the generic half.
  public mutating func input(_ type: CELType = .dyn, likely: CELType? = nil) -> Operand {
    precondition(input == nil && generic.isEmpty, "a program has one input, which comes before its steps")
    let hint = type == .dyn ? likely ?? .dyn : type
    let boxedRegister = writer.newValue()
    let part: Part
    if let scalar = Scalar(hint) {
      part = .scalar(scalar, writer.newSlot())
    } else {
      part = Part(.value(boxedRegister), hint)
    }
    let operand = add(OperandRecord(part: part, boxedRegister: boxedRegister), type)
    input = Input(part: part, boxedRegister: boxedRegister)
    return operand
  }

  /// Adds a cell, whose value persists from one run to the next. If its type is certain, only such values are stored.
  public mutating func cell(_ initial: Value, _ type: CELType = .dyn) -> Operand {
    precondition(type.accepts(initial), "a cell's first value is of the cell's type")
    return addCell(initial, type)
  }

  /// Adds a cell, whose value persists from one run to the next, and which is read only after a value was stored.
  public mutating func cell(for type: CELType) -> Operand { addCell(Scalar(type)?.value(0) ?? .vacant, type) }

  private mutating func addCell(_ initial: Value, _ type: CELType) -> Operand {
    let likely = cells.count < likelyCells.count ? likelyCells[cells.count] : nil
    let boxedRegister = writer.newValue()
    var part = Part(.value(boxedRegister), type)
    if let scalar = likely.map(Scalar.init) ?? Scalar(initial) {
      part = .scalar(scalar, writer.newSlot())
    } else if type == .dyn, let record = likely ?? CELType.likely(initial), record.isRecord {
      part.type = record
    }
    let operand = add(OperandRecord(part: part, boxedRegister: boxedRegister, isCell: true), type)
    cells.append(Cell(part: part, boxedRegister: boxedRegister, initial: initial))
    return operand
  }

  /// The likely types of the cells, refined for cells that were vacant initially; nil if none is refined.
  public var betterLikelyCells: [CELType?]? {
    var isBetter = false
    let types = cells.indices.map { index -> CELType? in
      if let scalar = cells[index].part.scalar { return scalar.type }
      let known = cells[index].part.type
      if known.isRecord {
        // A stored value of unknown type says nothing: it may well be the record again.
        let type = (stored[index] ?? []).filter { $0 != .dyn }.reduce(known) { $0.joined(with: $1) }
        if type != known { isBetter = true }
        return type.isRecord ? type : .dyn
      }
      guard cells[index].initial.isVacant, let types = stored[index], types.count == 1, let type = types.first,
        Scalar(type) != nil || type.isRecord
      else { return index < likelyCells.count && likelyCells[index] == .dyn ? .dyn : nil }
      isBetter = true
      return type
    }
    return isBetter ? types : nil
  }

  public mutating func constant(_ value: Value) -> Operand {
    let register = writer.constant(value)
    var part = Part.constant(value)
    if !part.isFoldable { part.location = .value(register) }
    return add(OperandRecord(part: part, boxedRegister: register), part.type.settled)
  }

  mutating func add(_ record: OperandRecord, _ type: CELType) -> Operand {
    operands.append(record)
    return Operand(type: type, index: operands.count - 1)
  }

  /// Returns the record of an operand that the current step uses.
  func use(_ operand: Operand) -> OperandRecord {
    precondition(operand.index < operands.count, "an operand is of the builder that made it")
    precondition(operands[operand.index].isDefined, "every path to a step computes the operands of the step")
    return operands[operand.index]
  }

  // MARK: Expressions

  /// Begins a step.
  func beginStep() { precondition(!isUnreachable, "after an end or a jump a label is placed") }

  /// Adds an expression. Its failures carry `site`; by default, expressions are numbered from 0.
  ///
  /// - Parameters:
  ///   - plan: The planned expression.
  ///   - binding: An operand for each variable that the expression uses. Their values have the types for which the
  ///     expression was planned.
  ///   - lists: For a variable that is a list, an operand for each of its elements instead. The list itself is created
  ///     only if the expression needs more than its elements.
  ///   - site: The number that failures of the expression report.
  public mutating func add(
    _ plan: Plan, binding: [String: Operand], lists: [String: [Operand]] = [:], site: Int? = nil
  ) -> Operand {
    add(plan, lists: lists, site: site) { _, name in binding[name] }
  }

  /// Adds an expression; `operand` returns the operand of each variable that it uses, by its slot and name.
  public mutating func add(
    _ plan: Plan, lists: [String: [Operand]] = [:], site: Int? = nil, operand: (Int, String) -> Operand?
  ) -> Operand {
    number(site ?? nextSite)
    beginStep()
    var parts = VariableParts()
    var elements: [Int: [Part]] = [:]
    // The bindings of the typed half precede those of the generic half.
    let first = bindings.count
    for (slot, variable) in plan.body.variables {
      if !lists.isEmpty, let list = lists[variable.name], !list.isEmpty {
        let records = list.map { use($0) }
        elements[slot] = records.map(\.part)
        for (place, record) in records.enumerated() {
          bindings.append(Evaluation.Binding(slot: slot, record.part, writer, element: Self.element(place, of: list)))
        }
        continue
      }
      guard let operand = operand(slot, variable.name) else {
        preconditionFailure("the variable '\(variable.name)' is bound to an operand")
      }
      var part = use(operand).part
      // If the operand's own type is unknown, the type in the plan applies.
      if part.type == .dyn { part.type = variable.type }
      bindings.append(Evaluation.Binding(slot: slot, part, writer))
      parts[slot] = part
    }
    let middle = bindings.count
    for (slot, variable) in plan.body.variables {
      if !lists.isEmpty, let list = lists[variable.name], !list.isEmpty {
        for (place, operand) in list.enumerated() {
          let boxedRegister = operands[operand.index].boxedRegister
          bindings.append(
            Evaluation.Binding(slot: slot, scalar: nil, register: boxedRegister, element: Self.element(place, of: list))
          )
        }
      } else if let operand = operand(slot, variable.name) {
        bindings.append(Evaluation.Binding(slot: slot, scalar: nil, register: operands[operand.index].boxedRegister))
      }
    }
    return lower(plan, parts, elements, typed: first..<middle, boxed: middle..<bindings.count)
  }

  private static func element(_ place: Int, of list: [Operand]) -> Evaluation.Binding.Element {
    place == list.count - 1 ? .last : .inner
  }

  /// Parses, checks and plans an expression over the operands' types, and adds it.
  ///
  /// - Parameter expression: The expression.
  /// - Parameter environment: The environment for checking; its variables are replaced by those of `binding`.
  /// - Parameter binding: An operand for each variable.
  /// - Parameter site: The number that failures of the expression report.
  public mutating func add(
    _ expression: CELExpression, in environment: ExpressionEnvironment = ExpressionEnvironment(),
    binding: [String: Operand],
    site: Int? = nil
  ) throws(Diagnostics) -> Operand {
    var environment = environment
    environment.variables = binding.keys.sorted().map { Variable($0, binding[$0]?.type ?? .dyn) }
    return add(try expression.plan(in: environment), binding: binding, site: site)
  }

  /// The slot for the costs of expressions in the generic half, which are never read; nil before the first expression.
  private var costSlot: Int?
  /// The default site of the next expression.
  private var nextSite = 0

  /// Sets the site that failures of the steps from here on report.
  mutating func number(_ site: Int) {
    self.site = site
    nextSite = site + 1
  }

  private mutating func lower(
    _ plan: Plan, _ parts: VariableParts, _ elements: [Int: [Part]], typed: Range<Int>, boxed: Range<Int>
  ) -> Operand {
    let mark = writer.mark
    let start = writer.code.count
    writer.write(Instruction(.prepare, Int64(evaluations.count)))
    let limit = start + Self.maximumExpressionCount
    var lowering = PlanLowering(writer: writer, variables: parts, elements: elements, limit: limit)
    var part = DeepStack.run(levels: plan.body.depth > 8 ? plan.body.depth : 0) {
      lowering.part(plan.body.root)
    }
    if writer.code.count > limit {
      writer.rewind(to: mark)
      part = nil
    } else if part == nil || !writer.hasCalls(since: mark) {
      writer.replace(at: start)
    }
    evaluations.append(Evaluation(body: plan.body, bindings: typed, site: site))
    var result: Part
    if let part {
      result = part
    } else {
      result = Part(.value(writer.evaluate(evaluations.count - 1, lowering.key(plan.body.root))))
    }
    if result.type == .dyn { result.type = plan.resultType }
    if let constant = result.constant, !result.isFoldable { result.location = .value(writer.constant(constant)) }
    let place = writer.newValue()
    evaluations.append(Evaluation(body: plan.body, bindings: boxed, site: site))
    let cost = costSlot ?? writer.newSlot()
    costSlot = cost
    generic.append(Instruction(.evaluate, a: place, c: cost, Int64(evaluations.count - 1)))
    result = detached(result)
    let operand = add(OperandRecord(part: result, boxedRegister: place), plan.resultType)
    defined.append(operand.index)
    unbox(operand)
    return operand
  }

  /// Returns a copy of a part that is in the register of a cell, so that a later store does not change it; otherwise
  /// the part itself.
  func detached(_ part: Part) -> Part {
    for cell in cells {
      switch (part.location, cell.part.location) {
      case (.scalar(let scalar, let slot), .scalar(_, let other)) where slot == other:
        let copy = writer.newSlot()
        writer.write(Instruction(.move, a: copy, b: slot))
        return .scalar(scalar, copy)
      case (.value(let register), .value(let other)) where register == other:
        let copy = writer.newValue()
        writer.write(Instruction(.moveValue, a: copy, b: register))
        return Part(.value(copy), part.type)
      default: continue
      }
    }
    return part
  }

  /// Unboxes a result whose known or likely type is a scalar. Other values take the side exit.
  private mutating func unbox(_ operand: Operand) {
    let record = operands[operand.index]
    guard case .value(let register) = record.part.location, let scalar = Scalar(record.part.type) else { return }
    operands[operand.index].part = .scalar(scalar, writer.compute(scalar.unboxing, register))
  }
}
