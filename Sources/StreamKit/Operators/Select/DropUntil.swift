public import StreamCore
public import StreamEngine

extension Operator {
  /// Drops values until another stream publishes.
  ///
  /// The other stream is subscribed to first and canceled after its first value. If it fails before, the whole stream
  /// fails.
  public struct DropUntil: OperatorDefinition {
    /// The other stream.
    public var stream: InnerStream
    /// Effect of a finish of the other stream without a value: `finish` finishes the stream, as in Combine; `wait`
    /// keeps dropping all values, as in RxJS. Default `finish`.
    public var onSilentFinish: OnSilentFinish?

    public init(stream: InnerStream, onSilentFinish: OnSilentFinish? = nil) {
      self.stream = stream
      self.onSilentFinish = onSilentFinish
    }

    public enum OnSilentFinish: String, Hashable, Sendable, Codable, CaseIterable {
      case finish, wait
    }
  }
}

extension Operator.DropUntil {
  public var joined: [JoinedStream] { stream.joined(in: "stream") }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DropUntilMachine(onSilentFinish: onSilentFinish ?? Self.defaultOnSilentFinish)
  }
}

private struct DropUntilMachine: Machine {
  private static let signal = 1

  let onSilentFinish: Operator.DropUntil.OnSilentFinish
  /// Whether values are still dropped.
  var state = true

  mutating func start(_ effects: Effects) {
    effects.subscribe(to: Self.signal)
    effects.request(Demand(1), from: Self.signal)
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == Self.signal {
      state = false
      effects.cancel(Self.signal)
    } else if state {
      effects.request(Demand(1), from: 0)
    } else {
      effects.publish(value)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.signal, case .finished = completion, onSilentFinish == .wait { return }
    effects.complete(completion)
  }
}

extension Operator.DropUntil {
  private static let defaultOnSilentFinish = OnSilentFinish.finish

  public static let spec = OperatorSpec(
    "dropUntil", "Drops values until another stream publishes.",
    fields: [
      .required("stream", .stream, "The other stream."),
      .optional(
        "onSilentFinish", .choice(["finish", "wait"]),
        "Effect of a finish of the other stream without a value: `finish` finishes the stream, as in Combine; "
          + "`wait` keeps dropping all values, as in RxJS.", default: .of(defaultOnSilentFinish)),
    ],
    examples: [
      .joins("until b publishes", #"{"dropUntil": {"stream": "b"}}"#, in: ["-a-b-c-d|", "----x-y|"], out: "-----c-d|"),
      .joins("b publishes too late", #"{"dropUntil": {"stream": "b"}}"#, in: ["-a-b|", "-------x|"], out: "----|"),
      .joins("b finishes without a value", #"{"dropUntil": {"stream": "b"}}"#, in: ["-a-b|", "--|"], out: "--|"),
      .joins(
        "b finishes without a value, with `wait`", #"{"dropUntil": {"stream": "b", "onSilentFinish": "wait"}}"#,
        in: ["-a-b|", "--|"], out: "----|"),
      .joins("b fails", #"{"dropUntil": {"stream": "b"}}"#, in: ["-a-b|", "--#"], out: "--#"),
      .rejects("no other stream", #"{"dropUntil": {}}"#, .missingField, at: "/dropUntil"),
      .rejects("an unknown stream", #"{"dropUntil": {"stream": "x"}}"#, .unknownStream, at: "/dropUntil/stream"),
    ])
}
