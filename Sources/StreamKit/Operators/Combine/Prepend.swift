internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes other streams, one after another, before it subscribes to upstream.
  ///
  /// A failure of one of these streams ends the whole sequence.
  public struct Prepend: OperatorDefinition, ExercisedFields {
    /// The streams to publish first, in this order.
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

  package static var exercise: Exercise { .start }

  public static let spec = OperatorSpec(
    "prepend", "Publishes other streams, one after another, before it subscribes to upstream.",
    fields: [.required("with", .streams, "The streams to publish first, in this order.")],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "one value first", #"{"prepend": {"with": [{"stream": [{"value": "z"}]}]}}"#, in: ["-a-b|"], out: "za-b|"),
      .joins(
        "a hot upstream loses the values it publishes before its turn",
        #"{"prepend": {"with": [{"source": {"marbles": {"diagram": "--z|"}}}]}}"#, in: ["-a--b|"], out: "--z-b|"),
      .rejects("no streams", #"{"prepend": {"with": []}}"#, .outOfRange, at: "/prepend/with"),
    ])
}
