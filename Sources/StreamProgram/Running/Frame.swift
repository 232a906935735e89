public import CEL
public import StreamCore

/// Has an activation for those who need one: whoever runs many programs that seldom do makes it late.
public protocol ActivationProvider: AnyObject {
  var activation: Activation { get }
}

extension Activation: ActivationProvider {
  /// The activation itself.
  public var activation: Activation { self }
}

/// One running copy of a program: its registers, and what its cells hold from one run to the next.
///
/// One thread at a time. Nothing is allocated by a run that stays in the typed half and calls no plan.
public final class Frame {
  @usableFromInline let program: ProgramBody
  /// NB: not counted where it owns the frame, see `keepsProvider`.
  private unowned(unsafe) let provider: any ActivationProvider
  @usableFromInline let slots: UnsafeMutablePointer<Int64>
  /// The last one holds the output. NB: unchecked exclusivity: a frame is used from one place at a time. Of no memory until a run needs them: many programs of scalars never do.
  @exclusivity(unchecked) private(set) var values: UnsafeMutablePointer<Value>
  /// How the next run takes its input. A scalar comes into the first slot.
  @usableFromInline @exclusivity(unchecked) var entry = Entry.boxed
  /// Whether the run is, or the next one begins, in the generic half.
  @usableFromInline @exclusivity(unchecked) var isGeneric = false { didSet { chooseEntry() } }
  /// The scalar that the output is, by its number, or `boxedOutput`.
  @exclusivity(unchecked) var outputKind = Frame.boxedOutput
  @exclusivity(unchecked) private(set) var hasValues = false
  /// Whether another program, for other likely types, should be looked for before the next run. Set when runs have left
  /// the typed half again and again; whoever looks takes it back.
  @inlinable public var needsRespecialization: Bool {
    get { hasMisfit }
    set { hasMisfit = newValue }
  }

  @usableFromInline @exclusivity(unchecked) var hasMisfit = false
  private let keepsProvider: Bool
  /// Whether all runs are in the generic half.
  private let isBaseline: Bool
  @exclusivity(unchecked) private var leaves: UInt32 = 0
  @exclusivity(unchecked) var outputBits: Int64 = 0
  /// The rows of a program that keeps cells by key; counted by hand. Made for the first row.
  @exclusivity(unchecked) var keyedRows: Unmanaged<KeyedRows>?
  /// Made for the first need.
  /// NB: by pointer, so that it is looked at without counting references.
  @exclusivity(unchecked) private(set) var aside: UnsafeMutablePointer<FrameAside>?

  /// What a run has given, where that is no scalar: what is in the last register, a record that has not been made, whose
  /// number `outputBits` is, the row itself, or such a record of a row.
  static let boxedOutput: UInt8 = 255
  static let recordOutput: UInt8 = 254
  static let inputOutput: UInt8 = 253
  static let rowRecordOutput: UInt8 = 252

  /// The typed half.
  @inline(__always)
  var code: UnsafePointer<Operation> { program.code }

  /// The first cache, in the memory before the values; the others stand before it.
  @inline(__always)
  var caches: UnsafeMutablePointer<ShapeCache> {
    UnsafeMutableRawPointer(values).assumingMemoryBound(to: ShapeCache.self) - 1
  }

  private var valueCount: Int { program.tables.valueCount + 1 }

  /// - Parameter program: the program to run.
  /// - Parameter activation: holds the variables of expressions that run as their plan, their limits, and what `now()`
  ///   returns. Frames of one thread may share it.
  public convenience init(_ program: Program, activation: Activation) {
    self.init(program, activation, keepsProvider: true, isBaseline: false)
  }

  /// - Parameter program: the program to run.
  /// - Parameter provider: has the activation, if it comes to be needed. Must live longer than the frame.
  /// - Parameter isBaseline: whether each expression runs as its plan, once for each run.
  public convenience init(_ program: Program, provider: any ActivationProvider, isBaseline: Bool = false) {
    self.init(program, provider, keepsProvider: false, isBaseline: isBaseline)
  }

  private init(_ program: Program, _ provider: any ActivationProvider, keepsProvider: Bool, isBaseline: Bool) {
    let body = program.body
    // NB: table by table: a copy of them all would count a dozen references.
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
    if let aside {
      aside.deinitialize(count: 1)
      aside.deallocate()
    }
    if hasValues {
      giveBack()
      values.deinitialize(count: valueCount)
      let first = caches.advanced(by: 1 - program.tables.fields.count)
      first.deinitialize(count: program.tables.fields.count)
      UnsafeMutableRawPointer(first).deallocate()
    }
    slots.deallocate()
    if keepsProvider { Unmanaged.passUnretained(provider as AnyObject).release() }
  }

  /// Makes the boxed registers, if there are none yet. Until then the cells that are scalars are in their slots, and the
  /// others hold what they began with.
  @inline(__always)
  func needValues() { if !hasValues { makeValues() } }

  @inline(never)
  private func makeValues() {
    let tables = program.tables
    let size = tables.fields.count * MemoryLayout<ShapeCache>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + valueCount * MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)
    memory.initializeMemory(as: ShapeCache.self, repeating: ShapeCache(), count: tables.fields.count)
    values = (memory + size).initializeMemory(as: Value.self, repeating: .null, count: valueCount)
    for constant in tables.valueConstants { values[constant.register] = constant.value }
    for cell in tables.cells { values[cell.home] = cell.initial }
    hasValues = true
    chooseEntry()
  }

  @inline(__always)
  private func chooseEntry() {
    if isGeneric {
      entry = .boxed
    } else {
      entry = program.entry == .boxed && hasValues && program.inputHome >= 0 ? .lent : program.entry
    }
  }

  /// How many runs have left the typed half, or begun in the generic one.
  var leaveCount: Int { Int(leaves) }

  /// Counts a run that has left, and says seldom enough that looking for a better program costs little.
  func countLeaving() {
    guard !isBaseline else { return }
    leaves &+= 1
    let isPower = leaves & (leaves &- 1) == 0
    if leaves > 1, isPower || leaves & 4_095 == 0 { needsRespecialization = true }
  }

  /// Why the last run failed, if it did.
  var failure: ProgramFailure? {
    get { aside?.pointee.failure }
    set { if newValue != nil || aside != nil { madeAside.pointee.failure = newValue } }
  }

  /// The input of the last run that failed.
  var failedInput: Value {
    get { aside?.pointee.input ?? .null }
    set { madeAside.pointee.input = newValue }
  }

  var madeAside: UnsafeMutablePointer<FrameAside> {
    if let aside { return aside }
    let made = UnsafeMutablePointer<FrameAside>.allocate(capacity: 1)
    made.initialize(to: FrameAside())
    aside = made
    return made
  }

  /// For what runs as its plan.
  var activation: Activation { provider.activation }

  /// A frame of another program, for the same activation.
  public func renewed(for program: Program) -> Frame {
    Frame(program, provider, keepsProvider: keepsProvider, isBaseline: isBaseline)
  }

  /// A frame of a program that was made by the same steps for other likely types, or begins with other cells, with what
  /// the cells hold.
  public func continued(in program: Program) -> Frame {
    let next = renewed(for: program)
    let ownCells = keyedRows == nil ? self.program.tables.cells[...] : self.program.tables.cells[..<rowStart]
    let nextCells = keyedRows == nil ? next.program.tables.cells[...] : next.program.tables.cells[..<rowStart]
    // Cells that only one of them has come before those of both.
    for (cell, other) in zip(nextCells.reversed(), ownCells.reversed()) {
      let content = content(of: other)
      if !content.isVacant { next.put(content, into: cell.part, cell.home) }
    }
    next.takeRows(of: self)
    next.leaves = leaves
    return next
  }

  /// The first cell that each row has for itself.
  private var rowStart: Int { program.tables.rows?.firstCell ?? program.tables.cells.count }

  /// The program that it runs.
  public var runningProgram: Program { Program(body: program) }

  /// Whether it runs this program.
  public func runs(_ program: Program) -> Bool { self.program === program.body }

  /// The types of what the cells hold; nil for others than scalars.
  public var likelyCells: [CELType?] { program.tables.cells.map { Scalar(content(of: $0))?.type } }

  func content(of cell: Cell) -> Value { content(of: cell.part, cell.home) { cell.initial } }

  /// What the last run that had a value ended with.
  public var output: Value {
    if let scalar = Scalar(rawValue: outputKind) { return scalar.value(outputBits) }
    if outputKind == Self.recordOutput { return program.outputs.fields[Int(outputBits)].record(values, slots) }
    guard outputKind == Self.boxedOutput else { return makeOutput() }
    return hasValues ? values[program.tables.valueCount] : .null
  }

  /// Has all cells hold what they began with.
  public func reset() {
    for cell in program.tables.cells { put(cell.initial, into: cell.part, cell.home) }
  }

  /// Whether all cells but some hold what they began with.
  public func isAsMade(apartFrom others: [Operand]) -> Bool {
    let homes = Set(others.map { program.tables.record(of: $0).home })
    return program.tables.cells.allSatisfy { cell in
      let content = content(of: cell)
      // A cell that is vacant at first may have a slot.
      return homes.contains(cell.home) || content == cell.initial
        || cell.initial.isVacant && content.scalarBits == 0
    }
  }

  /// What an operand holds: a cell or a constant at any time, another operand after a run that failed, provided that the
  /// step that failed uses it.
  public func value(of operand: Operand) -> Value {
    let record = program.tables.operands[operand.index]
    if record.home == program.inputHome { return failedInput }
    if !record.isCell { needValues() }
    let value = content(of: record.part, record.home, isCell: record.isCell) {
      program.tables.cells.first { $0.home == record.home }?.initial ?? .null
    }
    return value.isVacant ? .null : value
  }

  /// What a register at home there holds.
  func content(of part: Part, _ home: Int, isCell: Bool = true, initial: () -> Value) -> Value {
    if isCell, !isGeneric, case .scalar(let scalar, let slot) = part.location { return scalar.value(slots[slot]) }
    return hasValues ? values[home] : initial()
  }

  /// Puts a value into a cell, as when a saved state is loaded.
  public func set(_ value: Value, of cell: Operand) {
    let record = program.tables.operands[cell.index]
    precondition(record.isCell, "only a cell can be set")
    put(value, into: record.part, record.home)
  }

  func put(_ value: Value, into part: Part, _ home: Int) {
    if !isGeneric, case .scalar(let scalar, let slot) = part.location, Scalar(value) == scalar,
      let bits = value.scalarBits
    {
      slots[slot] = bits
      return
    }
    needValues()
    if !isGeneric { cellsToHomes() }
    values[home] = value
    settle()
  }

  /// The typed half goes on when every cell holds what it is made for.
  func settle() {
    isGeneric = isBaseline
    for cell in isBaseline ? [] : program.scalarCells {
      guard hasValues else {
        slots[cell.slot] = cell.bits
        if !cell.fits { isGeneric = true }
        continue
      }
      let value = values[cell.home]
      if Scalar(value) == cell.scalar, let bits = value.scalarBits {
        slots[cell.slot] = bits
      } else if !value.isVacant {
        isGeneric = true
      }
    }
  }

  func cellsToHomes() {
    for cell in program.scalarCells { values[cell.home] = cell.scalar.value(slots[cell.slot]) }
  }
}

/// What few frames need.
struct FrameAside {
  /// What a run that fails leaves behind.
  var failure: ProgramFailure?
  var input = Value.null
  /// The rows of a run, and the fields of the one at work.
  /// NB: not counted: whoever runs the frame keeps them for as long.
  var rows: Unmanaged<LineRows>?
  var rowCells: UnsafePointer<FieldCell>?
  /// The records that the program may give.
  var outputs: UnsafePointer<OutputFields>?
  /// The columns whose remaining rows are run one by one; nil if there are none, or if the cells hold the values of the
  /// current run.
  /// NB: their memory is lent for as long as these runs take.
  var columns: Columns?
  /// The place among the columns of the run at work.
  var columnRow = 0
  /// How many inputs there have been up to the run at work, once `columns` is nil.
  var columnInputs = 0
}

/// The shape that an access saw last, and the field's place in it; -1 where it has none.
struct ShapeCache {
  /// NB: kept alive here, so that another shape cannot come to have its identity.
  var shape: Shape?
  var place = -1
}

/// How a run ended, in one byte.
struct End {
  /// A `ProgramOutcome`, or `failed`; with `generic` added where the run ended in the generic half.
  let code: UInt8

  static let failed = End(code: 128)
  static let generic: UInt8 = 64
  /// No code is greater.
  static let last = 255

  /// Whether nothing is to be done but to return.
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
