internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Buffers values until downstream requests them.
  ///
  /// A finish follows the buffered values. A failure of upstream is published at once and discards them. A full buffer
  /// fails with the next request, after the values that the request takes, as in Combine.
  ///
  /// - Memory: values that downstream has not requested yet, bounded by `capacity`.
  /// - Failure: `S409` when the buffer is full and `whenFull` is `fail`.
  public struct Buffer: OperatorDefinition {
    /// Number of values that fit into the buffer. An integer from 1 to 1000000000.
    public var capacity: Int
    /// Effect of a value that arrives when the buffer is full: `dropNewest` drops that value, `dropOldest` drops the
    /// oldest one, `fail` fails the stream. Default `dropNewest`.
    public var whenFull: WhenFull?
    /// Demand sent upstream: `byRequest` requests everything at once, `keepFull` as many values as there is room for.
    /// Default `byRequest`.
    public var prefetch: Prefetch?

    public init(capacity: Int, whenFull: WhenFull? = nil, prefetch: Prefetch? = nil) {
      self.capacity = capacity
      self.whenFull = whenFull
      self.prefetch = prefetch
    }

    public enum WhenFull: String, Hashable, Sendable, Codable, CaseIterable {
      case dropOldest, dropNewest, fail
    }

    public enum Prefetch: String, Hashable, Sendable, Codable, CaseIterable {
      case byRequest, keepFull
    }
  }
}

extension Operator.Buffer {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    BufferMachine(
      capacity: capacity, whenFull: whenFull ?? Self.defaultWhenFull, prefetch: prefetch ?? Self.defaultPrefetch)
  }
}

private struct BufferMachine: Machine {
  struct State: Codable, Sendable {
    var waiting: Deque<Value> = []
    var demand = Demand.none
    var isUpstreamDone = false
    /// The failure of a full buffer, published with the next request, as in Combine.
    var overflow: StreamFailure?
  }

  let capacity: Int
  let whenFull: Operator.Buffer.WhenFull
  let prefetch: Operator.Buffer.Prefetch
  var state = State()

  mutating func start(_ effects: Effects) {
    effects.subscribe(to: 0)
    effects.request(prefetch == .keepFull ? Demand(capacity) : .unlimited, from: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    drain(effects)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if state.waiting.count >= capacity {
      switch whenFull {
      case .dropNewest: return effects.noteDrop(.full)
      case .dropOldest:
        effects.noteDrop(.full)
        state.waiting.removeFirst()
      case .fail:
        state.overflow = StreamFailure(.limitExceeded, "'buffer' is full: it holds \(capacity) values", value: value)
        return effects.cancel(0)
      }
    }
    state.waiting.append(value)
    drain(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    state.isUpstreamDone = true
    drain(effects)
  }

  private mutating func drain(_ effects: Effects) {
    var count = 0
    while !state.waiting.isEmpty, state.demand.takeOne() {
      effects.publish(state.waiting.removeFirst())
      count += 1
    }
    if let overflow = state.overflow {
      effects.fail(overflow)
    } else if state.isUpstreamDone {
      // As in Combine, the finish needs demand.
      if state.waiting.isEmpty, state.demand > .none { effects.finish() }
    } else if prefetch == .keepFull {
      effects.request(Demand(count), from: 0)
    }
  }
}

extension Operator.Buffer {
  private static let defaultWhenFull = WhenFull.dropNewest
  private static let defaultPrefetch = Prefetch.byRequest

  public static let spec = OperatorSpec(
    "buffer", "Buffers values until downstream requests them.",
    memory: .bounded("values that downstream has not requested yet", by: "capacity"),
    fields: [
      .required("capacity", .count(1...1_000_000_000), "Number of values that fit into the buffer."),
      .optional(
        "whenFull", .choice(["dropOldest", "dropNewest", "fail"]),
        "Effect of a value that arrives when the buffer is full: `dropNewest` drops that value, `dropOldest` "
          + "drops the oldest one, `fail` fails the stream.", default: .of(defaultWhenFull)),
      .optional(
        "prefetch", .choice(["byRequest", "keepFull"]),
        "Demand sent upstream: `byRequest` requests everything at once, `keepFull` as many values as there is "
          + "room for.",
        default: .of(defaultPrefetch)),
    ],
    examples: [
      .marbles(
        "unlimited demand leaves the buffer empty", #"{"buffer": {"capacity": 1}}"#, in: "-a(bc)-|", out: "-a(bc)-|"),
      .marbles(
        "a failure is published at once", #"{"buffer": {"capacity": 2, "prefetch": "keepFull", "whenFull": "fail"}}"#,
        in: "-a-b-#", out: "-a-b-#"),
      .rejects("a capacity of zero", #"{"buffer": {"capacity": 0}}"#, .outOfRange, at: "/buffer/capacity"),
      .rejects(
        "an unknown word", #"{"buffer": {"capacity": 1, "whenFull": "drop"}}"#, .outOfRange, at: "/buffer/whenFull"),
    ])
}
