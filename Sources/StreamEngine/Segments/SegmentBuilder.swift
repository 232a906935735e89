package import CEL
package import StreamCore

/// Combines the steps of neighboring operators in one program.
///
/// Each operator reads its input from `value` and writes its output there. Its state is in cells.
package struct SegmentBuilder: ~Copyable {
  /// The input of the operator, then its output.
  package var value: Operand

  var program = ProgramBuilder()
  var operators: [SegmentOperator] = []
  var sites: [Segment.Site] = []
  var failures: [Segment.Refusal] = []
  /// The captured variables, by slot.
  private var captures: [Int: Operand] = [:]
  /// The counter of received values, shared by operators that drop no values.
  private var sharedCounter: Operand?
  private var endsSharing = false
  /// The input of the current operator.
  private var entered: Operand
  /// The value that starts the streams of the program, if they have a source of their own.
  private var streamValue: Operand?
  private var dropping: ProgramLabel?
  private var absorbing: ProgramLabel?
  /// The cell of the number of the operator that has ended the stream, from 1.
  private(set) var ending: Operand?
  /// Whether a value that ends the stream passes through the subsequent operators.
  private var endsWithValue = false
  private var stops: [(label: ProgramLabel, operator: Int)] = []
  private(set) var absorbed: Operand?
  private var refused: Operand?
  private var refusedValue: Operand?
  private var refusals: [(label: ProgramLabel, number: Int, value: Operand)] = []
  /// Whether the last operator has ended the run.
  private var isClosed = false
  private(set) var isSummary = false
  /// The jump target of values with a closed row, the counter of the values, and the slot of the key's variable.
  private var closedRow: (label: ProgramLabel, index: SegmentIndex, slot: Int)?
  private var serial: SerialCells?
  /// The jump target of values after the end of the inner stream.
  private var idling: ProgramLabel?
  private var hasEntries = false
  /// The cell of the value that the scheduler delivers.
  private var delivered: Operand?
  /// Whether an operator before an entry may end the stream.
  private var endsBeforeEntry = false
  /// The location of the expressions that are added, if it is not the operator's.
  private var place: JSONPointer?
  /// The slots of the variables that belong to the program's own inner streams.
  private var ownSlots: Set<Int> = []

  init(_ type: CELType, likely: TypeFeedback) {
    var builder = ProgramBuilder(likelyCells: likely.cells)
    value = builder.input(type, likely: likely.input)
    entered = value
    program = builder
  }

  /// Reserves capacity for operators.
  mutating func reserve(_ count: Int) {
    program.reserve(operators: count)
    operators.reserveCapacity(count)
    sites.reserveCapacity(count)
  }

  // MARK: State

  /// Returns a new cell that keeps state of an operator between values. A cell of a certain type is unboxed.
  package mutating func cell(_ initial: Value, _ type: CELType = .dyn) -> Operand {
    program.cell(initial, type.accepts(initial) ? type : .dyn)
  }

  /// Returns the number of values that the operator has received, counted at the lowest possible cost.
  ///
  /// - Parameter isRead: Whether the operator computes with it; then it calls `advance` after each value.
  package mutating func index(isRead: Bool) -> SegmentIndex {
    if isRead { return SegmentIndex(cell: program.cell(.int(0), .int), sharer: nil) }
    let counter: Operand
    var isFirst = false
    if let sharedCounter {
      counter = sharedCounter
    } else {
      counter = program.cell(.int(0), .int)
      program.count(counter)
      // Operators of inner streams share no counter: values skipped in one stream must not count in the next.
      if serial == nil { sharedCounter = counter }
      isFirst = true
    }
    operators[operators.count - 1].sharedCounter = counter
    return SegmentIndex(cell: counter, sharer: operators.count - 1, isFirstSharer: isFirst)
  }

  /// Counts also the values that the operator skips: their number is the index of the next one, as in RxJS.
  package mutating func countSkipped(with index: SegmentIndex) {
    if index.isOwn { operators[operators.count - 1].received = index }
  }

  /// Returns a new cell for values of a type, which is empty, and must not be read before the first store.
  package mutating func cell(for type: CELType) -> Operand { program.cell(for: type) }

  /// Sets the function that returns the number of values that the operator will drop and requests in advance.
  package mutating func asks(for count: @escaping @Sendable (SegmentCells) -> Int) {
    operators[operators.count - 1].unasked = count
  }

  /// Counts a value whose index was read.
  package mutating func advance(_ index: SegmentIndex) {
    if index.sharer == nil { program.count(index.cell) }
  }

  /// Defines how the operator's state is saved and loaded.
  ///
  /// - Parameters:
  ///   - save: Returns the state of the cells.
  ///   - load: Stores a state in the cells.
  ///   - problem: Describes the error of a saved state, as the end of a sentence about it ("has …"); nil if it is
  ///     valid. The snapshot may be damaged or untrusted.
  package mutating func keep<State: Codable & Sendable>(
    _ save: @escaping @Sendable (SegmentCells) -> State,
    loading load: @escaping @Sendable (State, SegmentCells) -> Void,
    refusing problem: @escaping @Sendable (State) -> String? = { _ in nil }
  ) {
    operators[operators.count - 1].state = .other(TypedSegmentState(read: save, write: load, problem: problem))
  }

  /// Defines the operator's state as the index of the next value.
  package mutating func keep(_ index: SegmentIndex) { operators[operators.count - 1].state = .index(index) }

  /// The likely types of the cells, derived from the values stored in them; nil if nothing new is known.
  var betterLikelyCells: [CELType?]? { program.betterLikelyCells }

  // MARK: Computing

  /// Returns the result of an expression.
  ///
  /// - Parameter expression: The expression.
  /// - Parameter operand: Returns the operand of a variable of the operator that the expression reads.
  package mutating func evaluate(_ expression: any SegmentExpression, _ operand: (String) -> Operand?) -> Operand {
    // Cells are created before the expression is added.
    for (slot, variable) in expression.plan.usedVariables where slot < expression.firstSlot {
      if captures[slot] == nil { captures[slot] = cell(for: variable.type) }
    }
    sites.append(
      Segment.Site(operator: operators.count - 1, value: entered, teller: .expression(expression), pointer: place))
    let captures = captures
    return program.add(expression.plan, site: sites.count - 1) { slot, name in
      slot < expression.firstSlot ? captures[slot] : operand(name)
    }
  }

  /// Returns the result of a function of two values.
  ///
  /// - Parameter function: The function.
  /// - Parameter left: Its first argument.
  /// - Parameter right: Its second argument.
  /// - Parameter failure: Returns the failure if it refuses them, given both arguments and the operator's input.
  package mutating func apply(
    _ function: PairFunction, _ left: Operand, _ right: Operand,
    failure: @escaping @Sendable (Value, Value, Value) -> StreamFailure
  ) -> Operand {
    sites.append(Segment.Site(operator: operators.count - 1, value: entered, teller: .function(failure)))
    return program.apply(function, left, right, site: sites.count - 1)
  }

  package mutating func constant(_ value: Value) -> Operand { program.constant(value) }

  /// Returns whether two values are equal. Numbers of different types are compared by value.
  package mutating func equal(_ left: Operand, _ right: Operand) -> Operand { program.equal(left, right) }

  package mutating func store(_ operand: Operand, in cell: Operand) { program.store(operand, in: cell) }

  /// Adds one to a cell of ints.
  package mutating func count(_ cell: Operand) { program.count(cell) }

  /// Fails if a value is nested more than `levels` levels deep. Only every sixteenth value is checked.
  package mutating func limitDepth(of operand: Operand, to levels: Int, every index: SegmentIndex) {
    program.limitDepth(of: operand, to: levels, every: index.cell)
  }

  // MARK: Jumps

  package mutating func label() -> ProgramLabel { program.label() }
  package mutating func place(_ label: ProgramLabel) {
    program.place(label)
    isClosed = false
  }
  package mutating func jump(to label: ProgramLabel) { program.jump(to: label) }
  package mutating func branch(unless operand: Operand, to label: ProgramLabel) {
    program.branch(unless: operand, to: label)
  }
  package mutating func branch(ifNull operand: Operand, to label: ProgramLabel) {
    program.branch(ifNull: operand, to: label)
  }

  /// Returns the jump target of values that are dropped and replaced by requesting another one.
  package mutating func drop() -> ProgramLabel {
    endsSharing = true
    if let dropping { return dropping }
    let label = program.label()
    dropping = label
    return label
  }

  /// Returns the jump target of values that are dropped as expected.
  package mutating func absorb() -> ProgramLabel {
    endsSharing = true
    if let absorbing { return absorbing }
    let label = program.label()
    absorbing = label
    absorbed = absorbed ?? program.cell(.int(0), .int)
    return label
  }

  /// Returns the jump target of values that are dropped and end the stream.
  package mutating func stop() -> ProgramLabel {
    endsSharing = true
    prepareEnding()
    let label = program.label()
    stops.append((label, operators.count - 1))
    return label
  }

  /// Ends the stream with the current value unless `operand` is true, or when `condition` is true.
  package mutating func endWithValue(unless operand: Operand? = nil, when condition: Operand? = nil) {
    let mark = prepareEnding()
    endsWithValue = true
    let number = program.constant(.int(Int64(operators.count)))
    let (ends, goesOn) = (program.label(), program.label())
    if let operand {
      program.branch(unless: operand, to: ends)
      program.jump(to: goesOn)
      program.place(ends)
      program.store(number, in: mark)
      program.place(goesOn)
    } else if let condition {
      program.branch(unless: condition, to: goesOn)
      program.store(number, in: mark)
      program.place(goesOn)
    }
  }

  @discardableResult
  private mutating func prepareEnding() -> Operand {
    if let ending { return ending }
    let cell = program.cell(.int(0), .int)
    ending = cell
    return cell
  }

  /// Returns the jump target of values that make the operator fail.
  ///
  /// - Parameter failure: Returns the failure for the operator's input.
  package mutating func refuse(_ failure: @escaping @Sendable (Value) -> StreamFailure) -> ProgramLabel {
    refused = refused ?? program.cell(.int(0), .int)
    refusedValue = refusedValue ?? program.cell(.null)
    failures.append(Segment.Refusal(operator: operators.count - 1, failure: failure))
    let label = program.label()
    refusals.append((label, failures.count, entered))
    return label
  }

  // MARK: Keys

  /// Continues in the row of a key: the subsequent operators have separate state for each key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - slot: The slot of the variable by which the expressions of those operators read the key.
  ///   - index: The counter of the values, which has a cell of its own.
  ///   - limit: The maximum number of keys.
  ///   - failure: Returns the failure if the limit is exceeded, given the key, the limit and the operator's input.
  package mutating func enterRow(
    of key: Operand, readIn slot: Int, counting index: SegmentIndex, limit: Int,
    failure: @escaping @Sendable (Value, Value, Value) -> StreamFailure
  ) {
    sites.append(Segment.Site(operator: operators.count - 1, value: entered, teller: .function(failure)))
    let label = program.label()
    captures[slot] = program.enterRow(
      of: key, counting: index.cell, limit: limit, orIfClosed: label, site: sites.count - 1)
    closedRow = (label, index, slot)
    ownSlots.insert(slot)
    program.count(index.cell)
    // Each key has its own counter after this operator.
    endsSharing = true
  }

  // MARK: Inner streams

  /// Starts an inner stream for every value, or for every `length` values: the operators after this one belong to the
  /// stream, and are reset for each.
  ///
  /// - Parameters:
  ///   - length: Number of values of a stream.
  ///   - slots: The slots of the variables of a stream.
  ///   - outer: The other variables that the operators of the streams capture.
  mutating func startStreams(
    ofLength length: Int, capturing slots: SerialSlots, outer: [(slot: Int, type: CELType)]
  ) {
    // NB: cells that are created before `resetCells` are not reset.
    for (slot, type) in outer where captures[slot] == nil { captures[slot] = cell(for: type) }
    let number = program.cell(.int(-1), .int)
    var position: Operand?
    if slots.value != nil {
      program.count(number)
      program.resetCells()
    } else {
      let cell = program.cell(.int(Int64(length)), .int)
      let goesOn = program.label()
      program.branch(unless: program.equal(cell, program.constant(.int(Int64(length)))), to: goesOn)
      program.store(program.constant(.int(0)), in: cell)
      program.count(number)
      program.resetCells()
      program.place(goesOn)
      program.count(cell)
      position = cell
    }
    // A stream of one value has no values after its end.
    let ended = position == nil ? nil : prepareEnding()
    serial = SerialCells(length: length, number: number, position: position, ended: ended)
    if let ended {
      let label = program.label()
      program.branch(unless: program.equal(ended, program.constant(.int(0))), to: label)
      idling = label
    }
    captures[slots.number] = number
    ownSlots.insert(slots.number)
    if let slot = slots.value {
      captures[slot] = value
      streamValue = value
      ownSlots.insert(slot)
      value = program.constant(.null)
    }
    endsSharing = true
  }

  // MARK: Entries

  /// Ends the run until a timer of the operator fires.
  ///
  /// - Parameter cell: The cell of the value that the scheduler delivers; nil if it delivers none.
  package mutating func wait(delivering cell: Operand? = nil) {
    program.wait()
    isClosed = true
    delivered = cell
  }

  /// Begins the entry of a timer. Its steps use cells, but no other operands of the steps before.
  package mutating func beginEntry() {
    // The stage that sets timers does not expect an operator before the first of them to end the stream.
    if !hasEntries, ending != nil { endsBeforeEntry = true }
    hasEntries = true
    placeExits()
    program.beginEntry()
    entered = program.constant(.null)
    isClosed = false
    sharedCounter = nil
    endsSharing = true
  }

  /// Computes the only value of a source, which is then in `value`.
  package mutating func compute(_ source: SourceStep) {
    place = source.node.pointer
    source.step.write(&self)
    place = nil
  }

  // MARK: Summaries

  /// Takes the value without publishing anything until the end; `result` returns the value to publish then.
  package mutating func summarize(_ result: @escaping @Sendable (SegmentCells) -> Value?) {
    operators[operators.count - 1].result = result
    if !isClosed { close(with: nil) }
  }

  /// Publishes the result that the operator has searched for, and ends the stream.
  package mutating func found(_ result: Operand) {
    program.emit(result, isLast: true)
    isClosed = true
  }

  // MARK: Assembly

  mutating func add(_ node: PipelineNode, _ steps: Steps) {
    operators.append(SegmentOperator(node: node))
    isSummary = steps.isSummary
    // A source of a stream for a value fails with that value, as its stage does.
    entered = node.isSource ? streamValue ?? value : value
    endsSharing = false
    let counter = sharedCounter
    steps.write(&self)
    // An operator that has its own counter, or none, belongs to those that share the counter: a value that it skips
    // does not reach the operators after it.
    if operators[operators.count - 1].sharedCounter == nil { operators[operators.count - 1].sharedCounter = counter }
    if endsSharing { sharedCounter = nil }
  }

  /// Ends a run that has reached the last operator.
  private mutating func close(with output: Operand?) {
    isClosed = true
    if let serial, isSummary { return close(serial) }
    if let ending, endsWithValue {
      let last = program.label()
      program.branch(unless: program.equal(ending, program.constant(.int(0))), to: last)
      if let output { program.emit(output) } else { program.end() }
      program.place(last)
      if let output { program.emit(output, isLast: true) } else { program.end(isLast: true) }
    } else if let output {
      program.emit(output)
    } else {
      program.end()
    }
  }

  /// Ends a run of a summary in an inner stream. The last value of a stream ends it.
  private mutating func close(_ serial: SerialCells) {
    guard let position = serial.position else { return program.end(isLast: true) }
    let (ends, goesOn) = (program.label(), program.label())
    if endsWithValue, let ended = serial.ended {
      program.branch(unless: program.equal(ended, program.constant(.int(0))), to: ends)
    }
    program.branch(unless: program.equal(position, program.constant(.int(Int64(serial.length)))), to: goesOn)
    if endsWithValue { program.jump(to: ends) } else { program.end(isLast: true) }
    program.place(goesOn)
    program.end()
    guard endsWithValue else { return }
    program.place(ends)
    program.end(isLast: true)
  }

  consuming func build() -> Segment {
    if !isClosed { close(with: value) }
    placeExits()
    for slot in ownSlots { captures[slot] = nil }
    return Segment(
      program: program.build(), operators: operators, sites: sites, refusals: failures,
      captures: captures.map { ($0, $1) }, ending: ending, absorbed: absorbed, refused: refused,
      refusedValue: refusedValue, isSummary: isSummary, serial: serial, delivered: delivered,
      endsBeforeEntry: endsBeforeEntry)
  }

  /// Writes the exits of values that do not reach the last operator.
  private mutating func placeExits() {
    // In reverse order: a label undefines the operands computed after its first jump, as those of later operators are.
    for refusal in refusals.reversed() {
      program.place(refusal.label)
      if let refused, let refusedValue {
        program.store(program.constant(.int(Int64(refusal.number))), in: refused)
        program.store(refusal.value, in: refusedValue)
      }
      program.end(isLast: true)
    }
    if let dropping {
      program.place(dropping)
      close(with: nil)
    }
    if let absorbing, let absorbed {
      program.place(absorbing)
      program.store(program.constant(.int(1)), in: absorbed)
      close(with: nil)
    }
    if let closedRow {
      program.place(closedRow.label)
      program.count(closedRow.index.cell)
      program.end()
    }
    if let idling {
      program.place(idling)
      program.end()
    }
    for stop in stops {
      program.place(stop.label)
      if let ending { program.store(program.constant(.int(Int64(stop.operator + 1))), in: ending) }
      program.end(isLast: true)
    }
    (refusals, dropping, absorbing, closedRow, idling, stops) = ([], nil, nil, nil, nil, [])
  }
}
