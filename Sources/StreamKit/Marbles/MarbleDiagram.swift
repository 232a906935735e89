public import StreamCore
public import StreamEngine

/// A marble diagram: a history in RxJS's run-mode notation.
///
/// ```swift
/// let history = try Marbles("-a-b|", values: ["a": 1, "b": 2]).history()
/// ```
///
/// `-` is one frame; a letter or digit is a value and takes one frame; `( )` groups events at one instant and takes a
/// frame for each event and for each parenthesis, as in RxJS; `[ ]` groups events at one instant and takes one frame;
/// `|` is the end; `#` is the failure; `^` is the subscription, at time zero; ` 10ms ` between spaces advances time
/// (`ms`, `s`, `m`, with a fraction: ` 1.5s `); `'text'` is a value with a long name and takes one frame. Other spaces
/// are ignored.
///
/// - SeeAlso: `MarbleSubscription`, which parses `^` and `!`; `MarbleRenderer`, which draws diagrams.
public struct Marbles: Hashable, Sendable {
  public let diagram: String
  /// The values of the symbols; a symbol without an entry represents its name as a string.
  public let values: [String: Value]
  /// Duration of a frame. Default 1 ms.
  public let frame: Interval
  /// The failure that `#` represents.
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

  /// Returns the history that the diagram shows. Events before `^` have negative times.
  ///
  /// - Throws: A `Diagnostic` with code `invalidMarbles` and a range in the diagram.
  public func history() throws(Diagnostic) -> History {
    var scanner = MarbleScanner(diagram, frame: frame)
    var events: [History.Event] = []
    var zero: Int64?
    var hasEnded = false
    while let mark = try scanner.next() {
      let event: ExecutionEvent
      switch mark.kind {
      case .value(let name): event = .value(values[name] ?? .string(name))
      case .finished: event = .finished
      case .failure: event = .failure(StreamFailure(payload: failure))
      case .subscription:
        guard zero == nil else { throw mark.problem("a diagram can have only one '^'; this is the second") }
        zero = mark.time
        continue
      case .unsubscription:
        throw mark.problem("'!' ends a subscription and cannot appear among values")
      }
      guard !hasEnded else { throw mark.problem("no event can follow the completion") }
      if case .value = event {} else { hasEnded = true }
      events.append(History.Event(StreamTime(nanoseconds: mark.time), event))
    }
    guard let zero else { return History(events) }
    return History(events.map { History.Event(StreamTime(nanoseconds: $0.time.nanoseconds - zero), $0.event) })
  }
}
