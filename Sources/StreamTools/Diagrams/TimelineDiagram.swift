internal import StreamKit
public import StreamRuntime

/// What happened in a run, lane by lane: what a marble diagram is drawn from.
public struct TimelineDiagram: Sendable {
  /// From the inputs down to the output.
  public let lanes: [Lane]
  /// Whether the run went on, or would have.
  public let isCut: Bool
  /// Why the run was given up, where it was: it took more work than it may.
  public let stop: StreamFailure?

  /// What one input, operator or the stream itself said.
  public struct Lane: Sendable {
    public enum Kind: Hashable, Sendable {
      case input, stage, output
    }

    public let kind: Kind
    public let title: String
    /// What the operator does, in short; empty where there is nothing to say.
    public let detail: String
    /// Values and ends, in order of time.
    public let events: [TimedEvent]
    /// Whether anybody subscribed to it. Nothing but its title is drawn of a lane to which nobody did. Default true.
    public let isSubscribed: Bool

    public init(
      _ kind: Kind, title: String, detail: String = "", events: [TimedEvent], isSubscribed: Bool = true
    ) {
      self.isSubscribed = isSubscribed
      self.kind = kind
      self.title = title
      self.detail = detail
      self.events = events
    }
  }

  public init(lanes: [Lane], isCut: Bool = false, stop: StreamFailure? = nil) {
    self.lanes = lanes
    self.isCut = isCut
    self.stop = stop
  }
}
