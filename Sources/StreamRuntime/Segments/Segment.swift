public import StreamCore
public import StreamProgram

/// Neighboring operators compiled into one program. Immutable, shared by all executions.
final class Segment: Sendable {
  /// An expression of the program: whose it is, what came to that operator, and what is said when it fails.
  struct Site: Sendable {
    let `operator`: Int
    let value: Operand
    let teller: Teller
    /// The location of the expression, if it is not the operator's.
    var pointer: JSONPointer?

    /// Who says what it failed for.
    enum Teller: Sendable {
      case expression(SegmentExpression)
      /// Of a function: of the two values that it refused, and the one that came.
      case function(@Sendable (Value, Value, Value) -> StreamFailure)
    }

    func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure {
      switch teller {
      case .expression(let expression): return expression.failure(reason, for: value)
      case .function(let failure):
        guard case .refused(let left, let right) = reason else {
          return StreamFailure(.expressionFailed, "the function failed", value: value)
        }
        return failure(left, right, value)
      }
    }
  }

  /// What is said of a value that an operator does not take.
  struct Refusal: Sendable {
    let `operator`: Int
    let failure: @Sendable (Value) -> StreamFailure
  }

  let program: Program
  /// From the one that hears upstream to the one that speaks.
  let operators: [SegmentOperator]
  let sites: [Site]
  let refusals: [Refusal]
  /// The cells of captured variables, by their slots in an activation.
  let captures: [(slot: Int, cell: Operand)]
  /// The cell that tells which operator has ended the stream, counted from 1.
  let ending: Operand?
  /// The cell that tells that a value was left out as expected.
  let absorbed: Operand?
  /// The cells that tell which refusal it was, counted from 1, and of which value.
  let refused: Operand?
  let refusedValue: Operand?
  /// Whether the last operator publishes at the end alone.
  let isSummary: Bool
  /// The cells of inner streams that run one after another, if the first operator starts such streams.
  let serial: SerialCells?
  /// The cell of the value that the scheduler delivers, if it delivers values.
  let delivered: Operand?
  /// Whether an operator before an entry may end the stream.
  let endsBeforeEntry: Bool

  init(
    program: Program, operators: [SegmentOperator], sites: [Site], refusals: [Refusal],
    captures: [(slot: Int, cell: Operand)], ending: Operand?, absorbed: Operand?, refused: Operand?,
    refusedValue: Operand?, isSummary: Bool, serial: SerialCells? = nil,
    delivered: Operand? = nil, endsBeforeEntry: Bool = false
  ) {
    self.program = program
    self.operators = operators
    self.sites = sites
    self.refusals = refusals
    self.captures = captures
    self.ending = ending
    self.absorbed = absorbed
    self.refused = refused
    self.refusedValue = refusedValue
    self.isSummary = isSummary
    self.serial = serial
    self.delivered = delivered
    self.endsBeforeEntry = endsBeforeEntry
  }
}

/// An operator within a segment.
struct SegmentOperator: Sendable {
  /// Its name, location and error policy.
  let node: PipelineNode
  /// The counter that its neighbors share, and perhaps itself.
  var sharedCounter: Operand?
  /// The state that it keeps in cells.
  var state = State.none
  /// The output of a summarizing operator at the end of a segment.
  var result: (@Sendable (SegmentCells) -> Value?)?
  /// Of an operator that leaves out values for which it asks beforehand: how many there are still.
  var unasked: (@Sendable (SegmentCells) -> Int)?

  /// How what an operator keeps is saved and loaded.
  enum State: Sendable {
    case none
    /// The index of the next value, as many operators keep.
    case index(SegmentIndex)
    case other(any SegmentState)
  }

  init(node: PipelineNode) { self.node = node }

  func save(_ cells: SegmentCells) throws -> Value {
    switch state {
    case .none: try ValueEncoder().encode(Stateless())
    case .index(let index): try ValueEncoder().encode(cells[index])
    case .other(let state): try state.save(cells)
    }
  }

  /// Takes up a saved state, unless something is wrong with it.
  func load(_ value: Value, _ cells: SegmentCells) throws(Diagnostic) {
    var problem: String?
    switch state {
    case .none: break
    case .index(let index):
      let saved = try ValueDecoder().decode(Int64.self, from: value)
      if saved.isCount { cells[index] = saved } else { problem = "counts to \(saved)" }
    case .other(let state): problem = try state.load(value, cells)
    }
    if let problem { throw Execution.mismatch("the state of its '\(node.name)' \(problem)") }
  }

  /// The demand that it has not answered yet; nil if it does not count demand.
  func unansweredDemand(_ cells: SegmentCells) -> Demand? {
    if case .other(let state) = state { state.unansweredDemand(cells) } else { nil }
  }

  /// Copies the state to the same operator in another program, without the validation of a saved state.
  func copyState(_ source: SegmentCells, to other: SegmentOperator, _ target: SegmentCells) {
    switch (state, other.state) {
    case (.index(let index), .index(let otherIndex)): target[otherIndex] = source[index]
    case (.other(let state), .other(let otherState)): state.copy(source, to: otherState, target)
    default: break
    }
  }
}

/// The state of an operator in the cells of a program.
protocol SegmentState: Sendable {
  func save(_ cells: SegmentCells) throws -> Value
  /// Puts a saved state into the cells. Returns a description of its error, if it has one, and leaves the cells then.
  func load(_ value: Value, _ cells: SegmentCells) throws(Diagnostic) -> String?
  func unansweredDemand(_ cells: SegmentCells) -> Demand?
  func copy(_ source: SegmentCells, to other: any SegmentState, _ target: SegmentCells)
}

/// A state of a type of the operator.
struct TypedSegmentState<State: Codable & Sendable>: SegmentState {
  let read: @Sendable (SegmentCells) -> State
  let write: @Sendable (State, SegmentCells) -> Void
  let problem: @Sendable (State) -> String?

  func save(_ cells: SegmentCells) throws -> Value { try ValueEncoder().encode(read(cells)) }

  func load(_ value: Value, _ cells: SegmentCells) throws(Diagnostic) -> String? {
    let saved = try ValueDecoder().decode(State.self, from: value)
    if let problem = problem(saved) { return problem }
    write(saved, cells)
    return nil
  }

  func unansweredDemand(_ cells: SegmentCells) -> Demand? { Stage.unansweredDemand(in: read(cells)) }

  func copy(_ source: SegmentCells, to other: any SegmentState, _ target: SegmentCells) {
    // An operator has one type of state in all programs.
    (other as? TypedSegmentState)?.write(read(source), target)
  }
}

/// The number of values that have come to an operator of a segment.
public struct SegmentIndex: Sendable {
  /// What counts, to compute with.
  public let cell: Operand
  /// The operator that shares the counter with its neighbors; nil for one of its own.
  let sharer: Int?
  var isFirstSharer = false

  /// Whether the operator counts for itself: it computes with the index, and says when a value is done.
  public var isOwn: Bool { sharer == nil }
}

/// What the operators of a running segment keep, for saving and loading it.
public struct SegmentCells {
  let stage: SegmentStage

  public subscript(cell: Operand) -> Value {
    get { stage.run.value(of: cell) }
    nonmutating set { stage.run.set(newValue, of: cell) }
  }

  /// What a cell of ints holds.
  public func int(_ cell: Operand) -> Int64 {
    if case .int(let number) = self[cell] { number } else { 0 }
  }

  public subscript(index: SegmentIndex) -> Int64 {
    get { int(index.cell) - (index.sharer.map(stage.deficit) ?? 0) }
    nonmutating set {
      if index.sharer == nil || index.isFirstSharer {
        self[index.cell] = .int(newValue)
      } else if let sharer = index.sharer {
        stage.setDeficit(int(index.cell) - newValue, of: sharer)
      }
    }
  }

  /// What a summary waits for.
  public var summary: SegmentSummary {
    get { stage.summary }
    nonmutating set { stage.summary = newValue }
  }

  /// Whether anything has been asked for.
  public var hasAsked: Bool {
    get { stage.hasAsked }
    nonmutating set { stage.hasAsked = newValue }
  }
}

/// The one result of a segment that summarizes: held until somebody has asked for a value, as is the finish.
public struct SegmentSummary: Sendable {
  public var demand = Demand.none
  /// Whether all is known, and nobody has asked yet.
  public var isWaiting = false
  public var result: Value?

  public init(demand: Demand = .none, isWaiting: Bool = false, result: Value? = nil) {
    self.demand = demand
    self.isWaiting = isWaiting
    self.result = result
  }
}
