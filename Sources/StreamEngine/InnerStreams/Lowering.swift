/// The lowering of a machine to a program, or to a part of one.
package enum Lowering<State: Codable & Sendable>: Sendable {
  /// A program that keeps the state of the inner streams' operators by key.
  case keyed(KeyedLowering<State>)
  /// A program whose inner streams run one after another.
  case serial(SerialLowering<State>)
  /// An operator that waits for a timer, as part of an inner stream.
  case timed(TimedLowering<State>)
  /// A program that combines one value of each stream.
  case join(JoinLowering<State>)
  /// The computation of the only value that a source publishes, as part of an inner stream.
  case value(Steps)
}
