internal import CEL
public import StreamCore
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
  ///   - list: the variable that is the list of all values.
  ///   - names: the variables that are the values of the streams, in their order; none where they have no names.
  /// - Returns: nil where the expression has to run as its plan: it calls a function of the host, or there are too many
  ///   streams.
  public init?(_ expression: SegmentExpression, list: String, names: [String], count: Int) {
    guard !expression.plan.callsHost, count <= Self.streamLimit else { return nil }
    self.expression = expression
    self.list = list
    self.names = names
  }

  /// The expression at work over these values to begin with.
  public func run(over values: [Value], _ answers: Answers) -> TupleRun {
    TupleRun(self, over: values, answers.stage.frame, answers.execution)
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
    let cells = types.map { builder.cell(for: $0) }
    var binding = Dictionary(uniqueKeysWithValues: zip(names, cells))
    var captures: [(slot: Int, cell: Operand)] = []
    for (slot, variable) in expression.plan.usedVariables where slot < expression.firstSlot {
      let cell = builder.cell(for: variable.type)
      binding[variable.name] = cell
      captures.append((slot, cell))
    }
    builder.emit(builder.add(expression.plan, binding: binding, lists: [list: cells]))
    let program = builder.build()
    return Compiled(
      program: program, inputs: cells.map(program.input), captures: captures.map { ($0, program.input($1)) })
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
