public import StreamCore

/// A marble diagram: RxJS's run-mode notation of a history as text.
///
/// `-` one frame; a letter or digit: a value, and one frame; `( )`: all at one instant, which costs as many frames as
/// there are symbols in it and two more, as in RxJS; `[ ]`: all at one instant, which costs one frame; `|` the end; `#`
/// the failure; `^` the subscription, which is time zero; ` 10ms ` between spaces: that much time (`ms`, `s`, `m`, with
/// a fraction: ` 1.5s `); `'text'`: a value with a long name, and one frame. Spaces alone mean nothing.
///
/// - SeeAlso: `MarbleSubscription`, which reads `^` and `!`; `MarbleRenderer`, the reverse.
public struct Marbles: Hashable, Sendable {
  public let diagram: String
  /// What the symbols stand for; a symbol that is not there stands for its own text.
  public let values: [String: Value]
  /// Nanoseconds of a frame. Default 1 ms.
  public let frame: Interval
  /// The failure that `#` stands for.
  public let failure: Value

  /// One millisecond.
  public static let defaultFrame = Interval(nanoseconds: 1_000_000)

  public init(
    _ diagram: String, values: [String: Value] = [:], frame: Interval = Marbles.defaultFrame,
    failure: Value = "error"
  ) {
    self.diagram = diagram
    self.values = values
    self.frame = frame
    self.failure = failure
  }

  /// The history that the diagram shows. What happens before `^` has negative times.
  ///
  /// - Throws: a `Diagnostic` of code `invalidMarbles` that points into the diagram.
  public func history() throws(Diagnostic) -> History {
    var scanner = MarbleScanner(diagram, frame: frame)
    var events: [TimedEvent] = []
    var zero: Int64?
    var hasEnded = false
    while let mark = try scanner.next() {
      let event: ExecutionEvent
      switch mark.kind {
      case .value(let name): event = .value(values[name] ?? .string(name))
      case .finished: event = .finished
      case .failure: event = .failure(StreamFailure(payload: failure))
      case .subscription:
        guard zero == nil else { throw mark.problem("a diagram has one '^'; this is the second") }
        zero = mark.time
        continue
      case .unsubscription:
        throw mark.problem("'!' is the end of a subscription; it cannot stand among values")
      }
      guard !hasEnded else { throw mark.problem("nothing can come after the end") }
      if case .value = event {} else { hasEnded = true }
      events.append(TimedEvent(StreamTime(nanoseconds: mark.time), event))
    }
    guard let zero else { return History(events) }
    return History(events.map { TimedEvent(StreamTime(nanoseconds: $0.time.nanoseconds - zero), $0.event) })
  }
}
