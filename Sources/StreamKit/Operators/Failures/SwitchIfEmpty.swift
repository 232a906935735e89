internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Continues with another stream if upstream finishes without a value.
  ///
  /// - SeeAlso: `replaceEmpty`, for one value.
  public struct SwitchIfEmpty: OperatorDefinition, ExercisedFields {
    /// The stream to continue with.
    public var stream: InnerStream

    public init(stream: InnerStream) {
      self.stream = stream
    }
  }
}

extension Operator.SwitchIfEmpty {
  public var joined: [JoinedStream] { [stream.joined()] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: [0, 1], after: .finishWithoutValue)
  }

  package static var exercise: Exercise { .emptyFinish }

  public static let spec = OperatorSpec(
    "switchIfEmpty", "Continues with another stream if upstream finishes without a value.",
    fields: [.required("stream", .stream, "The stream to continue with.")],
    examples: [
      .joins("no value", #"{"switchIfEmpty": {"stream": "b"}}"#, in: ["--|", "-x--y-|"], out: "----y-|"),
      .joins("one value", #"{"switchIfEmpty": {"stream": "b"}}"#, in: ["-a|", "-x--y-|"], out: "-a|"),
      .joins("a failure", #"{"switchIfEmpty": {"stream": "b"}}"#, in: ["--#", "-x--y-|"], out: "--#"),
      .rejects("no stream", #"{"switchIfEmpty": {}}"#, .missingField, at: "/switchIfEmpty"),
    ])
}
