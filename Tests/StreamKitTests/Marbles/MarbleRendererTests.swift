import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Diagrams that are drawn are read back as what they show.
@Suite struct MarbleRendererTests {
  private func draw(_ events: History.Event...) -> MarbleRenderer.Drawing { MarbleRenderer.render(History(events)) }

  @Test("A frame is the greatest common divisor of the times")
  func frames() {
    let drawing = draw(.value("a", at: 2), .value("b", at: 3), .finished(at: 5))
    #expect(drawing.diagram == "--ab-|")
    #expect(drawing.frame == Interval(seconds: 1))
    #expect(drawing.legend.isEmpty)
  }

  @Test("Zeros with different signs have different symbols")
  func zeros() {
    let drawing = draw(.value(0.0, at: 0), .value(-0.0, at: 0.001), .finished(at: 0.002))
    #expect(drawing.diagram == "ab|")
    #expect(drawing.legend.map { JSONWriter.compact($0.value) } == ["0.0", "-0.0"])
  }

  @Test("Events of one instant are in brackets, and long silence is a length of time")
  func groups() {
    let drawing = draw(
      .value(1, at: 0), .value("word", at: 0), .value(["k": 1], at: 0.001), .value(1, at: 60), .finished(at: 60))
    #expect(drawing.diagram == "[1'word']a 59998ms [1|]")
    #expect(drawing.legend.map(\.symbol) == ["1", "a"])
  }

  @Test("Fractions of a millisecond are drawn, unless a resolution is given")
  func fractions() {
    let history = History([.value("a", at: 0.001_25), .value("b", at: 0.003), .finished(at: 1)])
    let drawing = MarbleRenderer.render(history)
    #expect(drawing.diagram == "-----a------b 996.75ms |")
    #expect(drawing.frame == Interval(nanoseconds: 250_000))
    let odd = draw(.value("a", at: 0.001_234_567), .value("b", at: 2))
    #expect(odd.diagram == " 1.234567ms a 1997.765433ms b")
    #expect(odd.frame == Interval(seconds: 0.001))
    let coarse = MarbleRenderer.render(history, resolution: Interval(seconds: 0.001))
    #expect(coarse.diagram == "-a-b 996ms |")
  }

  @Test("Events before the subscription are drawn before its sign")
  func early() {
    let drawing = draw(.value("a", at: -0.002), .value("b", at: 0), .value("c", at: 0.001))
    #expect(drawing.diagram == "a-[^b]c")
  }

  @Test("A diagram of nothing is empty")
  func nothing() { #expect(draw().diagram == "") }

  @Test("Random histories are drawn and read back unchanged", arguments: 0..<600)
  func histories(_ seed: UInt64) throws {
    var numbers = Random(seed: seed)
    let units: [Int64] = [1, 999, 1_000, 250_000, 1_000_000, 1_234_567, 1_000_000_000, 60_000_000_000]
    let unit = units[numbers.next(units.count)]
    var time = numbers.next(4) == 0 ? -5 * unit : 0
    var events: [History.Event] = []
    for _ in 0..<numbers.next(40) {
      time += Int64([0, 0, 1, 1, 2, 9, 10, 11, 12, 1000][numbers.next(10)]) * unit
      time += numbers.next(10) == 0 ? Int64(numbers.next(1_000)) : 0
      events.append(History.Event(StreamTime(nanoseconds: time), .value(Self.values[numbers.next(Self.values.count)])))
    }
    time += Int64(numbers.next(3)) * unit
    switch numbers.next(3) {
    case 0: events.append(History.Event(StreamTime(nanoseconds: time), .finished))
    case 1: events.append(History.Event(StreamTime(nanoseconds: time), .failure(StreamFailure(payload: ["n": 1]))))
    default: break
    }
    let history = History(events)
    let read = try MarbleRenderer.render(history).marbles.history()
    #expect(read == history)
  }

  @Test("Random diagrams are read, drawn and read again unchanged", arguments: 0..<600)
  func diagrams(_ seed: UInt64) throws {
    var numbers = Random(seed: seed)
    var parts: [String] = []
    let subscription = numbers.next(3) == 0 ? numbers.next(10) : -1
    for index in 0..<numbers.next(20) {
      if index == subscription { parts.append(["^", "(^a)", "[b^]"][numbers.next(3)]) }
      parts.append(Self.parts[numbers.next(Self.parts.count)])
    }
    parts.append(["", "|", "#", "(a|)", "[b#]", "-"][numbers.next(6)])
    let frames = [1, 999, 500_000, 1_000_000, 7_000_000].map(Interval.init(nanoseconds:))
    let marbles = Marbles(parts.joined(), values: ["a": 1, "b": ["k": .null]], frame: frames[numbers.next(5)])
    let history = try marbles.history()
    let drawing = MarbleRenderer.render(history)
    let read = try drawing.marbles.history()
    #expect(read == history, "\(marbles.diagram) was drawn as \(drawing.diagram)")
    #expect(MarbleRenderer.render(read) == drawing)
  }

  @Test("Lines of a chart are aligned, and each is read as what it shows", arguments: 0..<300)
  func charts(_ seed: UInt64) throws {
    var numbers = Random(seed: seed)
    let histories = (0..<3).map { _ in
      var time: Int64 = 0
      var events: [History.Event] = []
      for _ in 0..<numbers.next(12) {
        time += Int64(numbers.next(4) * (numbers.next(8) == 0 ? 20 : 1)) * 1_000_000
        events.append(
          History.Event(StreamTime(nanoseconds: time), .value(Self.values[numbers.next(Self.values.count)])))
      }
      if numbers.next(2) == 0 { events.append(History.Event(StreamTime(nanoseconds: time), .finished)) }
      return History(events)
    }
    let chart = MarbleChart(histories)
    let values = Dictionary(chart.legend.map { ($0.name, $0.value) }) { first, _ in first }
    for (diagram, history) in zip(chart.diagrams, histories) {
      let read = try Marbles(diagram, values: values, frame: chart.frame).history()
      #expect(read == history, "\(diagram)")
    }
    for column in chart.columns {
      for (diagram, history) in zip(chart.diagrams, histories)
      where history.events.contains(where: { $0.time == column.time }) {
        let text = String(diagram.prefix(column.start))
        let before = try Marbles(text, values: values, frame: chart.frame).history()
        #expect(before.events == history.events.filter { $0.time < column.time })
      }
    }
  }

  /// Pieces of diagrams.
  static let parts = [
    "-", "-", "--", "a", "b", "c", "1", "9", "ä", "'long name'", "(ab)", "[a'x']", "( a 'y' )", " ", "  ", " 10ms ",
    " 1.5s ", " 2m ", " 0.25ms ", " 1s ", "\t", "m", "s", "'ms'", "e\u{301}",
  ]

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
