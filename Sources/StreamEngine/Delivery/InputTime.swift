package import StreamCore

extension Pipeline.Input {
  /// The handling of a value that arrives when newer values have already been delivered.
  public enum Late: String, Hashable, Sendable, Codable, CaseIterable {
    /// It counts as having happened at the earliest time that is still possible.
    case apply
    /// It is dropped, and counted.
    case drop
    /// It goes to a separate output, unchanged.
    case output
  }

  /// The unit of an event time that is a number.
  public enum TimeUnit: String, Hashable, Sendable, Codable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// The number of units in a second.
    package var perSecond: Int64 {
      switch self {
      case .seconds: 1
      case .milliseconds: 1_000
      case .microseconds: 1_000_000
      case .nanoseconds: 1_000_000_000
      }
    }

    /// The unit in words: "milliseconds".
    package var words: String {
      switch self {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .microseconds: "microseconds"
      case .nanoseconds: "nanoseconds"
      }
    }
  }
}

/// When the values of an input happened, as its file declares it.
///
/// The engine does not read it: whatever feeds the input orders the values by it before it sends them.
package struct InputTime: Hashable, Sendable {
  /// Returns the time of a value. Variables: `value`.
  package var expression: String
  /// The parameters that the expression can see, by name.
  package var constants: [String: Value] = [:]
  package var unit = Pipeline.Input.TimeUnit.milliseconds
  /// Seconds by which values may be out of order.
  package var lateness = Self.defaultLateness
  package var late = Self.defaultLate
  /// Maximum number of values that are held because of `lateness`; nil for no limit.
  package var limit: Int?
  /// Seconds by which a value may be ahead of the newest one; nil for no limit.
  package var maxJump: Double?
  /// Seconds without values after which time passes by the clock of the machine; nil if it does not pass.
  package var idle: Double?

  package static let defaultLateness = 0.0
  package static let defaultLate = Pipeline.Input.Late.apply
  package static let longestLateness = 31_536_000.0

  package init(_ expression: String) { self.expression = expression }
}
