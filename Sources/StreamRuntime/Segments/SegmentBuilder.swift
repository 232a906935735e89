public import CEL
public import StreamCore
public import StreamProgram

/// Puts the steps of neighboring operators into one program.
///
/// Each operator finds what comes to it in `value` and leaves there what it publishes. What it keeps is in cells.
public struct SegmentBuilder: ~Copyable {
  /// What comes to the operator, then what it publishes.
  public var value: Operand

  var program = ProgramBuilder()
  var operators: [SegmentOperator] = []
  var sites: [Segment.Site] = []
  var failures: [Segment.Refusal] = []
  /// The variables that are captured, by slot.
  private var captures: [Int: Operand] = [:]
  /// The counter of the values that have come so far, shared by operators of which none leaves a value out.
  private var sharedCounter: Operand?
  private var endsSharing = false
  /// What the present operator was given.
  private var entered: Operand
  private var dropping: ProgramLabel?
  private var absorbing: ProgramLabel?
  /// Which operator has ended the stream, counted from 1.
  private(set) var ending: Operand?
  /// Whether a value that ends the stream goes on through the operators behind.
  private var endsWithValue = false
  private var stops: [(label: ProgramLabel, operator: Int)] = []
  private(set) var absorbed: Operand?
  private var refused: Operand?
  private var refusedValue: Operand?
  private var refusals: [(label: ProgramLabel, number: Int, value: Operand)] = []
  /// Whether the last operator has said how the run ends.
  private var isClosed = false
  private(set) var isSummary = false
  /// What comes before the first operator, if something does.
  private var tuple: TupleExpression.Steps?
  /// Where a value goes whose key's row is closed, what counts the values, and the slot of the variable that is the key.
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

  /// Makes room for so many operators.
  mutating func reserve(_ count: Int) {
    program.reserve(operators: count)
    operators.reserveCapacity(count)
    sites.reserveCapacity(count)
  }

  /// What comes to the first operator is what an expression over the values of a join gives.
  init(_ type: CELType, behind head: TupleExpression, likely: TypeFeedback) {
    let count = head.cellCount(over: likely.tuple.count)
    var builder = ProgramBuilder(likelyCells: Array(repeating: nil, count: count) + likely.cells)
    let tuple = head.begin(&builder, over: likely.tuple)
    value = builder.beginAnew(with: tuple.result, of: type)
    entered = value
    program = builder
    self.tuple = tuple
  }

  // MARK: State

  /// What an operator keeps from one value to the next. A type that is certain makes it unboxed.
  public mutating func cell(_ initial: Value, _ type: CELType = .dyn) -> Operand {
    program.cell(initial, type.accepts(initial) ? type : .dyn)
  }

  /// The number of values that have come to the operator, counted for as little as possible.
  ///
  /// - Parameter isRead: whether the operator computes with it; then it calls `advance` once a value is done.
  public mutating func index(isRead: Bool) -> SegmentIndex {
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

  /// A cell for values of a type, which holds none yet, and is looked at only once it does.
  public mutating func cell(for type: CELType) -> Operand { program.cell(for: type) }

  /// Says for how many values that it leaves out the operator asks beforehand.
  public mutating func asks(for count: @escaping @Sendable (SegmentCells) -> Int) {
    operators[operators.count - 1].unasked = count
  }

  /// Counts a value whose index was read.
  public mutating func advance(_ index: SegmentIndex) {
    if index.sharer == nil { program.count(index.cell) }
  }

  /// Says how the operator's state is saved and loaded.
  ///
  /// - Parameters:
  ///   - save: Returns the state of the cells.
  ///   - load: Puts a state into the cells.
  ///   - problem: Describes what is wrong with a saved state, as the end of a sentence about it ("has …"); nil if nothing
  ///     is. The snapshot may be damaged, or come from a stranger.
  public mutating func keep<State: Codable & Sendable>(
    _ save: @escaping @Sendable (SegmentCells) -> State,
    loading load: @escaping @Sendable (State, SegmentCells) -> Void,
    refusing problem: @escaping @Sendable (State) -> String? = { _ in nil }
  ) {
    operators[operators.count - 1].state = .other(TypedSegmentState(read: save, write: load, problem: problem))
  }

  /// Says that the operator's state is the index of the next value.
  public mutating func keep(_ index: SegmentIndex) { operators[operators.count - 1].state = .index(index) }

  /// What is likely of the cells, now that it is known what is stored there; nil where nothing new is known.
  var betterLikelyCells: [CELType?]? { program.betterLikelyCells }

  // MARK: Computing

  /// What an expression gives.
  ///
  /// - Parameter expression: the expression.
  /// - Parameter operand: gives the operand of a variable of the operator that the expression reads.
  public mutating func evaluate(_ expression: SegmentExpression, _ operand: (String) -> Operand?) -> Operand {
    // Cells are made before the expression is added.
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

  /// What a function of two values gives.
  ///
  /// - Parameter function: the function.
  /// - Parameter left: its first argument.
  /// - Parameter right: its second argument.
  /// - Parameter failure: what is said where it refuses them: of the two, and of the value at hand.
  public mutating func apply(
    _ function: PairFunction, _ left: Operand, _ right: Operand,
    failure: @escaping @Sendable (Value, Value, Value) -> StreamFailure
  ) -> Operand {
    sites.append(Segment.Site(operator: operators.count - 1, value: entered, teller: .function(failure)))
    return program.apply(function, left, right, site: sites.count - 1)
  }

  public mutating func constant(_ value: Value) -> Operand { program.constant(value) }

  /// Whether two values are equal, as numbers whatever their types.
  public mutating func equal(_ left: Operand, _ right: Operand) -> Operand { program.equal(left, right) }

  public mutating func store(_ operand: Operand, in cell: Operand) { program.store(operand, in: cell) }

  /// Adds one to a cell of ints.
  public mutating func count(_ cell: Operand) { program.count(cell) }

  /// Fails where a value nests more than this many levels deep; every sixteenth is looked at.
  public mutating func limitDepth(of operand: Operand, to levels: Int, every index: SegmentIndex) {
    program.limitDepth(of: operand, to: levels, every: index.cell)
  }

  // MARK: Jumps

  public mutating func label() -> ProgramLabel { program.label() }
  public mutating func place(_ label: ProgramLabel) {
    program.place(label)
    isClosed = false
  }
  public mutating func jump(to label: ProgramLabel) { program.jump(to: label) }
  public mutating func branch(unless operand: Operand, to label: ProgramLabel) {
    program.branch(unless: operand, to: label)
  }
  public mutating func branch(ifNull operand: Operand, to label: ProgramLabel) {
    program.branch(ifNull: operand, to: label)
  }

  /// Where a value goes that is left out, and in whose place another one is asked for.
  public mutating func drop() -> ProgramLabel {
    endsSharing = true
    if let dropping { return dropping }
    let label = program.label()
    dropping = label
    return label
  }

  /// Where a value goes that is left out, and was expected to be.
  public mutating func absorb() -> ProgramLabel {
    endsSharing = true
    if let absorbing { return absorbing }
    let label = program.label()
    absorbing = label
    absorbed = absorbed ?? program.cell(.int(0), .int)
    return label
  }

  /// Where a value goes that is left out and ends the stream.
  public mutating func stop() -> ProgramLabel {
    endsSharing = true
    prepareEnding()
    let label = program.label()
    stops.append((label, operators.count - 1))
    return label
  }

  /// The stream ends with the value at hand, unless one thing is true, or when another one is.
  public mutating func endWithValue(unless operand: Operand? = nil, when condition: Operand? = nil) {
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

  /// Where a value goes that makes the operator fail.
  ///
  /// - Parameter failure: what is said of it.
  public mutating func refuse(_ failure: @escaping @Sendable (Value) -> StreamFailure) -> ProgramLabel {
    refused = refused ?? program.cell(.int(0), .int)
    refusedValue = refusedValue ?? program.cell(.null)
    failures.append(Segment.Refusal(operator: operators.count - 1, failure: failure))
    let label = program.label()
    refusals.append((label, failures.count, entered))
    return label
  }

  // MARK: Keys

  /// Goes on in the row of a key: the operators behind this one keep for each key what they keep.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - slot: the slot of the variable by which the expressions of those operators read the key.
  ///   - index: counts the values, and has a cell of its own.
  ///   - limit: the most keys that there may be.
  ///   - failure: what is said of one key more: of the key, the limit and the value at hand.
  public mutating func enterRow(
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
    // A counter behind it is one for each key.
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
      ownSlots.insert(slot)
      value = program.constant(.null)
    }
    endsSharing = true
  }

  // MARK: Entries

  /// Ends the run until a timer of the operator fires.
  ///
  /// - Parameter cell: The cell of the value that the scheduler delivers; nil if it delivers none.
  public mutating func wait(delivering cell: Operand? = nil) {
    program.wait()
    isClosed = true
    delivered = cell
  }

  /// Begins the entry of a timer. Its steps use cells, but no other operands of the steps before.
  public mutating func beginEntry() {
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
  public mutating func compute(_ source: SourceStep) {
    place = source.node.pointer
    source.step.write(&self)
    place = nil
  }

  // MARK: Summaries

  /// The operator takes the value and publishes nothing until the end; `result` is what it publishes then.
  public mutating func summarize(_ result: @escaping @Sendable (SegmentCells) -> Value?) {
    operators[operators.count - 1].result = result
    if !isClosed { close(with: nil) }
  }

  /// The operator has found what it looked for: publishes it, and ends the stream.
  public mutating func found(_ result: Operand) {
    program.emit(result, isLast: true)
    isClosed = true
  }

  // MARK: Putting together

  mutating func add(_ node: PipelineNode, _ steps: Steps) {
    operators.append(SegmentOperator(node: node))
    isSummary = steps.isSummary
    entered = value
    endsSharing = false
    let (firstSite, counter) = (sites.count, sharedCounter)
    steps.write(&self)
    // An operator that counts for itself, or not at all, stands among those that share the counter: a value that it skips
    // does not come to those behind it.
    if operators[operators.count - 1].sharedCounter == nil { operators[operators.count - 1].sharedCounter = counter }
    // What an expression failed for is told by the operator's value, whether or not the expression reads it.
    if sites.count > firstSite { program.keep(entered) }
    if endsSharing { sharedCounter = nil }
  }

  /// Ends a run that has come to the last operator.
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

  /// The program behind a join.
  consuming func buildJoined() -> TupleExpression.Compiled? {
    guard let tuple else { return nil }
    return TupleExpression.Compiled(build().program, tuple)
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

  /// Writes the ends of values that do not come to the last operator.
  private mutating func placeExits() {
    // Backwards, for a value is known where the operators behind it are done with.
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
