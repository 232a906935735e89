public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes values until another stream publishes, then finishes.
  ///
  /// The other stream is subscribed to first. If it publishes on subscription, upstream is not subscribed to. Its
  /// finish is ignored.
  public struct PrefixUntil: OperatorDefinition {
    /// The other stream.
    public var stream: InnerStream
    /// Effect of a failure of the other stream: `ignore` has none, as in Combine; `pass` fails the stream, as in RxJS.
    /// Default `ignore`.
    public var failures: Failures?

    public init(stream: InnerStream, failures: Failures? = nil) {
      self.stream = stream
      self.failures = failures
    }

    public enum Failures: String, Hashable, Sendable, Codable, CaseIterable {
      case ignore, pass
    }
  }
}

extension Operator.PrefixUntil {
  public var joined: [JoinedStream] { stream.joined(in: "stream") }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    PrefixUntilMachine(failures: failures ?? Self.defaultFailures)
  }
}

private struct PrefixUntilMachine: Machine {
  private static let signal = 1

  let failures: Operator.PrefixUntil.Failures

  mutating func start(_ effects: Effects) {
    effects.subscribe(to: Self.signal)
    effects.request(Demand(1), from: Self.signal)
    effects.subscribe(to: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == Self.signal { effects.finish() } else { effects.publish(value) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.signal {
      guard case .failure = completion, failures == .pass else { return }
    }
    effects.complete(completion)
  }
}

extension Operator.PrefixUntil {
  private static let defaultFailures = Failures.ignore

  public static let spec = OperatorSpec(
    "prefixUntil", "Publishes values until another stream publishes, then finishes.",
    fields: [
      .required("stream", .stream, "The other stream."),
      .optional(
        "failures", .choice(["ignore", "pass"]),
        "Effect of a failure of the other stream: `ignore` has none, as in Combine; `pass` fails the stream, as "
          + "in RxJS.",
        default: .of(defaultFailures)),
    ],
    examples: [
      .joins("until b publishes", #"{"prefixUntil": {"stream": "b"}}"#, in: ["-a-b-c-d|", "----x-y|"], out: "-a-b|"),
      .joins("b finishes without a value", #"{"prefixUntil": {"stream": "b"}}"#, in: ["-a-b|", "--|"], out: "-a-b|"),
      .joins("b fails, with `ignore`", #"{"prefixUntil": {"stream": "b"}}"#, in: ["-a-b|", "--#"], out: "-a-b|"),
      .joins(
        "b fails, with `pass`", #"{"prefixUntil": {"stream": "b", "failures": "pass"}}"#, in: ["-a-b|", "--#"],
        out: "-a#"),
      .joins(
        "a failure before b publishes", #"{"prefixUntil": {"stream": "b"}}"#, in: ["-a-#", "------x|"], out: "-a-#"),
      .rejects("no other stream", #"{"prefixUntil": {}}"#, .missingField, at: "/prefixUntil"),
      .rejects(
        "an unknown word", #"{"prefixUntil": {"stream": "b", "failures": "fail"}}"#, .outOfRange,
        at: "/prefixUntil/failures"),
    ])
}
