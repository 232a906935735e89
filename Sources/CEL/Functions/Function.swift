import StreamCore

/// A function of the library: its overloads for the checker and the reader, and what computes it.
final class Function: Sendable {
  let name: String
  /// What the checker and the planner know of it beyond its overloads.
  let form: FunctionForm
  /// What it does, in one sentence without a full stop.
  let summary: String
  /// Steps that a call costs in addition to those that its body charges.
  let cost: FunctionCost
  private let overloads: [Signature]
  /// With the overloads that only mixed numbers know.
  private let mixedOverloads: [Signature]
  /// What computes it, by the number of arguments (a method's target counts).
  let bodies: [Body]
  /// The same where numbers do not mix; nil where that makes no difference.
  private let strictBodies: [Body]?
  /// The argument that is a regular expression.
  let pattern: Pattern?

  /// A regular expression among the arguments, which is compiled once where the expression has it as a literal.
  struct Pattern: Sendable {
    typealias Prepared = @Sendable ([Value], Activation) throws(EvaluationError) -> Value
    /// The number of the argument.
    let place: Int
    /// Makes the computation. It gets the arguments that are known beforehand, among them the pattern; the computation
    /// still gets all of them.
    let prepare: @Sendable (_ pattern: String, _ known: [Value?]) throws(PatternProblem) -> Prepared
  }

  /// The computation for one number of arguments. It checks the values' types itself, whatever the checker knew.
  enum Body: Sendable {
    case none(@Sendable (Activation) throws(EvaluationError) -> Value)
    case one(@Sendable (Value, Activation) throws(EvaluationError) -> Value)
    case two(@Sendable (Value, Value, Activation) throws(EvaluationError) -> Value)
    case three(@Sendable (Value, Value, Value, Activation) throws(EvaluationError) -> Value)
    case many(@Sendable ([Value], Activation) throws(EvaluationError) -> Value)
  }

  // NB: never inlined, like the makers of overloads: the tables of the catalogue are static initializers, and the
  // optimizer took a quarter of the module's time for what was inlined into them.
  @inline(never)
  init(
    _ name: String, _ summary: String, form: FunctionForm = .library, cost: FunctionCost = .linear,
    _ overloads: [Overload], mixed: [Overload] = [], pattern: Pattern? = nil, strict: [Body]? = nil, _ bodies: Body...
  ) {
    self.name = name
    self.form = form
    self.summary = summary
    self.cost = cost
    self.pattern = pattern
    strictBodies = strict
    let overloads = overloads.map { $0.signature(name) }
    self.overloads = overloads
    mixedOverloads = overloads + mixed.map { $0.signature(name) }
    self.bodies = bodies
  }

  /// A function of the host.
  init(_ declaration: FunctionDeclaration) {
    name = declaration.name
    form = .library
    summary = ""
    cost = .linear
    pattern = nil
    strictBodies = nil
    overloads = declaration.overloads
    mixedOverloads = declaration.overloads
    bodies =
      declaration.body.map { body in
        [
          .many { (values, activation) throws(EvaluationError) in
            let result = try body(values)
            // The size of the result is not known before.
            try activation.charge(.linear, result)
            return result
          }
        ]
      } ?? []
  }

  /// What computes it, by the number of arguments.
  func bodies(_ numbers: Numbers) -> [Body] { numbers == .strict ? strictBodies ?? bodies : bodies }

  /// Whether every argument is a double: where numbers mix, ints are read as doubles then.
  var takesOnlyDoubles: Bool {
    !overloads.isEmpty && overloads.allSatisfy { !$0.parameters.isEmpty && $0.parameters.allSatisfy { $0 == .double } }
  }

  func signatures(_ numbers: Numbers) -> [Signature] {
    numbers == .mixed ? mixedOverloads : overloads
  }

  /// The result's type of all overloads that fit these arguments, `dyn` where they do not agree; nil if none fits.
  func result(for given: [CELType], _ numbers: Numbers, isMember: Bool, widening: Bool = false) -> CELType? {
    let overloads = numbers == .mixed ? mixedOverloads : self.overloads
    var result: CELType?
    for index in overloads.indices where overloads[index].mayTake(given, widening: widening) {
      guard let type = overloads[index].result(for: given, isMember: isMember, widening: widening) else { continue }
      result = result.map { $0 == type ? type : .dyn } ?? type
    }
    return result
  }

  /// Parameters and result, to be written in a table: `.function([.int], .string)`.
  struct Overload {
    let parameters: [CELType]
    let result: CELType
    let isMember: Bool

    @inline(never)
    static func function(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: false)
    }

    /// The first parameter is what stands before the dot.
    @inline(never)
    static func method(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: true)
    }

    func signature(_ name: String) -> Signature {
      Signature(name, parameters, result, isMember: isMember)
    }
  }
}
