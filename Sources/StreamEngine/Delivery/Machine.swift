@_spi(Engine) public import StreamCore

/// A running operator or source: state that responds to signals.
///
/// ```swift
/// private struct ChangeMachine: Machine {
///   /// The number before, saved in snapshots.
///   var state: Double
///
///   mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
///     guard let number = value.double else {
///       throw StreamFailure(code: "app.noNumber", message: "\(value) is no number")
///     }
///     effects.publish(.double(number - state))
///     state = number
///   }
/// }
/// ```
///
/// A machine receives values, completions, demand and timers, and responds through `Effects`; it never calls another
/// machine. The execution owns time, order, cancellation and the rule that nothing follows a completion. Immutable
/// parts (fields, planned expressions) are `let` properties; mutable state is in `state`, which a snapshot saves
/// between any two signals.
///
/// A machine that throws must leave its state as it was before the signal, so that the value can be skipped.
public protocol Machine: Sendable {
  /// The state that a snapshot saves.
  associatedtype State: Codable & Sendable = Stateless
  var state: State { get set }

  /// Validates a state from a snapshot before the machine adopts it. The snapshot may be damaged or untrusted: no state
  /// that passes may make the machine trap. The machine still has its initial state. By default every state that can be
  /// decoded passes.
  ///
  /// - Returns: The problem, as the end of a sentence about the state ("has …"); nil if there is none.
  func problem(with saved: State) -> String?
  /// Whether an upstream may feed a port in the current state: checked for every subscription in a snapshot, after the
  /// machine has adopted its state. A machine with state for each port allows only those ports. By default true.
  func canBeFed(by upstream: Int, on port: Int) -> Bool

  /// Starts the subscription. By default, subscribes to port 0.
  mutating func start(_ effects: Effects) throws(StreamFailure)
  /// Receives a value on a port.
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure)
  /// Receives a value, in a machine that usually forwards one value: it replaces `value`, and no other signal is sent.
  /// Otherwise all signals go to `effects`. By default, calls `receive`.
  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding
  /// Returns whether it only passes on the values of a port, until it receives any other signal. Default false.
  func passesValues(on port: Int) -> Bool
  /// Receives the completion of the stream on a port. By default, completes the same way.
  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure)
  /// Receives demand from downstream. By default, requests as much from port 0.
  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure)
  /// Handles a timer that the machine set and that is due.
  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure)
  /// Resumes the machine, as requested by `Effects.resume()`, after everything published before is delivered.
  mutating func resume(_ effects: Effects) throws(StreamFailure)
  /// Continues without a value that has made it fail, or without a stream. By default, requests another value instead of
  /// the value, and finishes the stream.
  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure)
  /// Returns the hook events that a cancellation causes. Default none.
  func cancellationNotes(at pointer: JSONPointer) -> [HookEvent]
}

/// A machine that can become a program, or a part of one.
package protocol LoweredMachine: Machine {
  /// The lowering; nil if there is none for the fields of this machine.
  var lowering: Lowering<State>? { get }
}

/// A source that often knows its next values, and does not read the clock.
package protocol BatchSource: LoweredMachine {
  /// Returns the values that it publishes next, one at each `resume`, if they are known and all values have been
  /// requested; nil otherwise.
  ///
  /// - Parameter fields: Returns the fields that are read of each value; nil if the caller cannot use rows.
  func upcoming(_ fields: () -> [String]?) -> UpcomingValues?
  /// Advances past at least one of the upcoming values, which have been published, as if the machine had been resumed for
  /// each of them.
  mutating func advance(by count: Int, _ effects: Effects)
}

/// The value or the stream that a machine continues without.
///
/// ```swift
/// mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
///   if case .value = skipped { effects.request(Demand(1), from: port) } else { effects.finish() }
/// }
/// ```
public enum Skipped: Sendable {
  /// A value that has made the machine fail.
  case value
  /// A stream that the machine has started for a value, and whose source has failed for this value.
  case stream
}

/// The value that a machine forwards directly.
///
/// ```swift
/// mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
///   try increment(&value)
///   return .value
/// }
/// ```
public enum Forwarding: UInt8, Sendable {
  /// No value, except those sent through `Effects`.
  case nothing
  /// One value.
  case value
}

/// Values that a source publishes one after another.
package enum UpcomingValues {
  /// An arithmetic sequence of `count` integers.
  case numbers(from: Int64, by: Int64, count: Int)
  case elements(ArraySlice<Value>)
  /// Records as rows of the fields that are read. The rows before the current one have been published.
  case rows(LineRows)

  /// Maximum number of values that have to be returned at once.
  package static let limit = 1_024

  /// The first value; nil for rows, whose program is known.
  var first: Value? {
    switch self {
    case .numbers(let first, _, _): .int(first)
    case .elements(let elements): elements.first
    case .rows: nil
    }
  }

  var rows: LineRows? { if case .rows(let rows) = self { rows } else { nil } }
}

extension BatchSource {
  package var lowering: Lowering<State>? { nil }
}

/// The state of a machine without state.
///
/// ```swift
/// /// The machine keeps nothing between values: its `State` is `Stateless`.
/// private struct WithinMachine: Machine {
///   let low: Double
///   let high: Double
///
///   mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
///     let isWithin = value.double.map { low <= $0 && $0 <= high } ?? false
///     if isWithin { effects.publish(value) } else { effects.request(Demand(1), from: 0) }
///   }
/// }
/// ```
public struct Stateless: Codable, Sendable, Hashable {
  public init() {}
}

extension Machine where State == Stateless {
  public var state: Stateless {
    get { Stateless() }
    set {}
  }
}

extension Machine {
  public func problem(with saved: State) -> String? { nil }

  public func canBeFed(by upstream: Int, on port: Int) -> Bool { true }

  /// Returns the decoded and validated state from a snapshot.
  func decode(_ value: Value, of node: PipelineNode) throws(Diagnostics) -> State {
    let saved: State = try Stage.decode(value)
    guard let problem = problem(with: saved) else { return saved }
    throw Diagnostics([Execution.mismatch("the state of its '\(node.name)' \(problem)")])
  }

  public mutating func start(_ effects: Effects) { effects.subscribe(to: 0) }

  public mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {}

  public mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure)
    -> Forwarding
  {
    try receive(value, on: port, effects)
    return .nothing
  }

  public func passesValues(on port: Int) -> Bool { false }

  public mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    effects.complete(completion)
  }

  public mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    effects.request(demand, from: 0)
  }

  public mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {}

  public mutating func resume(_ effects: Effects) throws(StreamFailure) {}

  public func cancellationNotes(at pointer: JSONPointer) -> [HookEvent] { [] }

  public mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    switch skipped {
    case .value: effects.request(Demand(1), from: port)
    case .stream: try receive(.finished, on: port, effects)
    }
  }
}
