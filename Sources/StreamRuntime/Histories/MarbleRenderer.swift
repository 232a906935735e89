public import StreamCore

/// Draws a history as a marble diagram that `Marbles` reads back.
///
/// A frame is the greatest common divisor of all times, and at least one millisecond: times between two milliseconds
/// are drawn at the one before. What was skipped is not drawn.
public struct MarbleRenderer {
  /// A diagram, and what is needed to read it.
  public struct Drawing: Hashable, Sendable {
    public let diagram: String
    /// How long a symbol takes.
    public let frame: Interval
    /// What symbols stand for, in the order in which they appear; one that is not there stands for its own text.
    public let legend: [Entry]

    /// A symbol and its value.
    public struct Entry: Hashable, Sendable {
      /// As it stands in the diagram, in quotes if it is long.
      public let symbol: String
      public let name: String
      public let value: Value
    }

    /// The diagram as `Marbles` reads it.
    public func marbles(failure: Value = "error") -> Marbles {
      Marbles(
        diagram, values: Dictionary(legend.map { ($0.name, $0.value) }) { first, _ in first }, frame: frame,
        failure: failure)
    }
  }

  /// Nanoseconds that a frame has at least.
  private static let shortestFrame: Int64 = 1_000_000
  /// Silence of more frames than these is written as a length of time.
  private static let longestSilence: Int64 = 10

  private let frame: Int64
  private var symbols: MarbleSymbols
  private var diagram = ""
  /// The time of the next symbol.
  private var cursor: Int64 = 0

  public static func render(_ history: History) -> Drawing {
    let events = history.events.filter(\.event.isOfTheStream)
    let times = events.map { $0.time.nanoseconds / shortestFrame * shortestFrame }
    let divisor = times.reduce(0, greatestCommonDivisor)
    var renderer = MarbleRenderer(
      frame: divisor == 0 ? shortestFrame : divisor, symbols: MarbleSymbols(for: history.values))
    var index = 0
    while index < events.count {
      let next = times[index...].firstIndex { $0 != times[index] } ?? events.count
      renderer.add(events[index..<next].map(\.event), at: times[index])
      index = next
    }
    return Drawing(
      diagram: renderer.diagram, frame: Interval(nanoseconds: renderer.frame), legend: renderer.symbols.legend)
  }

  /// A length of time that is a whole number of milliseconds: `10ms`, `5s`, `2m`.
  public static func text(of interval: Interval) -> String {
    let milliseconds = interval.nanoseconds / 1_000_000
    if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000)m" }
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }

  private init(frame: Int64, symbols: MarbleSymbols) {
    self.frame = frame
    self.symbols = symbols
  }

  /// Draws the silence up to an instant, and what happens there.
  private mutating func add(_ events: [ExecutionEvent], at time: Int64) {
    let silence = time - cursor
    if silence / frame > Self.longestSilence {
      diagram += " \(Self.text(of: Interval(nanoseconds: silence))) "
    } else {
      diagram += String(repeating: "-", count: Int(silence / frame))
    }
    let marks = events.map { symbol(of: $0) }.joined()
    diagram += events.count == 1 ? marks : "[\(marks)]"
    cursor = time + frame
  }

  private mutating func symbol(of event: ExecutionEvent) -> String {
    switch event {
    case .value(let value): symbols.symbol(of: value)
    case .finished: "|"
    case .failure: "#"
    case .skipped, .call, .noted: ""
    }
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
