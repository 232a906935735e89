internal import CEL
internal import StreamCore
internal import Synchronization

/// An expression over one value of each of several streams, compiled for the types of the values that arrive.
package final class TupleExpression: Sendable {
  let expression: any SegmentExpression
  /// The variable for the list of all values.
  private let list: String
  /// The variables of the individual values, if they have names.
  private let names: [String]
  /// The number of streams.
  let count: Int
  private let programs = Mutex<[[CELType]: Compiled]>([:])

  /// A program and its input cells.
  struct Compiled: Sendable {
    let program: Program
    let inputs: [CellInput]
    let captures: [(slot: Int, input: CellInput)]
  }

  /// The maximum number of type combinations with cached programs.
  private static let programLimit = 16
  /// The maximum number of streams, limited by the registers of a program.
  private static let streamLimit = 1_000

  /// - Parameters:
  ///   - expression: The expression over the values of all streams.
  ///   - list: The variable for the list of all values.
  ///   - names: The variables for the values of the streams, in order; empty if they have no names.
  ///   - count: The number of streams.
  /// - Returns: nil if the expression has to run as its plan because it calls a function of the host, or there are too
  ///   many streams.
  package init?(_ expression: any SegmentExpression, list: String, names: [String], count: Int) {
    guard !expression.plan.callsHost, count <= Self.streamLimit else { return nil }
    self.expression = expression
    self.list = list
    self.names = names
    self.count = count
  }

  /// Returns the failure of the expression for these values.
  func failure(_ error: ProgramFailure, over values: [Value]) -> StreamFailure {
    expression.failure(error.reason, for: .list(values))
  }

  /// Returns the program for values of these types.
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
    builder.emit(builder.add(expression.plan, binding: binding, lists: [list: cells], site: 0))
    let program = builder.build()
    return Compiled(
      program: program, inputs: cells.map(program.input), captures: captures.map { ($0.slot, program.input($0.cell)) })
  }
}

extension CELType {
  /// Returns the type of a value that can be stored unboxed; `.dyn` for other values.
  static func unboxed(_ value: Value) -> CELType {
    switch value {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    default: .dyn
    }
  }
}
