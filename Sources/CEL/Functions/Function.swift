import StreamCore

/// A function of the library: its overloads for the checker and the reader, and what computes it.
struct Function: Sendable {
  let name: String
  /// What it does, in one sentence without a full stop.
  let summary: String
  private let overloads: [Signature]
  /// With the overloads that only mixed numbers know.
  private let mixedOverloads: [Signature]
  /// What computes it, by the number of arguments (a method's target counts).
  let bodies: [Body]

  /// The computation for one number of arguments. It checks the values' types itself, whatever the checker knew.
  enum Body: Sendable {
    case none(@Sendable (Activation) throws(EvaluationError) -> Value)
    case one(@Sendable (Value, Activation) throws(EvaluationError) -> Value)
    case two(@Sendable (Value, Value, Activation) throws(EvaluationError) -> Value)
    case three(@Sendable (Value, Value, Value, Activation) throws(EvaluationError) -> Value)
    case many(@Sendable ([Value], Activation) throws(EvaluationError) -> Value)
  }

  init(
    _ name: String, _ summary: String, _ overloads: [Overload], mixed: [Overload] = [], _ bodies: Body...
  ) {
    self.name = name
    self.summary = summary
    let overloads = overloads.map { $0.signature(name) }
    self.overloads = overloads
    mixedOverloads = overloads + mixed.map { $0.signature(name) }
    self.bodies = bodies
  }

  /// A function of the host.
  init(_ declaration: FunctionDeclaration) {
    name = declaration.name
    summary = ""
    overloads = declaration.overloads
    mixedOverloads = declaration.overloads
    bodies =
      declaration.body.map { body in
        [.many { (values, _) throws(EvaluationError) in try body(values) }]
      } ?? []
  }

  /// Whether every argument is a double: where numbers mix, ints are read as doubles then.
  var takesOnlyDoubles: Bool {
    !overloads.isEmpty && overloads.allSatisfy { !$0.parameters.isEmpty && $0.parameters.allSatisfy { $0 == .double } }
  }

  func signatures(_ numbers: Numbers) -> [Signature] {
    numbers == .mixed ? mixedOverloads : overloads
  }

  /// Parameters and result, to be written in a table: `.function([.int], .string)`.
  struct Overload {
    let parameters: [CELType]
    let result: CELType
    let isMember: Bool

    static func function(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: false)
    }

    /// The first parameter is what stands before the dot.
    static func method(_ parameters: [CELType], _ result: CELType) -> Overload {
      Overload(parameters: parameters, result: result, isMember: true)
    }

    func signature(_ name: String) -> Signature {
      Signature(name, parameters, result, isMember: isMember)
    }
  }
}
