public import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes the values of an array one by one, on demand.
  ///
  /// - Memory: its values.
  /// - SeeAlso: `stream`, an array of items that may have operators.
  public struct Sequence: SourceDefinition {
    /// The values to publish.
    public var values: [Value]?
    /// Returns the list of values, instead of `values`. Evaluated at each subscription.
    public var expression: CELExpression?

    public init(values: [Value]? = nil, expression: CELExpression? = nil) {
      self.values = values
      self.expression = expression
    }
  }
}

extension Source.Sequence {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    if let expression {
      let planned = try context.plan(expression, owner: "sequence", field: "expression")
      let type = try Self.elementType(of: planned.resultType, expression)
      return context.machine(ComputedSequenceMachine(expression: planned), name: "sequence", type: type)
    }
    let values = values ?? []
    guard case .list(let type) = CELType.of(.list(values)) else { return Compiler.nothing }
    return context.machine(SequenceMachine(values), name: "sequence", type: type)
  }

  private static func elementType(of type: CELType, _ expression: CELExpression) throws(Diagnostics) -> CELType {
    switch type {
    case .list(let element): return element
    case .dyn, .undetermined: return .dyn
    default:
      throw Diagnostics(
        .typeMismatch, "the expression of 'sequence' returns \(type); it must return a list",
        at: JSONPointer(["expression"]), part: .text(0..<expression.text.utf8.count),
        help: "write [\(expression.text)] for a list of one value")
    }
  }
}

/// Evaluates the expression at the subscription and keeps the list.
private struct ComputedSequenceMachine: PullSource {
  struct Place: Codable, Sendable {
    var values: [Value] = []
    var next = 0
  }

  let expression: PlannedExpression
  var state = PullState(Place())

  init(expression: PlannedExpression) { self.expression = expression }

  mutating func start(_ effects: Effects) throws(StreamFailure) {
    let result = try expression.evaluate(effects, variables: [], value: nil)
    guard case .list(let values) = result else {
      throw StreamFailure(
        .wrongResult, "the expression of 'sequence' returned \(result.describedType); it must return a list",
        pointer: expression.pointer)
    }
    state.place.values = values.elements
    if values.isEmpty { effects.finish() }
  }

  func problem(with saved: PullState<Place>) -> String? {
    let place = saved.place
    return (0...place.values.count).contains(place.next) ? nil : "is at value \(place.next) of \(place.values.count)"
  }

  func isDone(_ place: Place) -> Bool { place.next >= place.values.count }

  mutating func next(_ place: inout Place, _ effects: Effects) -> Value? {
    guard !isDone(place) else { return nil }
    place.next += 1
    return place.values[place.next - 1]
  }
}

extension Source.Sequence {
  public static let spec = OperatorSpec(
    "sequence", "Publishes the values of an array one by one, on demand.",
    memory: .constant("its values"),
    fields: [
      .optional("values", .list, "The values to publish."),
      .optional(
        "expression", .expression([]),
        "Returns the list of values, instead of `values`. Evaluated at each subscription."),
    ],
    rules: [.one(["values", "expression"])],
    examples: [
      .publishes("three values", #"{"sequence": {"values": ["a", "b", "a"]}}"#, out: "(aba|)"),
      .publishes(
        "a computed list", #"{"sequence": {"expression": "[1, 2, 3].map(x, x * x)"}}"#, out: "(abc|)",
        values: ["a": 1, "b": 4, "c": 9]),
      .publishes("no values", #"{"sequence": {"values": []}}"#, out: "|"),
      .rejects("neither values nor an expression", #"{"sequence": {}}"#, .missingField, at: "/sequence"),
      .rejects(
        "a number instead of a list", #"{"sequence": {"expression": "1 + 2"}}"#, .typeMismatch,
        at: "/sequence/expression"),
    ])
}
