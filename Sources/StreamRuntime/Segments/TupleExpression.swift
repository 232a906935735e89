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
      programs[types] = made
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

/// Such an expression at work: it keeps a value of each stream.
///
/// NB: `@unchecked`: it belongs to one machine, which is used from one place at a time.
public final class TupleRun: @unchecked Sendable {
  private let expression: TupleExpression
  private let variables: Frame
  @exclusivity(unchecked) private var types: [CELType]
  @exclusivity(unchecked) private var compiled: TupleExpression.Compiled
  @exclusivity(unchecked) private var frame: CEL.Frame
  /// How many evaluations in a row were of other types than it is compiled for.
  @exclusivity(unchecked) private var strangeCount = 0

  /// So many make it look for other types.
  private static let patience = 32

  init(_ expression: TupleExpression, over values: [Value], _ variables: Frame, _ execution: Execution) {
    self.expression = expression
    self.variables = variables
    types = values.map(CELType.likely)
    compiled = expression.compiled(for: types)
    frame = CEL.Frame(compiled.program, provider: execution)
    fill(with: values)
  }

  private func fill(with values: [Value]) {
    for capture in compiled.captures { frame.put(variables.value(inSlot: capture.slot), in: capture.input) }
    for (input, value) in zip(compiled.inputs, values) { frame.put(value, in: input) }
  }

  /// The value of each stream.
  public var values: [Value] { compiled.inputs.map(frame.content) }

  /// Puts a value in its stream's place.
  public func put(_ value: Value, at stream: Int) { frame.put(value, in: compiled.inputs[stream]) }

  /// Puts a value in its stream's place, and gives the one that was there.
  public func exchange(_ value: Value, at stream: Int) -> Value {
    frame.exchange(value, in: compiled.inputs[stream])
  }

  /// What the expression gives for the values.
  public func evaluate() throws(StreamFailure) -> Value {
    if frame.isOutOfType { lookForTypes() } else { strangeCount = 0 }
    do throws(ProgramFailure) {
      _ = try frame.runCells()
      return frame.output
    } catch {
      throw expression.expression.failure(error.reason, .list(values))
    }
  }

  /// Values of other types than before come for good: goes on with a program for those.
  @inline(never)
  private func lookForTypes() {
    strangeCount += 1
    guard strangeCount == Self.patience else { return }
    strangeCount = 0
    let values = values
    let found = values.map(CELType.likely)
    guard found != types else { return }
    types = found
    compiled = expression.compiled(for: found)
    frame = frame.renewed(for: compiled.program)
    fill(with: values)
  }
}

extension CELType {
  /// The type of a value that can be kept without a box; else any.
  fileprivate static func likely(_ value: Value) -> CELType {
    switch value {
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .bool: .bool
    default: .dyn
    }
  }
}
