internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value, cancels the previous one, and publishes the values of the newest stream.
  ///
  /// Finishes when upstream and the newest stream have finished.
  ///
  /// - SeeAlso: `flatMap` with the strategy `latest`, which is the same; `exhaustMap`, which prefers the older
  ///   stream.
  public struct SwitchMap: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
    public var stream: InnerStream

    public init(stream: InnerStream) {
      self.stream = stream
    }
  }
}

extension Operator.SwitchMap {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine("switchMap", .latest, firstSlot: context.captured.count)
  }

  public static let spec = OperatorSpec(
    "switchMap",
    "Starts a stream for each value, cancels the previous one, and publishes the values of the newest stream.",
    fields: [.innerStream],
    examples: [
      .marbles(
        "a value cancels the previous stream",
        #"{"switchMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}}}"#,
        in: "-a--b-|", out: "-x-yx-y-z|"),
      .marbles(
        "a search that a newer one cancels",
        #"{"switchMap": {"stream": {"source": {"just": {"expression": "'found ' + outer"}}, "operators": [{"delay": {"seconds": 0.002}}]}}}"#,
        in: "-ab---c---|", out: "----p---q-|", values: ["p": "found b", "q": "found c"]),
      .marbles(
        "a canceled stream cannot fail",
        #"{"switchMap": {"stream": {"source": {"marbles": {"diagram": "x--#"}}}}}"#, in: "-a-b------|", out: "-x-x--#"),
      .rejects("no stream", #"{"switchMap": {}}"#, .missingField, at: "/switchMap"),
    ])
}
