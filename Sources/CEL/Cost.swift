/// What an evaluation takes, estimated from the expression alone, in steps: one for each node evaluated.
///
/// A call is one step here. While it runs it is charged by the sizes of its arguments: see `FunctionCost`.
public struct Cost: Hashable, Sendable {
  /// The fewest steps.
  public let minimum: Int
  /// The most steps; nil where they grow with the data.
  public let maximum: Int?
  /// What makes the steps grow with the data.
  public let reason: Reason?

  /// A part of the expression that repeats others.
  public struct Reason: Hashable, Sendable {
    /// As in "the comprehension over `value.items`".
    public let text: String
    /// Where it stands in the expression, in UTF-8 bytes.
    public let range: Range<Int>
  }
}

extension Cost: CustomStringConvertible {
  /// As in "3…9 steps", or "at least 4 steps, growing with the comprehension over `value.items`".
  public var description: String {
    if let maximum {
      return minimum == maximum ? "\(minimum) step\(minimum == 1 ? "" : "s")" : "\(minimum)…\(maximum) steps"
    }
    return "at least \(minimum) step\(minimum == 1 ? "" : "s"), growing with \(reason?.text ?? "the data")"
  }
}
