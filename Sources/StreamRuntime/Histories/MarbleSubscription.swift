public import StreamCore

/// When a stream was subscribed to and when that ended: what a diagram of `^` and `!` shows.
///
/// `--^---!` is a subscription that begins after two frames and ends after six. Times count from the beginning of the
/// diagram. Without `^` nobody subscribes, without `!` the subscription goes on.
public struct MarbleSubscription: Hashable, Sendable {
  /// When it began; nil if nobody has subscribed.
  public var start: StreamTime?
  /// When it ended, not before `start`; nil if it goes on.
  public var end: StreamTime?

  public init(start: StreamTime?, end: StreamTime? = nil) {
    self.start = start
    self.end = end
  }

  /// The subscription that a diagram shows.
  ///
  /// - Throws: a `Diagnostic` of code `invalidMarbles` that points into the diagram.
  public init(_ diagram: String, frame: Interval = Marbles.defaultFrame) throws(Diagnostic) {
    var scanner = MarbleScanner(diagram, frame: frame)
    while let mark = try scanner.next() {
      let time = StreamTime(nanoseconds: mark.time)
      switch mark.kind {
      case .subscription:
        guard start == nil else { throw mark.problem("a diagram has one '^'; this is the second") }
        start = time
      case .unsubscription:
        guard start != nil else { throw mark.problem("'!' ends a subscription; there is no '^' before it") }
        guard end == nil else { throw mark.problem("a diagram has one '!'; this is the second") }
        end = time
      default: throw mark.problem("only '^' and '!' stand in the diagram of a subscription")
      }
    }
  }

  /// The diagram of the subscription.
  ///
  /// - Parameter frame: how long a symbol takes; less where the subscription is shorter than that.
  public func drawing(frame: Interval = Marbles.defaultFrame) -> MarbleRenderer.Drawing {
    guard let start else { return MarbleRenderer.Drawing(diagram: "", frame: frame) }
    let span = end.map { max(0, ($0 - start).nanoseconds) }
    var frame = frame
    if let span, span > 0, span < frame.nanoseconds { frame = Interval(nanoseconds: span) }
    var diagram = MarbleChart.silence(start.nanoseconds, frame: frame.nanoseconds)
    switch span {
    case nil: diagram += "^"
    case 0?: diagram += "[^!]"
    case let span?: diagram += "^" + MarbleChart.silence(span - frame.nanoseconds, frame: frame.nanoseconds) + "!"
    }
    return MarbleRenderer.Drawing(diagram: diagram, frame: frame)
  }
}
