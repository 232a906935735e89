internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes other streams, one after the other, when this one has finished.
  ///
  /// If a stream fails, those after it are never subscribed to, unless `failures` says otherwise.
  ///
  /// - SeeAlso: `catch`, whose stream runs only after a failure and sees it.
  public struct Append: OperatorDefinition {
    /// The streams that follow.
    public var with: StreamReferences
    /// What a failure does. Default `stop`, as Combine; `continue` forgets it and goes on with the next stream, as
    /// RxJS's onErrorResumeNext.
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
  public var handlesFailures: Bool { failures == .continue }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return ConcatenateMachine(order: Array(0...with.all.count), after: failures == .continue ? .anyEnd : .finish)
  }

  public static var exercise: Exercise { .finish }

  public static let spec = OperatorSpec(
    "append", "Publishes other streams, one after the other, when this one has finished.",
    fields: [
      .required("with", .streams, "The streams that follow: names, or models in place."),
      .optional(
        "failures", .choice(["stop", "continue"]),
        "What a failure does. Default `stop`; `continue` forgets it and goes on with the next stream.", default: "stop"),
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "one more value",
        #"{"append": {"with": [{"stream": [{"value": "z"}]}]}}"#, in: ["-a-b|"], out: "-a-b(z|)"),
      .joins(
        "a hot stream is heard from then on", #"{"append": {"with": ["b"]}}"#, in: ["-a|", "x--y-|"],
        out: "-a-y-|"),
      .joins("not after a failure", #"{"append": {"with": ["b"]}}"#, in: ["-a#", "x--y-|"], out: "-a#"),
      .joins(
        "or even then", #"{"append": {"with": ["b", "c"], "failures": "continue"}}"#, in: ["-a#", "---y#", "-----z-#"],
        out: "-a-y-z-|"),
      .rejects("no streams", #"{"append": {}}"#, .missingField, at: "/append"),
      .rejects(
        "an unknown word", #"{"append": {"with": ["b"], "failures": "ignore"}}"#, .outOfRange, at: "/append/failures"),
    ])
}
