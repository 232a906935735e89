package import StreamCore
public import StreamEngine
public import StreamKit

/// The events of a run, grouped by input, operator and output, for drawing a marble diagram.
public struct TimelineDiagram: Sendable {
  /// The lines of the diagram, from the inputs to the output.
  public let lanes: [Lane]
  /// Whether the run continued beyond the end of the diagram.
  public let isCut: Bool
  /// The reason why the work limit stopped the run; nil if it did not.
  public let stop: StreamFailure?
  /// The values that operators have dropped.
  public let drops: [Execution.DroppedValues]
  /// Warnings about what was fed.
  package var warnings: [Diagnostic] = []
  /// The steps of the run, and which event caused which.
  package var trace = RunTrace()

  /// The events of an input, an operator or the stream.
  public struct Lane: Sendable {
    public enum Kind: Hashable, Sendable {
      case input, stage, output
    }

    public let kind: Kind
    public let title: String
    /// A summary of the operator; empty if there is nothing to show.
    public let detail: String
    /// Values and completions in order of time.
    public let events: [History.Event]
    /// Whether it had a subscriber. Without one, only its title is drawn. Default true.
    public let isSubscribed: Bool

    public init(
      _ kind: Kind, title: String, detail: String = "", events: [History.Event], isSubscribed: Bool = true
    ) {
      self.isSubscribed = isSubscribed
      self.kind = kind
      self.title = title
      self.detail = detail
      self.events = events
    }
  }

  public init(lanes: [Lane], isCut: Bool = false, stop: StreamFailure? = nil, drops: [Execution.DroppedValues] = []) {
    self.drops = drops
    self.lanes = lanes
    self.isCut = isCut
    self.stop = stop
  }
}
