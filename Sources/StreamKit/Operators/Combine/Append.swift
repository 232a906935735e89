internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes other streams, one after another, once upstream finishes.
  ///
  /// A failure ends the whole sequence, unless `failures` is `continue`.
  ///
  /// - SeeAlso: `catch`, which subscribes to another stream only after a failure.
  public struct Append: OperatorDefinition, ExercisedFields {
    /// The streams to publish next, in this order.
    public var with: StreamReferences
    /// Effect of a failure: `stop` ends the stream with it, as in Combine; `continue` ignores it and subscribes to the
    /// next stream, like RxJS's `onErrorResumeNext`. Default `stop`.
    public var failures: Failures?

    public init(with: StreamReferences, failures: Failures? = nil) {
      self.with = with
      self.failures = failures
    }

    public enum Failures: String, Hashable, Sendable, Codable, CaseIterable {
      case stop, `continue`
    }
  }
}

extension Operator.Append {
  public var joined: [JoinedStream] { with.joined }
  public var handlesFailures: Bool { (failures ?? Self.defaultFailures) == .continue }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: Array(0...with.all.count), after: handlesFailures ? .anyEnd : .finish)
  }

  package static var exercise: Exercise { .finish }

  private static let defaultFailures = Failures.stop

  public static let spec = OperatorSpec(
    "append", "Publishes other streams, one after another, once upstream finishes.",
    fields: [
      .required("with", .streams, "The streams to publish next, in this order."),
      .optional(
        "failures", .choice(["stop", "continue"]),
        "Effect of a failure: `stop` ends the stream with it, as in Combine; `continue` ignores it and "
          + "subscribes to the next stream, like RxJS's `onErrorResumeNext`.", default: .of(defaultFailures)),
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "one more value",
        #"{"append": {"with": [{"stream": [{"value": "z"}]}]}}"#, in: ["-a-b|"], out: "-a-b(z|)"),
      .joins(
        "a hot stream is subscribed to only when upstream finishes", #"{"append": {"with": ["b"]}}"#,
        in: ["-a|", "x--y-|"],
        out: "-a-y-|"),
      .joins("a failure ends the stream", #"{"append": {"with": ["b"]}}"#, in: ["-a#", "x--y-|"], out: "-a#"),
      .joins(
        "failures are ignored with `continue`", #"{"append": {"with": ["b", "c"], "failures": "continue"}}"#,
        in: ["-a#", "---y#", "-----z-#"],
        out: "-a-y-z-|"),
      .rejects("no streams", #"{"append": {}}"#, .missingField, at: "/append"),
      .rejects(
        "an unknown word", #"{"append": {"with": ["b"], "failures": "ignore"}}"#, .outOfRange, at: "/append/failures"),
    ])
}
