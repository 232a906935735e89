internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes other streams, one after the other, when this one has finished.
  ///
  /// If a stream fails, those after it are never subscribed to.
  public struct Append: OperatorDefinition {
    /// The streams that follow.
    public var with: StreamReferences
  }
}

extension Operator.Append {
  public var joined: [JoinedStream] { with.joined }

  public func validate() throws(Diagnostic) { try with.requireOne() }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: Array(0...with.all.count))
  }

  public static let spec = OperatorSpec(
    "append", "Publishes other streams, one after the other, when this one has finished.",
    fields: [.required("with", .streams, "The streams that follow: names, or models in place.")],
    examples: [
      .joins(
        "one more value",
        #"{"append": {"with": [{"stream": [{"value": "z"}]}]}}"#, in: ["-a-b|"], out: "-a-b(z|)"),
      .joins(
        "a hot stream is heard from then on", #"{"append": {"with": ["b"]}}"#, in: ["-a|", "x--y-|"],
        out: "-a-y-|"),
      .joins("not after a failure", #"{"append": {"with": ["b"]}}"#, in: ["-a#", "x--y-|"], out: "-a#"),
      .rejects("no streams", #"{"append": {}}"#, .missingField, at: "/append"),
    ])
}
