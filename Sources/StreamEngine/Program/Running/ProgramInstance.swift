public import CEL
@_spi(Engine) public import StreamCore

/// Provides an activation on demand: a host of many programs that seldom need one can create it lazily. It is always the
/// same.
package protocol ActivationProvider: AnyObject {
  var activation: Activation { get }
}

extension Activation: ActivationProvider {
  /// The activation itself.
  package var activation: Activation { self }
}

/// An instance of a program: its registers, and the contents of its cells between runs.
///
/// Used by one thread at a time. A run that stays in the typed half and calls no plan allocates nothing.
@_spi(Engine) public final class ProgramInstance {
  @usableFromInline let program: ProgramBody
  /// NB: Not retained if it owns the frame; see `keepsProvider`.
  private unowned(unsafe) let provider: any ActivationProvider
  @usableFromInline let slots: UnsafeMutablePointer<Int64>
  /// The boxed registers; the last one holds the output. Allocated when a run needs them, which many programs of
  /// scalars never do. NB: Unchecked exclusivity: a frame is used from one place at a time.
  @exclusivity(unchecked) private(set) var values: UnsafeMutablePointer<Value>
  /// The form in which the next run takes its input. A scalar is stored in the first slot.
  @usableFromInline @exclusivity(unchecked) var entry = Entry.boxed
  /// Whether the current run is in the generic half, or the next one begins there.
  @usableFromInline @exclusivity(unchecked) var isGeneric = false { didSet { chooseEntry() } }
  /// The raw value of the output's scalar type, or another kind such as `boxedOutput`.
  @exclusivity(unchecked) var outputKind = ProgramInstance.boxedOutput
  @exclusivity(unchecked) private(set) var hasValues = false
  /// Whether the host should look for a program for other likely types before the next run. Set when runs have left the
  /// typed half repeatedly; the host resets it.
  @inlinable public var needsRespecialization: Bool {
    get { hasMisfit }
    set { hasMisfit = newValue }
  }

  @usableFromInline @exclusivity(unchecked) var hasMisfit = false
  private let keepsProvider: Bool
  /// Whether all runs are in the generic half.
  private let isBaseline: Bool
  /// The number of the entry that runs.
  @exclusivity(unchecked) var runningEntry: Int32 = 0
  @exclusivity(unchecked) private var leaves: UInt32 = 0
  @exclusivity(unchecked) var outputBits: Int64 = 0
  /// NB: Retained and released explicitly, so that it is read without reference counting. A provider keeps its activation.
  @exclusivity(unchecked) private var usedActivation: Unmanaged<Activation>?
  /// The rows of a program with cells by key. Created with the first row; retained and released explicitly.
  @exclusivity(unchecked) var keyedRows: Unmanaged<KeyedRows>?
  /// State that few frames need, created on first use.
  /// NB: A pointer, so that it is read without reference counting.
  @exclusivity(unchecked) private(set) var coldState: UnsafeMutablePointer<ProgramInstanceColdState>?

  /// The kinds of outputs other than scalars: the content of the last register, the row itself, or a record of a row
  /// that is not created, whose number is in `outputBits`.
  static let boxedOutput: UInt8 = 255
  static let inputOutput: UInt8 = 254
  static let rowRecordOutput: UInt8 = 253

  /// The typed half.
  @inline(__always)
  var code: UnsafePointer<Operation> { program.code }

  /// The first cache, which precedes the values in memory; the other caches precede it.
  @inline(__always)
  var caches: UnsafeMutablePointer<ShapeCache> {
    UnsafeMutableRawPointer(values).assumingMemoryBound(to: ShapeCache.self) - 1
  }

  private var valueCount: Int { program.tables.valueCount + 1 }

  /// - Parameter program: The program to run.
  /// - Parameter activation: The variables and limits of expressions that run as their plans, and the result of
  ///   `now()`. Frames of one thread may share it.
  public convenience init(_ program: Program, activation: Activation) {
    self.init(program, activation, keepsProvider: true, isBaseline: false)
  }

  /// - Parameter program: The program to run.
  /// - Parameter provider: The provider of the activation. Must outlive the frame.
  /// - Parameter isBaseline: Whether each expression runs as its plan, once per run.
  package convenience init(_ program: Program, provider: any ActivationProvider, isBaseline: Bool = false) {
    self.init(program, provider, keepsProvider: false, isBaseline: isBaseline)
  }

  private init(_ program: Program, _ provider: any ActivationProvider, keepsProvider: Bool, isBaseline: Bool) {
    let body = program.body
    // NB: Accesses each table in place: a copy of all tables would count a dozen references.
    let slotCount = max(body.tables.slotCount, 1)
    self.program = body
    self.provider = provider
    self.keepsProvider = keepsProvider
    self.isBaseline = isBaseline
    if keepsProvider { _ = Unmanaged.passRetained(provider as AnyObject) }
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    values = UnsafeMutablePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
    for constant in body.tables.slotConstants { slots[constant.register] = constant.bits }
    if body.needsValues || isBaseline { makeValues() }
    settle()
  }

  deinit {
    keyedRows?.release()
    usedActivation?.release()
    if let coldState {
      coldState.deinitialize(count: 1)
      coldState.deallocate()
    }
    if hasValues {
      returnInput()
      values.deinitialize(count: valueCount)
      let first = caches.advanced(by: 1 - program.tables.fields.count)
      first.deinitialize(count: program.tables.fields.count)
      UnsafeMutableRawPointer(first).deallocate()
    }
    slots.deallocate()
    if keepsProvider { Unmanaged.passUnretained(provider as AnyObject).release() }
  }

  /// Creates the boxed registers if there are none yet. Until then, scalar cells are in their slots, and the other
  /// cells have their initial values.
  @inline(__always)
  func needValues() { if !hasValues { makeValues() } }

  @inline(never)
  private func makeValues() {
    let tables = program.tables
    let size = tables.fields.count * MemoryLayout<ShapeCache>.stride
    precondition(
      MemoryLayout<ShapeCache>.stride % MemoryLayout<Value>.alignment == 0, "the values after the caches are aligned")
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + valueCount * MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)
    memory.initializeMemory(as: ShapeCache.self, repeating: ShapeCache(), count: tables.fields.count)
    values = (memory + size).initializeMemory(as: Value.self, repeating: .null, count: valueCount)
    for constant in tables.valueConstants { values[constant.register] = constant.value }
    for cell in tables.cells { values[cell.boxedRegister] = cell.initial }
    hasValues = true
    chooseEntry()
  }

  @inline(__always)
  private func chooseEntry() {
    if isGeneric {
      entry = .boxed
    } else {
      entry = program.entry == .boxed && hasValues && program.inputRegister >= 0 ? .lent : program.entry
    }
  }

  /// Number of runs that have left the typed half, or begun in the generic half.
  package var leaveCount: Int { Int(leaves) }

  /// Counts a run that has left the typed half. Requests a better program seldom enough that the search costs little.
  func countLeaving() {
    guard !isBaseline else { return }
    leaves &+= 1
    let isPower = leaves & (leaves &- 1) == 0
    if leaves > 1, isPower || leaves & 4_095 == 0 { needsRespecialization = true }
  }

  /// The failure of the last run; nil if it did not fail.
  var failure: ProgramFailure? {
    get { coldState?.pointee.failure }
    set { if newValue != nil || coldState != nil { ensureColdState().pointee.failure = newValue } }
  }

  /// The input of the last run that failed.
  var failedInput: Value {
    get { coldState?.pointee.input ?? .null }
    set { ensureColdState().pointee.input = newValue }
  }

  func ensureColdState() -> UnsafeMutablePointer<ProgramInstanceColdState> {
    if let coldState { return coldState }
    let made = UnsafeMutablePointer<ProgramInstanceColdState>.allocate(capacity: 1)
    made.initialize(to: ProgramInstanceColdState())
    coldState = made
    return made
  }

  /// The activation of expressions that run as their plans.
  @inline(__always)
  var activation: Unmanaged<Activation> { usedActivation ?? useActivation() }

  @inline(never)
  private func useActivation() -> Unmanaged<Activation> {
    let used = Unmanaged.passRetained(provider.activation)
    usedActivation = used
    return used
  }

  /// Returns a frame of another program with the same activation.
  public func renewed(for program: Program) -> ProgramInstance {
    ProgramInstance(program, provider, keepsProvider: keepsProvider, isBaseline: isBaseline)
  }

  /// Returns a frame of another specialization of the program, which may also begin with other cells. Copies the
  /// contents of the common cells, and moves the rows.
  public func continued(in program: Program) -> ProgramInstance {
    let next = renewed(for: program)
    let ownCells = keyedRows == nil ? self.program.tables.cells[...] : self.program.tables.cells[..<rowStart]
    let nextCells = keyedRows == nil ? next.program.tables.cells[...] : next.program.tables.cells[..<rowStart]
    // Cells of only one of the programs precede the common cells.
    for (cell, other) in zip(nextCells.reversed(), ownCells.reversed()) {
      let content = content(of: other)
      if !content.isVacant { next.put(content, into: cell.part, cell.boxedRegister) }
    }
    next.takeRows(of: self)
    next.leaves = leaves
    return next
  }

  /// Index of the first cell that every row has.
  private var rowStart: Int { program.tables.rows?.firstCell ?? program.tables.cells.count }

  /// The program of the frame.
  public var runningProgram: Program { Program(body: program) }

  /// Whether the frame runs this program.
  public func runs(_ program: Program) -> Bool { self.program === program.body }

  /// The types of the cells' contents; nil for contents that are neither scalars nor records.
  public var likelyCells: [CELType?] {
    program.tables.cells.map { cell in
      let type = CELType.likely(content(of: cell))
      return type.flatMap { $0.isRecord || Scalar($0) != nil ? $0 : nil }
    }
  }

  func content(of cell: Cell) -> Value { content(of: cell.part, cell.boxedRegister) { cell.initial } }

  /// The output of the last run that had one.
  public var output: Value {
    if let scalar = Scalar(rawValue: outputKind) { return scalar.value(outputBits) }
    guard outputKind == Self.boxedOutput else { return makeOutput() }
    return hasValues ? values[program.tables.valueCount] : .null
  }

  /// Resets all cells to their initial values.
  public func reset() {
    for cell in program.tables.cells { put(cell.initial, into: cell.part, cell.boxedRegister) }
  }

  /// Whether all cells except some have their initial values.
  public func isAsMade(apartFrom others: [Operand]) -> Bool {
    let boxedRegisters = Set(others.map { program.tables.record(of: $0).boxedRegister })
    return program.tables.cells.allSatisfy { cell in
      let content = content(of: cell)
      // A cell that is initially vacant may have a slot.
      return boxedRegisters.contains(cell.boxedRegister) || content == cell.initial
        || cell.initial.isVacant && content.scalarBits == 0
    }
  }

  /// Returns the value of an operand: of a cell or a constant at any time, of another operand after a failed run,
  /// provided that the failed step uses it.
  public func value(of operand: Operand) -> Value {
    let record = program.tables.operands[operand.index]
    if record.boxedRegister == program.inputRegister { return failedInput }
    if !record.isCell { needValues() }
    let value = content(of: record.part, record.boxedRegister, isCell: record.isCell) {
      program.tables.cells.first { $0.boxedRegister == record.boxedRegister }?.initial ?? .null
    }
    return value.isVacant ? .null : value
  }

  /// Returns the content of a cell's slot in the typed half, otherwise of the boxed register.
  func content(of part: Part, _ boxedRegister: Int, isCell: Bool = true, initial: () -> Value) -> Value {
    if isCell, !isGeneric, case .scalar(let scalar, let slot) = part.location { return scalar.value(slots[slot]) }
    return hasValues ? values[boxedRegister] : initial()
  }

  /// Stores a value in a cell, for example when a saved state is loaded.
  public func set(_ value: Value, of cell: Operand) {
    let record = program.tables.operands[cell.index]
    precondition(record.isCell, "only a cell can be set")
    put(value, into: record.part, record.boxedRegister)
  }

  func put(_ value: Value, into part: Part, _ boxedRegister: Int) {
    if !isGeneric, case .scalar(let scalar, let slot) = part.location, Scalar(value) == scalar,
      let bits = value.scalarBits
    {
      slots[slot] = bits
      return
    }
    needValues()
    if !isGeneric { boxCells() }
    values[boxedRegister] = value
    settle()
  }

  /// Returns to the typed half if it supports the contents of all cells.
  func settle() {
    isGeneric = isBaseline
    for cell in isBaseline ? [] : program.scalarCells {
      guard hasValues else {
        slots[cell.slot] = cell.bits
        if !cell.fits { isGeneric = true }
        continue
      }
      let value = values[cell.boxedRegister]
      if Scalar(value) == cell.scalar, let bits = value.scalarBits {
        slots[cell.slot] = bits
      } else if !value.isVacant {
        isGeneric = true
      }
    }
  }

  func boxCells() {
    for cell in program.scalarCells { values[cell.boxedRegister] = cell.scalar.value(slots[cell.slot]) }
  }
}

/// State that few frames need.
struct ProgramInstanceColdState {
  /// The failure and the input of the last failed run.
  var failure: ProgramFailure?
  var input = Value.null
  /// The rows of a run, and the fields of the current row.
  /// NB: Not retained: the caller of the run keeps them alive.
  var rows: Unmanaged<LineRows>?
  var rowCells: UnsafePointer<FieldCell>?
  /// The records that the program can emit for rows without creating them.
  var outputs: UnsafePointer<OutputFields>?
}

/// An inline cache: the shape of the last record accessed, and the field's place in it; -1 if it lacks the field.
struct ShapeCache {
  /// NB: Retained, so that no other shape can get the same identity.
  var shape: Shape?
  var place = -1
}

/// The end of a run, in one byte.
struct End {
  /// The raw value of a `ProgramOutcome`, or `failed`; plus `generic` if the run ended in the generic half.
  let code: UInt8

  static let failed = End(code: 128)
  static let generic: UInt8 = 64
  /// The greatest code.
  static let last = 255

  /// Whether the run ended in the typed half without a failure.
  @inline(__always)
  var isPlain: Bool { code < Self.generic }

  @inline(__always)
  var outcome: ProgramOutcome {
    switch code & 7 {
    case 0: .dropped
    case 1: .emitted
    case 2: .finished
    case 3: .emittedLast
    default: .waiting
    }
  }
}
