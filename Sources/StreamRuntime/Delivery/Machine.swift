public import StreamCore

/// A running operator or source: state that responds to signals.
///
/// A machine receives values, completions, demand and timers, and responds through `Effects`; it never calls another
/// machine. The execution owns time, order, cancellation and the rule that nothing follows a completion. Immutable
/// parts (fields, planned expressions) are `let` properties; mutable state is in `state`, which a snapshot saves
/// between any two signals.
///
/// A machine that throws must leave its state as it was before the signal, so that the value can be skipped.
public protocol Machine: Sendable {
  /// What a snapshot saves.
  associatedtype State: Codable & Sendable = Stateless
  var state: State { get set }

  /// Looks at a state out of a snapshot before the machine takes it up. The snapshot may be damaged, or come from a
  /// stranger: no state that passes may make the machine trap. The machine is as it was made, with its first state.
  /// By default every state that can be decoded passes.
  ///
  /// - Returns: what is wrong with the state, as the end of a sentence about it ("has …"); nil if nothing is.
  func problem(with saved: State) -> String?
  /// Whether an upstream may feed a port, as the machine is now: checked for every subscription in a snapshot, once the
  /// machine has taken up its state. A machine that keeps something for each port allows only those. By default any may.
  func canBeFed(by upstream: Int, on port: Int) -> Bool

  /// The subscription begins. By default: subscribes to port 0.
  mutating func start(_ effects: Effects) throws(StreamFailure)
  /// A value came in on a port.
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure)
  /// The same, for a machine that most often hands one value on: it stands in place of the value that came, and nothing
  /// else is said. Else all that is said goes to `effects`. By default as `receive`.
  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding
  /// What becomes of values on a port until the machine is told anything else, where that is all there is to do for
  /// them: they then go past the machine. Nil, the default, where there is more to do.
  func passage(on port: Int) -> Bypass?
  /// The stream on a port has ended. By default the whole ends the same way.
  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure)
  /// Downstream asks for more. By default port 0 is asked for as much.
  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure)
  /// A timer that the machine set is due.
  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure)
  /// The same, for a machine that most often publishes one value then, which is put in `value`. By default as `fire`.
  mutating func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding
  /// Resumes the machine, as requested by `Effects.resume()`, after everything published before is delivered.
  mutating func resume(_ effects: Effects) throws(StreamFailure)
  /// The hook events that a cancellation causes. Default none.
  func cancellationNotes(at pointer: JSONPointer) -> [HookEvent]

  /// What it publishes next, one value at each `resume`, where that is known and everything has been asked for; nil, the
  /// default, where it is not.
  var upcoming: UpcomingValues? { get }
  /// The same as rows, where they can be had for less than the records; nil, the default, where they cannot. Those before
  /// the row at work have been published.
  ///
  /// - Parameter fields: the fields that are looked at; nil where rows are of no use after all.
  mutating func upcomingRows(of fields: () -> [String]?) -> LineRows?
  /// Goes on behind so many of the upcoming values, at least one, which have been published, as if it had been resumed
  /// for each of them.
  mutating func skip(_ count: Int, _ effects: Effects)

  /// How it becomes a program, or a part of one; nil, the default, if it does not.
  var lowering: Lowering<State>? { get }
  /// Whether it looks at the clock or sets timers. Default true.
  var readsTime: Bool { get }
}

/// What a machine hands on at once of a value that came.
public enum Forwarding: UInt8, Sendable {
  /// None but what it has said to `Effects`.
  case nothing
  /// One value.
  case value
  /// A value that the operators behind have taken already, together with the machine: see `JoinProgramInstance`.
  case done
}

/// Values that a source publishes one after the other.
public enum UpcomingValues: Sendable {
  /// So many integers, at the same distance from each other.
  case numbers(from: Int64, by: Int64, count: Int)
  case elements(ArraySlice<Value>)

  /// The most that need be told at once.
  public static let limit = 1_024

  var first: Value? {
    switch self {
    case .numbers(let first, _, _): .int(first)
    case .elements(let elements): elements.first
    }
  }
}

/// The state of a machine without state.
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

  /// A state out of a snapshot.
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

  public func passage(on port: Int) -> Bypass? { nil }

  public mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    effects.complete(completion)
  }

  public mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    effects.request(demand, from: 0)
  }

  public mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {}

  public mutating func fire(
    _ timer: Int, into value: inout Value, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding {
    try fire(timer, effects)
    return .nothing
  }

  public mutating func resume(_ effects: Effects) throws(StreamFailure) {}

  public func cancellationNotes(at pointer: JSONPointer) -> [HookEvent] { [] }

  public var upcoming: UpcomingValues? { nil }

  public mutating func upcomingRows(of fields: () -> [String]?) -> LineRows? { nil }

  public mutating func skip(_ count: Int, _ effects: Effects) {}

  public var lowering: Lowering<State>? { nil }

  public var readsTime: Bool { true }
}
