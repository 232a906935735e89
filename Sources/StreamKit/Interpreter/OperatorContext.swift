public import CEL
public import StreamCore
internal import StreamEngine

/// The context in which an operator creates its steps or its machine.
///
/// ```swift
/// func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
///   let planned = try expression.map { expression throws(Diagnostics) in
///     try context.plan(expression, field: "expression")
///   }
///   return SmoothMachine(factor: factor, expression: planned)
/// }
/// ```
public struct OperatorContext {
  /// The type of the upstream's values.
  public let inputType: CELType
  /// The types of the joined streams, in order.
  public let joinedTypes: [CELType]
  /// The names of the joined streams that are references; nil for inline models.
  public let joinedNames: [String?]
  /// The type of the published values, set by the operator. Initially the input type; for a host's operator, unknown.
  public var outputType: CELType

  let name: String
  /// The variables of most expressions, in the order of `PlannedExpression.evaluate(_:_:index:)`.
  let valueVariables: [Variable]
  /// Location of the fields in the file.
  let pointer: JSONPointer
  /// The variables of the values that the streams around were started for.
  let captured: [Variable]
  let options: CompileOptions
  /// Records types and plans for explanations; nil if they are not needed.
  let record: CompileRecord?
  /// Memory that every parse of an expression reuses.
  let memory: ExpressionMemory
  /// The types of the file.
  var types = TypeTable.unknown
  var slotCount = 0
  /// The expressions that have been planned, for explanations.
  private(set) var planned: [CompileRecord.Planned] = []
  /// The variables of the planned expressions, by field.
  private(set) var seen: [(field: String, variables: [Variable])] = []
  /// The hooks that the operator uses.
  var usedHooks: [String] = []
  /// Number of shared streams in the pipeline.
  var sharedCount = 0

  /// Whether the operator's expressions may run as a program.
  var fuses: Bool { options.fuses && options.coverage == nil }

  /// The number of one more shared stream.
  mutating func takeSharedNumber() -> Int {
    defer { sharedCount += 1 }
    return sharedCount
  }

  /// Parses, checks and plans the expression of a field.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - field: The name of the operator's field that contains it.
  ///   - variables: The variables that it can use.
  ///   - result: The required type of the result; `dyn` for any type.
  public mutating func plan(
    _ expression: CELExpression, field: String, over variables: [Variable], result: CELType = .dyn
  ) throws(Diagnostics) -> PlannedExpression {
    if record != nil {
      seen.append((field, Self.visible(captured, under: variables) + variables))
    }
    let planned = try Self.plan(
      expression, owner: name, field: field, at: pointer, over: variables, capturing: captured, result: result,
      options: options, using: memory)
    slotCount = max(slotCount, captured.count + variables.count)
    if record != nil {
      self.planned.append(CompileRecord.Planned(field: field, expression: expression.text, plan: planned.plan))
    }
    return planned
  }

  /// Parses, checks and plans the expression of a field over `value`, an upstream value, and `index`, which counts from
  /// 0.
  public mutating func plan(
    _ expression: CELExpression, field: String, result: CELType = .dyn
  ) throws(Diagnostics) -> PlannedExpression {
    try plan(expression, field: field, over: valueVariables, result: result)
  }

  static func plan(
    _ expression: CELExpression, owner: String, field: String, at pointer: JSONPointer, over variables: [Variable],
    capturing captured: [Variable], result: CELType, options: CompileOptions, using memory: ExpressionMemory
  ) throws(Diagnostics) -> PlannedExpression {
    var environment = ExpressionEnvironment(
      variables: captured.isEmpty ? variables : visible(captured, under: variables) + variables,
      numbers: options.numbers, limits: options.expressionLimits)
    environment.unwrapsOptionals = true
    environment.declaredFunctions = options.host.expressionFunctions
    if !options.bound.isEmpty {
      environment.constants = options.bound
      options.noteParameters(in: expression)
    }
    environment.random = options.random(at: pointer.appending(field), over: variables, capturing: captured)
    environment.branches = options.coverage?.recorder(ofExpressionAt: pointer.appending(field))
    do throws(Diagnostics) {
      let plan = try expression.plan(in: environment, using: memory)
      if let log = options.remarks {
        let isKey = ["key", "on", "leftKey", "rightKey"].contains(field)
        for remark in expression.remarks(in: environment, ofKey: isKey) {
          log.add(remark.prefixed(by: pointer.appending(field)))
        }
      }
      if result == .bool, plan.resultType != .bool, plan.resultType != .dyn {
        throw Diagnostics(
          .typeMismatch, "the expression of '\(owner)' returns \(plan.resultType); it must return a bool",
          part: .text(0..<expression.text.utf8.count),
          help: plan.resultType == .nullable(.bool)
            ? "null is neither true nor false: write value.?name.orValue(false), or compare it: … == true"
            : countHelp(expression, of: owner) ?? "compare it with another value, as in value > 2")
      }
      return PlannedExpression(plan, field, of: pointer, owner: owner, firstSlot: captured.count)
    } catch {
      throw error.prefixed(by: JSONPointer([field]))
    }
  }

  /// Returns help for a number of values where a condition is expected; nil if the expression is not a number, or the
  /// operator has no field for it.
  private static func countHelp(_ expression: CELExpression, of owner: String) -> String? {
    guard let count = UInt(expression.text),
      let field = Operator.entry(named: owner)?.spec.parts.fields.first(where: {
        if case .count = $0.kind { $0.name == "count" } else { false }
      })
    else { return nil }
    return "for a number of values, write \(owner)(\(field.name): \(count)), or \"\(field.name)\": \(count) in a file"
  }

  /// The captured variables in their slots; one whose name a nearer one has loses it.
  static func visible(_ captured: [Variable], under variables: [Variable]) -> [Variable] {
    captured.enumerated().map { index, variable in
      let nearer = captured.dropFirst(index + 1) + variables
      return nearer.contains { $0.name == variable.name } ? Variable("", variable.type) : variable
    }
  }
}

/// Options for compiling models.
///
/// ```swift
/// var options = CompileOptions(host: StreamHost(operators: [Change.self]))
/// options.numbers = .strict
/// ```
public struct CompileOptions: Sendable {
  /// Whether int, uint and double mix in expressions. Default `mixed`.
  public var numbers: Numbers
  /// The limits of each expression: its size, the steps of an evaluation, and the texts and lists that one makes.
  public var expressionLimits = ExpressionLimits()
  /// Reads the file of a `{"stream": {"file": …}}`; without it such a source is an error.
  public var loader: (any StreamLoader)?
  /// Opens the file of a `{"file": …}` source; without it such a source is an error.
  public var files: (any ValueFiles)?
  /// The operators, functions and hooks of the host. Default none.
  public var host: StreamHost
  /// The seed of `random()`, instead of the file's. By default that of the file.
  public var seed: Int?
  /// Whether neighboring operators run as one program if possible. The output is the same. Default true.
  public var fuses: Bool
  /// The values of the file's parameters, by name. Each has the declared type of the parameter.
  public var parameters: [String: Value] = [:]
  /// Values of parameters from a command line, by name. They take precedence over `parameters`.
  package var arguments: [String: ParameterArgument] = [:]
  /// Whether values have times although the file declares none, because the host gives their clock.
  package var valuesHaveTimes = false
  /// The part of a partitioned file that is compiled. Default the whole.
  package var partitionPart = PartitionPart.whole
  /// The parameters that an expression can see.
  var bound = ParameterTable()
  /// Collects the names of the parameters that the file uses.
  var usedParameters: UsedParameters?
  /// Counts the text that references repeat in several streams together; nil, the default, for the bound of each stream
  /// alone.
  package var expansion: ExpansionBudget?
  /// Called now and then while a stream is compiled; a returned error ends that. Default nil.
  package var check: (@Sendable () -> Diagnostic?)?
  /// Whether definitions that nothing applies are checked. Default true.
  package var checksDefinitions = true
  /// Records the operators and branches that are exercised; nil, the default, records nothing. Recording disables
  /// fusion.
  package var coverage: CoverageRecorder?
  /// Chooses the operators to observe; nil, the default, observes none.
  package var probes: ProbePlace.Choice?
  /// Collects warnings; nil, the default, collects none.
  package var remarks: RemarkLog?
  /// Notes strings that are numbers and are ordered as text; nil, the default, notes none.
  package var textOrder: TextOrderLog?
  /// Collects the names of operators and sources to which a length of time applies; nil, the default, collects none.
  package var timedParts: FunctionLog?
  /// Collects the names of the functions that the file calls; nil, the default, collects none.
  package var calledFunctions: FunctionLog?

  public init(
    numbers: Numbers = .mixed, loader: (any StreamLoader)? = nil, files: (any ValueFiles)? = nil,
    host: StreamHost = StreamHost(),
    fuses: Bool = true
  ) {
    self.fuses = fuses
    self.host = host
    self.numbers = numbers
    self.loader = loader
    self.files = files
  }
}
