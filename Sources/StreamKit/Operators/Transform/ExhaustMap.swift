internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes what the stream publishes that a value has started, and leaves out values that come while it runs.
  ///
  /// Finishes when upstream and the stream have finished.
  ///
  /// - SeeAlso: `flatMap`, of which this is the strategy `exhaust`; `switchMap`, which keeps the newer stream.
  public struct ExhaustMap: OperatorDefinition {
    /// The stream that a value starts: a name, or a model in place, whose expressions know the value as `outer` and its
    /// number among those that started one, from 0, as `outerIndex`.
    public var stream: InnerStream

    public init(stream: InnerStream) {
      self.stream = stream
    }
  }
}

extension Operator.ExhaustMap {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine("exhaustMap", .exhaust)
  }

  public static let spec = OperatorSpec(
    "exhaustMap",
    "Publishes what the stream publishes that a value has started, and leaves out values that come while it runs.",
    fields: [.innerStream],
    examples: [
      .marbles(
        "a second press does nothing", #"{"exhaustMap": {"stream": {"source": {"marbles": {"diagram": "x--y|"}}}}}"#,
        in: "-ab---c--|", out: "-x--y-x--y|"),
      .marbles(
        "those left out are not counted",
        #"{"exhaustMap": {"stream": {"source": {"just": {"expression": "outer + string(outerIndex)"}}, "operators": [{"delay": {"seconds": 0.002}}]}}}"#,
        in: "-ab--c---|", out: "---p---q-|", values: ["p": "a0", "q": "c1"]),
      .marbles(
        "a failure inside", #"{"exhaustMap": {"stream": {"source": {"marbles": {"diagram": "x-#"}}}}}"#, in: "-a---|",
        out: "-x-#"),
      .rejects("no stream", #"{"exhaustMap": {}}"#, .missingField, at: "/exhaustMap"),
    ])
}
