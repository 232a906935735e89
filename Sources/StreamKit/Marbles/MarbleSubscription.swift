package import StreamCore
package import StreamEngine

/// The start and the end of a subscription, drawn as `^` and `!` in a diagram.
///
/// `--^---!` is a subscription that begins after two frames and ends after six. Times count from the start of the
/// diagram. Without `^` there is no subscription; without `!` it does not end.
package struct MarbleSubscription: Hashable, Sendable {
  /// The start of the subscription; nil if there is none.
  package var start: StreamTime?
  /// The end of the subscription, not before `start`; nil if it does not end.
  package var end: StreamTime?

  package init(start: StreamTime?, end: StreamTime? = nil) {
    self.start = start
    self.end = end
  }

  /// Parses the diagram of a subscription.
  ///
  /// - Throws: A `Diagnostic` with code `invalidMarbles` and a range in the diagram.
  package init(_ diagram: String, frame: Interval = Marbles.defaultFrame) throws(Diagnostic) {
    var scanner = MarbleScanner(diagram, frame: frame)
    while let mark = try scanner.next() {
      let time = StreamTime(nanoseconds: mark.time)
      switch mark.kind {
      case .subscription:
        guard start == nil else { throw mark.problem("a diagram can have only one '^'; this is the second") }
        start = time
      case .unsubscription:
        guard start != nil else { throw mark.problem("'!' ends a subscription, but there is no '^' before it") }
        guard end == nil else { throw mark.problem("a diagram can have only one '!'; this is the second") }
        end = time
      default: throw mark.problem("the diagram of a subscription can contain only '^' and '!'")
      }
    }
  }

  /// Returns a diagram of the subscription.
  ///
  /// - Parameter frame: Duration of a symbol; reduced if the subscription is shorter.
  package func drawing(frame: Interval = Marbles.defaultFrame) -> MarbleRenderer.Drawing {
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
