package import StreamCore

/// Neighboring operators compiled into one program. Immutable, shared by all executions.
final class Segment: Sendable {
  /// An expression or function of the program: its operator, the operator's input, and the description of its failures.
  struct Site: Sendable {
    let `operator`: Int
    let value: Operand
    let teller: Teller
    /// The location of the expression, if it is not the operator's.
    var pointer: JSONPointer?

    /// The provider of a failure's description.
    enum Teller: Sendable {
      case expression(any SegmentExpression)
      /// Returns the failure of a function for the two values that it refused and the operator's input.
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

  /// The failure of an operator that does not accept a value.
  struct Refusal: Sendable {
    let `operator`: Int
    let failure: @Sendable (Value) -> StreamFailure
  }

  let program: Program
  /// The operators from the first, which receives the input, to the last, which publishes.
  let operators: [SegmentOperator]
  private let advanceRequests: [@Sendable (SegmentCells) -> Int]
  let sites: [Site]
  let refusals: [Refusal]
  /// The cells of captured variables, by their slots in an activation.
  let captures: [(slot: Int, cell: Operand)]
  /// The cell of the number of the operator that has ended the stream, from 1.
  let ending: Operand?
  /// The cell of the flag that a value was dropped as expected.
  let absorbed: Operand?
  /// The cells of the number of a refusal, from 1, and of the refused value.
  let refused: Operand?
  let refusedValue: Operand?
  /// Whether the last operator publishes only at the end.
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
    advanceRequests = operators.compactMap(\.unasked)
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

  /// Returns the number of values that its operators have yet to drop, and request in advance.
  func unasked(_ cells: SegmentCells) -> Demand { advanceRequests.reduce(.none) { $0 + Demand($1(cells)) } }
}

/// An operator within a segment.
struct SegmentOperator: Sendable {
  /// Its name, location and error policy.
  let node: PipelineNode
  /// The counter shared by its neighbors, and possibly by the operator itself.
  var sharedCounter: Operand?
  /// The number of values that the operator has received, where it also counts those that it skips.
  var received: SegmentIndex?
  /// The state kept in cells.
  var state = State.none
  /// The output of a summarizing operator at the end of a segment.
  var result: (@Sendable (SegmentCells) -> Value?)?
  /// Returns the number of values that the operator has yet to drop and requests in advance; nil for other operators.
  var unasked: (@Sendable (SegmentCells) -> Int)?

  /// The state of an operator, as it is saved and loaded.
  enum State: Sendable {
    case none
    /// The index of the next value, as in many operators.
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

  /// Loads a saved state; throws a diagnostic if it is invalid.
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
  /// The state, which is measured by reflection.
  func content(_ cells: SegmentCells) -> Any
  /// Loads a saved state into the cells. If the state is invalid, returns a description of its error and leaves the
  /// cells unchanged.
  func load(_ value: Value, _ cells: SegmentCells) throws(Diagnostic) -> String?
  func unansweredDemand(_ cells: SegmentCells) -> Demand?
  func copy(_ source: SegmentCells, to other: any SegmentState, _ target: SegmentCells)
}

/// A state of a type that the operator defines.
struct TypedSegmentState<State: Codable & Sendable>: SegmentState {
  let read: @Sendable (SegmentCells) -> State
  let write: @Sendable (State, SegmentCells) -> Void
  let problem: @Sendable (State) -> String?

  func save(_ cells: SegmentCells) throws -> Value { try ValueEncoder().encode(read(cells)) }

  func content(_ cells: SegmentCells) -> Any { read(cells) }

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

/// The number of values that an operator of a segment has received.
package struct SegmentIndex: Sendable {
  /// The cell of the counter, as an operand.
  package let cell: Operand
  /// The operator that shares the counter with its neighbors; nil if the counter is its own.
  let sharer: Int?
  var isFirstSharer = false

  /// Whether the operator counts its own values: it computes with the index, and advances it for each value.
  package var isOwn: Bool { sharer == nil }
}

/// The cells of a running segment, for saving and loading the state of its operators.
package struct SegmentCells {
  let stage: SegmentStage

  package subscript(cell: Operand) -> Value {
    get { stage.run.value(of: cell) }
    nonmutating set { stage.run.set(newValue, of: cell) }
  }

  /// Returns the content of a cell of ints; 0 for other types.
  package func int(_ cell: Operand) -> Int64 {
    if case .int(let number) = self[cell] { number } else { 0 }
  }

  package subscript(index: SegmentIndex) -> Int64 {
    get { int(index.cell) - (index.sharer.map(stage.deficit) ?? 0) }
    nonmutating set {
      if index.sharer == nil || index.isFirstSharer {
        self[index.cell] = .int(newValue)
      } else if let sharer = index.sharer {
        stage.setDeficit(int(index.cell) - newValue, of: sharer)
      }
    }
  }

  /// The demand and the result of a summary.
  package var summary: SegmentSummary {
    get { stage.summary }
    nonmutating set { stage.summary = newValue }
  }

  /// Whether the segment has requested any values.
  package var hasAsked: Bool {
    get { stage.hasAsked }
    nonmutating set { stage.hasAsked = newValue }
  }
}

/// The single result of a summarizing segment. The result and the completion are held until there is demand.
package struct SegmentSummary: Sendable {
  package var demand = Demand.none
  /// Whether the result is known, but there is no demand yet.
  package var isWaiting = false
  package var result: Value?

  package init(demand: Demand = .none, isWaiting: Bool = false, result: Value? = nil) {
    self.demand = demand
    self.isWaiting = isWaiting
    self.result = result
  }
}
