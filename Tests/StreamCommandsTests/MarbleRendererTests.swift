import StreamCore
import StreamRuntime
import Testing

/// Diagrams that are drawn are read back as what they show.
@Suite struct MarbleRendererTests {
  private func draw(_ events: TimedEvent...) -> MarbleRenderer.Drawing { MarbleRenderer.render(History(events)) }

  @Test("a frame is the greatest common divisor of the times")
  func frames() {
    let drawing = draw(.value("a", at: 2), .value("b", at: 3), .finished(at: 5))
    #expect(drawing.diagram == "--ab-|")
    #expect(drawing.frame == Interval(seconds: 1))
    #expect(drawing.legend.isEmpty)
  }

  @Test("what comes at one instant stands in brackets, long silence is a length of time")
  func groups() {
    let drawing = draw(
      .value(1, at: 0), .value("word", at: 0), .value(["k": 1], at: 0.001), .value(1, at: 60), .finished(at: 60))
    #expect(drawing.diagram == "[1'word']a 59998ms [1|]")
    #expect(drawing.legend.map(\.symbol) == ["1", "a"])
  }

  @Test("a diagram of nothing is empty")
  func nothing() { #expect(draw().diagram == "") }

  @Test("random histories are read back as they were", arguments: 0..<300)
  func random(_ seed: UInt64) throws {
    var numbers = Random(seed: seed)
    var time: Int64 = 0
    let unit: Int64 = [1_000_000, 5_000_000, 1_000_000_000, 60_000_000_000][numbers.next(4)]
    var events: [TimedEvent] = []
    for _ in 0..<numbers.next(40) {
      time += Int64([0, 0, 1, 1, 2, 9, 10, 11, 12, 1000][numbers.next(10)]) * unit
      events.append(TimedEvent(StreamTime(nanoseconds: time), .value(Self.values[numbers.next(Self.values.count)])))
    }
    time += Int64(numbers.next(3)) * unit
    switch numbers.next(3) {
    case 0: events.append(TimedEvent(StreamTime(nanoseconds: time), .finished))
    case 1: events.append(TimedEvent(StreamTime(nanoseconds: time), .failure(StreamFailure(payload: "error"))))
    default: break
    }
    let history = History(events)
    let drawing = MarbleRenderer.render(history)
    let read = try drawing.marbles().history()
    #expect(read == history)
  }

  /// Values that are hard to draw: digits, letters of units, quotes, names of the legend, many of them.
  static let values: [Value] =
    [
      "a", "b", "m", "s", "1", "5", "", " ", "'", "v1", "v2", "ms", "1s", "a b", "long text that does not fit", "ä",
      "|",
      "-", "e\u{301}", "\u{301}", 1, 2, 5, 9, 10, -1, 1.0, true, .null, [1], ["a": 1],
    ] + (100..<160).map { .int($0) }

  /// SplitMix64.
  struct Random {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
  }
}
