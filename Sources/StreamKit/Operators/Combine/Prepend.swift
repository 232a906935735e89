internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes other streams, one after the other, before this one begins.
  ///
  /// If a stream fails, those after it are never subscribed to.
  public struct Prepend: OperatorDefinition {
    /// The streams that come first, in this order.
    public var with: StreamReferences

    public init(with: StreamReferences) {
      self.with = with
    }
  }
}

extension Operator.Prepend {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: Array(1...with.all.count) + [0])
  }

  public static var exercise: Exercise { .start }

  public static let spec = OperatorSpec(
    "prepend", "Publishes other streams, one after the other, before this one begins.",
    fields: [.required("with", .streams, "The streams that come first: names, or models in place.")],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "a value first", #"{"prepend": {"with": [{"stream": [{"value": "z"}]}]}}"#, in: ["-a-b|"], out: "za-b|"),
      .joins(
        "what the upstream says before its turn is lost",
        #"{"prepend": {"with": [{"source": {"marbles": {"diagram": "--z|"}}}]}}"#, in: ["-a--b|"], out: "--z-b|"),
      .rejects("no streams", #"{"prepend": {"with": []}}"#, .outOfRange, at: "/prepend/with"),
    ])
}
