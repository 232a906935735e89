public import CEL
package import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes one of two streams, chosen by a condition at each subscription.
  ///
  /// - Failure: run-time errors of the condition.
  public struct Iif: SourceDefinition {
    /// Returns whether to publish `then`. Evaluated at each subscription.
    public var condition: CELExpression
    /// The stream if the condition is true.
    public var then: InnerStream
    /// The stream if the condition is false. By default it is empty.
    public var `else`: InnerStream?

    public init(condition: CELExpression, then: InnerStream, `else`: InnerStream? = nil) {
      self.condition = condition
      self.then = then
      self.`else` = `else`
    }
  }
}

extension Source.Iif {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    // Errors of the streams are reported even if the condition has errors.
    var streams = [context.stream(then.reference, field: "then")]
    if let `else` { streams.append(context.stream(`else`.reference, field: "else")) }
    let planned = try context.plan(condition, owner: "iif", field: "condition", result: .bool)
    let type = streams.dropFirst().reduce(streams[0].type) { $0.joined(with: $1.type) }
    return context.machine(
      IifMachine(condition: planned, hasElse: streams.count > 1), name: "iif", type: type,
      upstreams: streams.map(\.node))
  }
}

private struct IifMachine: Machine {
  let condition: PlannedExpression
  let hasElse: Bool
  /// The port of the chosen stream.
  var state = 0

  func problem(with saved: Int) -> String? { saved == 0 || saved == 1 ? nil : "has chosen stream \(saved)" }

  mutating func start(_ effects: Effects) throws(StreamFailure) {
    let result = try condition.evaluate(effects, variables: [], value: nil)
    state = try condition.truth(of: result, for: nil) ? 0 : 1
    if state == 0 || hasElse { effects.subscribe(to: state) } else { effects.finish() }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }

  mutating func request(_ demand: Demand, _ effects: Effects) { effects.request(demand, from: state) }
}

extension Source.Iif {
  public static let spec = OperatorSpec(
    "iif", "Publishes one of two streams, chosen by a condition at each subscription.",
    fields: [
      .required("condition", .expression([]), "Returns whether to publish `then`. Evaluated at each subscription."),
      .required("then", .stream, "The stream if the condition is true."),
      .optional("else", .stream, "The stream if the condition is false. By default it is empty."),
    ],
    examples: [
      .joins(
        "the condition is true", #"{"iif": {"condition": "1 < 2", "then": "a", "else": "b"}}"#, in: ["-a-a|", "-b-b|"],
        out: "-a-a|"),
      .joins(
        "the condition is false", #"{"iif": {"condition": "1 > 2", "then": "a", "else": "b"}}"#,
        in: ["-a-a|", "-b-b#"],
        out: "-b-b#"),
      .publishes(
        "no `else`", #"{"iif": {"condition": "1 > 2", "then": {"source": {"just": {"value": 1}}}}}"#, out: "|"),
      .rejects(
        "a condition that returns a number", #"{"iif": {"condition": "1 + 2", "then": "a"}}"#, .typeMismatch,
        at: "/iif/condition"),
      .rejects(
        "an unknown stream", #"{"iif": {"condition": "true", "then": "x"}}"#, .unknownStream,
        at: "/iif/then"),
    ])
}
