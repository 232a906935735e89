import StreamCore

/// A function of the library: its overloads, for the type checker and the documentation, and its implementations.
final class Function: Sendable {
  let name: String
  /// The form by which the type checker and the planner treat the function.
  let form: FunctionForm
  /// A description of the result, in one sentence without a full stop.
  let summary: String
  /// The cost of a call, in addition to the steps that its body charges.
  let cost: FunctionCost
  private let overloads: [Signature]
  /// All overloads, including those that exist for mixed numbers only.
  private let mixedOverloads: [Signature]
  /// The implementations by the number of arguments (the target of a method counts).
  let bodies: [Body]
  /// The implementations for strict numbers; nil if they do not differ.
  private let strictBodies: [Body]?
  /// The argument that is a regular expression.
  let pattern: Pattern?
  /// Index of the argument that names a time zone; nil if none does.
  let zone: Int?
  /// Whether the result may be an optional, or have one in it, although no argument has one.
  let returnsOptional: Bool

  /// A regular expression among the arguments, which is compiled once if it is a literal.
  struct Pattern: Sendable {
    /// The implementation for a pattern.
    struct Prepared: Sendable {
      /// Number of instructions of the pattern.
      let size: Int
      let body: CallNode.Body

      init(size: Int = 0, _ body: @escaping CallNode.Body) { (self.size, self.body) = (size, body) }
    }

    /// Index of the argument.
    let place: Int
    /// Prepares the implementation. The closure receives the arguments that are known before the evaluation, including
    /// the pattern; the implementation still receives all arguments.
    let prepare: @Sendable (_ pattern: String, _ known: [Value?]) throws(PatternProblem) -> Prepared
  }

  /// The implementation for one number of arguments. It checks the types of the values itself, independently of the
  /// type checker.
  enum Body: Sendable {
    case none(@Sendable (Activation) throws(EvaluationError) -> Value)
    case one(@Sendable (Value, Activation) throws(EvaluationError) -> Value)
    case two(@Sendable (Value, Value, Activation) throws(EvaluationError) -> Value)
    case three(@Sendable (Value, Value, Value, Activation) throws(EvaluationError) -> Value)
    case many(@Sendable ([Value], Activation) throws(EvaluationError) -> Value)
  }

  // NB: Never inlined, like the factories of overloads: the tables of the catalogue are static initializers, and the
  // optimizer spent a quarter of the module's compile time on the code inlined into them.
  @inline(never)
  init(
    _ name: String, _ summary: String, form: FunctionForm = .library, cost: FunctionCost = .linear,
    _ overloads: [Overload], mixed: [Overload] = [], pattern: Pattern? = nil, zone: Int? = nil, strict: [Body]? = nil,
    _ bodies: Body...
  ) {
    self.name = name
    self.form = form
    self.summary = summary
    self.cost = cost
    self.pattern = pattern
    self.zone = zone
    strictBodies = strict
    let overloads = overloads.map { $0.signature(name) }
    self.overloads = overloads
    mixedOverloads = overloads + mixed.map { $0.signature(name) }
    self.bodies = bodies
    if case .index = form { returnsOptional = false } else { returnsOptional = Self.returnsOptional(overloads) }
  }

  private static func returnsOptional(_ overloads: [Signature]) -> Bool {
    overloads.contains { $0.result.mentionsOptional }
  }

  /// A function of the host.
  init(_ declaration: FunctionDeclaration) {
    name = declaration.name
    form = .library
    summary = ""
    cost = .linear
    pattern = nil
    zone = nil
    strictBodies = nil
    overloads = declaration.overloads
    mixedOverloads = declaration.overloads
    returnsOptional = Self.returnsOptional(declaration.overloads)
    bodies =
      declaration.body.map { body in
        [
          .many { (values, activation) throws(EvaluationError) in
            let result = try body(values)
            // The size of the result is not known before the call.
            try activation.charge(.linear, result)
            return result
          }
        ]
      } ?? []
  }

  /// Returns the implementations by the number of arguments.
  func bodies(_ numbers: Numbers) -> [Body] { numbers == .strict ? strictBodies ?? bodies : bodies }

  /// Whether every parameter is a double: with mixed numbers, ints are then read as doubles.
  var takesOnlyDoubles: Bool {
    !overloads.isEmpty && overloads.allSatisfy { !$0.parameters.isEmpty && $0.parameters.allSatisfy { $0 == .double } }
  }

  func signatures(_ numbers: Numbers) -> [Signature] {
    numbers == .mixed ? mixedOverloads : overloads
  }

  /// Returns the result type of all overloads that accept these arguments, `dyn` if the types differ; nil if none does.
  func result(for given: [CELType], _ numbers: Numbers, isMember: Bool, widening: Bool = false) -> CELType? {
    let overloads = numbers == .mixed ? mixedOverloads : self.overloads
    var result: CELType?
    for index in overloads.indices where overloads[index].mayTake(given, widening: widening) {
      guard let type = overloads[index].result(for: given, isMember: isMember, widening: widening) else { continue }
      result = result.map { $0 == type ? type : .dyn } ?? type
    }
    return result
  }

  /// Parameters and result of an overload, as written in a table: `.function([.int], .string)`.
  struct Overload {
    let parameters: [CELType]
    let result: CELType
    let isMember: Bool

    @inline(never)
    static func function(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: false)
    }

    /// Returns the overload of a method, whose first parameter is the target before the dot.
    @inline(never)
    static func method(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: true)
    }

    func signature(_ name: String) -> Signature {
      Signature(name, parameters, result, isMember: isMember)
    }
  }
}
