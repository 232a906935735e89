internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Continues with another stream when upstream fails.
  ///
  /// The other stream gets the demand that is still unmet. Its own failure is final.
  ///
  /// - SeeAlso: `replaceError`, for one value; `retry`, which subscribes to upstream again.
  public struct Catch: OperatorDefinition, ExercisedFields {
    /// The stream to continue with. Its expressions see the failure as `error`: the value that the file gave, or else
    /// an object with `code` and `message`.
    public var stream: InnerStream

    public init(stream: InnerStream) {
      self.stream = stream
    }
  }
}

extension Operator.Catch {
  public var joined: [JoinedStream] { [stream.joined(capturing: [.fixed("error", .dyn)])] }
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: [0, 1], after: .failure)
  }

  package static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "catch", "Continues with another stream when upstream fails.",
    fields: [
      .required(
        "stream", .stream,
        "The stream to continue with. Its expressions see the failure as `error`: the value that the file gave, or "
          + "else an object with `code` and `message`.")
    ],
    examples: [
      .joins("another stream", #"{"catch": {"stream": "b"}}"#, in: ["-a-#", "-x--y-|"], out: "-a--y-|"),
      .marbles(
        "an expression that uses the error",
        #"{"catch": {"stream": {"source": {"just": {"expression": "'no ' + error"}}}}}"#,
        in: "-a-#", out: "-a-('no error'|)"),
      .marbles(
        "the other stream fails, too", #"{"catch": {"stream": {"source": {"fail": {"error": "x"}}}}}"#, in: "-a-#",
        out: "-a-#"),
      .marbles("no failure", #"{"catch": {"stream": {"source": {"just": {"value": "x"}}}}}"#, in: "-a-|", out: "-a-|"),
      .rejects("no stream", #"{"catch": {}}"#, .missingField, at: "/catch"),
    ])
}
