internal import StreamCore

/// The estimated cost of an evaluation in steps, from the expression alone: one step for each evaluated node.
///
/// A call counts as one step here. At run time it is charged by the sizes of its arguments; see `FunctionCost`.
public struct Cost: Hashable, Sendable {
  /// Minimum number of steps.
  public let minimum: Int
  /// Maximum number of steps; nil if it grows with the data.
  public let maximum: Int?
  /// The part of the expression that makes the cost grow with the data.
  public let reason: Reason?

  /// A part of an expression that repeats other parts.
  public struct Reason: Hashable, Sendable {
    /// A description such as "the comprehension over `value.items`".
    public let text: String
    /// Range in the expression, in UTF-8 bytes.
    public let range: Range<Int>
  }
}

extension Cost: CustomStringConvertible {
  /// A description such as "3…9 steps", or "at least 4 steps, growing with the comprehension over `value.items`".
  public var description: String {
    if let maximum {
      return minimum == maximum ? minimum.counted("step") : "\(minimum)…\(maximum) steps"
    }
    return "at least \(minimum.counted("step")), growing with \(reason?.text ?? "the data")"
  }
}
