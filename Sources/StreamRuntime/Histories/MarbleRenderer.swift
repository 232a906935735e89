public import StreamCore

/// Draws a history as a marble diagram that `Marbles` reads back without loss.
///
/// What was skipped is not drawn: a diagram has no sign for it.
public enum MarbleRenderer {
  /// A diagram, and what is needed to read it.
  public struct Drawing: Hashable, Sendable {
    public let diagram: String
    /// How long a symbol takes.
    public let frame: Interval
    /// What symbols stand for, in the order in which they appear; one that is not there stands for its own text.
    public let legend: [Entry]
    /// What `#` stands for, if the history failed.
    public let failure: Value?

    init(diagram: String, frame: Interval, legend: [Entry] = [], failure: Value? = nil) {
      self.diagram = diagram
      self.frame = frame
      self.legend = legend
      self.failure = failure
    }

    /// A symbol and its value.
    public struct Entry: Hashable, Sendable {
      /// As it stands in the diagram, in quotes if it is long.
      public let symbol: String
      public let name: String
      public let value: Value
    }

    /// The diagram as `Marbles` reads it.
    public var marbles: Marbles {
      Marbles(
        diagram, values: Dictionary(legend.map { ($0.name, $0.value) }) { first, _ in first }, frame: frame,
        failure: failure ?? "error")
    }
  }

  /// - Parameters:
  ///   - history: the history to draw.
  ///   - resolution: times are drawn as the last multiple of it. Default a nanosecond, which loses nothing.
  ///   - names: symbols that values have already; they keep them where nothing else would be read for them.
  public static func render(
    _ history: History, resolution: Interval = Interval(nanoseconds: 1), naming names: [String: Value] = [:]
  ) -> Drawing {
    var history = history
    if resolution.nanoseconds > 1 {
      for index in history.events.indices {
        let time = history.events[index].time.nanoseconds
        history.events[index].time = StreamTime(nanoseconds: time - time % resolution.nanoseconds)
      }
    }
    let chart = MarbleChart([history], naming: names)
    return Drawing(
      diagram: chart.diagrams[0], frame: chart.frame, legend: chart.legend, failure: history.failure?.description)
  }

  /// A length of time, 0 or more: `0.5ms`, `10ms`, `5s`, `2m`.
  public static func text(of interval: Interval) -> String { MarbleTime.text(of: interval) }
}

extension History {
  /// What the stream failed with, if it did.
  fileprivate var failure: StreamFailure? {
    for case .failure(let failure) in events.map(\.event) { return failure }
    return nil
  }
}
