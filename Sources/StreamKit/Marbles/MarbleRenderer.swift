package import StreamCore
package import StreamEngine

/// Draws a history as a marble diagram that `Marbles` parses back without loss.
///
/// Skipped values are not drawn: the notation has no symbol for them.
package enum MarbleRenderer {
  /// A diagram with the symbols needed to parse it.
  package struct Drawing: Hashable, Sendable {
    package let diagram: String
    /// Duration of a symbol.
    package let frame: Interval
    /// The values of the symbols in order of appearance; a symbol without an entry represents its name as a string.
    package let legend: [Entry]
    /// The failure that `#` represents, if the history failed.
    package let failure: Value?

    init(diagram: String, frame: Interval, legend: [Entry] = [], failure: Value? = nil) {
      self.diagram = diagram
      self.frame = frame
      self.legend = legend
      self.failure = failure
    }

    /// A symbol and its value.
    package struct Entry: Hashable, Sendable {
      /// The symbol as written in the diagram, quoted if it is long.
      package let symbol: String
      package let name: String
      package let value: Value
    }

    /// The diagram for parsing.
    package var marbles: Marbles {
      Marbles(
        diagram, values: Dictionary(legend.map { ($0.name, $0.value) }) { first, _ in first }, frame: frame,
        failure: failure ?? "error")
    }
  }

  /// - Parameters:
  ///   - history: The events to draw.
  ///   - resolution: Times are rounded down to a multiple of it. Default one nanosecond, which is lossless.
  ///   - names: Preassigned symbols of values; used unless a symbol would be parsed as another value.
  package static func render(
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
      diagram: chart.diagrams[0], frame: chart.frame, legend: chart.legend, failure: history.failure?.errorValue)
  }

  /// Returns the notation of an interval: `0.5ms`, `10ms`, `5s`, `2m`.
  package static func text(of interval: Interval) -> String { MarbleTime.text(of: interval) }
}

extension History {
  /// The failure of the stream; nil if it did not fail.
  fileprivate var failure: StreamFailure? {
    for case .failure(let failure) in events.map(\.event) { return failure }
    return nil
  }
}

extension History: CustomStringConvertible {
  /// The events as a marble diagram, with the values of its symbols: `-a-b-|  a = 1, b = 2`.
  public var description: String {
    let drawing = MarbleRenderer.render(ofTheStream)
    let legend = drawing.legend.map { "\($0.symbol) = \(JSONWriter.compact($0.value))" }
    return legend.isEmpty ? drawing.diagram : "\(drawing.diagram)  \(legend.joined(separator: ", "))"
  }
}
