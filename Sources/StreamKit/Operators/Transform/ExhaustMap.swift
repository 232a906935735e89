internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for a value, publishes its values, and drops further values of upstream until it finishes.
  ///
  /// Finishes when upstream and the running stream have finished. `outerIndex` counts only values that start a stream.
  ///
  /// - SeeAlso: `flatMap` with the strategy `exhaust`, which is the same; `switchMap`, which prefers the newer
  ///   stream.
  public struct ExhaustMap: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
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
    return FlattenMachine("exhaustMap", .exhaust, firstSlot: context.captured.count)
  }

  public static let spec = OperatorSpec(
    "exhaustMap",
    "Starts a stream for a value, publishes its values, and drops further values of upstream until it finishes.",
    fields: [.innerStream],
    examples: [
      .marbles(
        "a second value while the stream runs",
        #"{"exhaustMap": {"stream": {"source": {"marbles": {"diagram": "x--y|"}}}}}"#,
        in: "-ab---c--|", out: "-x--y-x--y|"),
      .marbles(
        "dropped values are not counted",
        #"{"exhaustMap": {"stream": {"source": {"just": {"expression": "outer + string(outerIndex)"}}, "operators": [{"delay": {"seconds": 0.002}}]}}}"#,
        in: "-ab--c---|", out: "---p---q-|", values: ["p": "a0", "q": "c1"]),
      .marbles(
        "a stream that fails", #"{"exhaustMap": {"stream": {"source": {"marbles": {"diagram": "x-#"}}}}}"#,
        in: "-a---|",
        out: "-x-#"),
      .rejects("no stream", #"{"exhaustMap": {}}"#, .missingField, at: "/exhaustMap"),
    ])
}
