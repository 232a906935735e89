internal import CEL
public import StreamCore
internal import StreamProgram
internal import Synchronization

/// An expression over one value of each of several streams, compiled for the types of the values that come.
public final class TupleExpression: Sendable {
  let expression: SegmentExpression
  /// The variable that is the list of all values.
  private let list: String
  /// The variables that are the values, where they have names.
  private let names: [String]
  private let programs = Mutex<[[CELType]: Compiled]>([:])

  /// A program, and where its values come in.
  struct Compiled: Sendable {
    let program: Program
    let inputs: [CellInput]
    let captures: [(slot: Int, input: CellInput)]
  }

  /// Of so many combinations of types the programs are kept.
  private static let programLimit = 16
  /// The most streams: a program has so many registers.
  private static let streamLimit = 1_000

  /// - Parameters:
  ///   - expression: the expression over the values of all streams.
  ///   - list: the variable that is the list of all values.
  ///   - names: the variables that are the values of the streams, in their order; none where they have no names.
  ///   - count: the number of streams.
  /// - Returns: nil where the expression has to run as its plan: it calls a function of the host, or there are too many
  ///   streams.
  public init?(_ expression: SegmentExpression, list: String, names: [String], count: Int) {
    guard !expression.plan.callsHost, count <= Self.streamLimit else { return nil }
    self.expression = expression
    self.list = list
    self.names = names
  }

  /// The expression at work over these values to begin with.
  public func run(over values: [Value], _ effects: Effects) -> JoinProgramInstance {
    JoinProgramInstance(self, over: values, effects.stage.frame, effects.execution)
  }

  /// What is said of these values where the expression fails for them.
  func failure(_ error: ProgramFailure, over values: [Value]) -> StreamFailure {
    expression.failure(error.reason, for: .list(values))
  }

  /// The program for values of these types.
  func compiled(for types: [CELType]) -> Compiled {
    programs.withLock { programs in
      if let known = programs[types] { return known }
      let made = compile(for: types)
      if programs.count < Self.programLimit { programs[types] = made }
      return made
    }
  }

  private func compile(for types: [CELType]) -> Compiled {
    var builder = ProgramBuilder()
    let tuple = begin(&builder, over: types)
    builder.emit(tuple.result)
    return Compiled(builder.build(), tuple)
  }

  // MARK: Steps

  /// What the steps of a program refer to that compute the expression.
  struct Steps {
    let result: Operand
    /// The cells of the values.
    let cells: [Operand]
    /// The cells of captured variables, by their slots in an activation.
    let captures: [(slot: Int, cell: Operand)]
  }

  /// What the expression fails with in a program that goes on behind it.
  static let site = 1 << 24

  private var captured: [(slot: Int, variable: Variable)] {
    expression.plan.usedVariables.filter { $0.slot < expression.firstSlot }.map { ($0.slot, $0.variable) }
  }

  /// How many cells its steps make, over so many values.
  func cellCount(over count: Int) -> Int { count + captured.count }

  /// Adds the steps that compute it over values of these types, the first of a program.
  func begin(_ builder: inout ProgramBuilder, over types: [CELType]) -> Steps {
    let cells = types.map { builder.cell(for: $0) }
    var binding = Dictionary(uniqueKeysWithValues: zip(names, cells))
    var captures: [(slot: Int, cell: Operand)] = []
    for (slot, variable) in captured {
      let cell = builder.cell(for: variable.type)
      binding[variable.name] = cell
      captures.append((slot, cell))
    }
    let result = builder.add(expression.plan, binding: binding, lists: [list: cells], site: Self.site)
    return Steps(result: result, cells: cells, captures: captures)
  }
}

extension TupleExpression.Compiled {
  init(_ program: Program, _ steps: TupleExpression.Steps) {
    self.init(
      program: program, inputs: steps.cells.map(program.input),
      captures: steps.captures.map { ($0.slot, program.input($0.cell)) })
  }
}

extension CELType {
  /// The type of a value that can be kept without a box; else any.
  static func likely(_ value: Value) -> CELType {
    switch value {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    default: .dyn
    }
  }
}
