import StreamCore
import StreamEngine
import StreamKit
import Testing

@Suite struct MarblesTests {
  private func times(_ diagram: String) throws -> [String] {
    try Marbles(diagram).history().events.map { event in
      let what =
        switch event.event {
        case .value(.string(let name)): name
        case .finished: "|"
        case .failure: "#"
        default: "?"
        }
      return "\(what)@\(event.time.nanoseconds / 1_000_000)"
    }
  }

  @Test(
    "A diagram is read as RxJS reads it",
    arguments: [
      ("-a-b|", ["a@1", "b@3", "|@4"]),
      ("a-(bc|)", ["a@0", "b@2", "c@2", "|@2"]),
      ("(ab)-c", ["a@0", "b@0", "c@5"]),
      ("( a b )-c", ["a@0", "b@0", "c@5"]),
      ("('long' b)-c", ["long@0", "b@0", "c@5"]),
      ("[ab]-c|", ["a@0", "b@0", "c@2", "|@3"]),
      ("a 10ms b", ["a@0", "b@11"]),
      ("10ms b 1s c", ["b@10", "c@1011"]),
      ("10ms b 1.5s c 2m d", ["b@10", "c@1511", "d@121512"]),
      ("a 1sb 10 ms", ["a@0", "1@1", "s@2", "b@3", "1@4", "0@5", "m@6", "s@7"]),
      ("--^-a", ["a@2"]),
      ("ab^-c", ["a@-2", "b@-1", "c@2"]),
      ("-(^a)-b", ["a@0", "b@5"]),
      ("a 'long name' |", ["a@0", "long name@1", "|@2"]),
      ("-#", ["#@1"]),
      ("", []),
      ("1-2", ["1@0", "2@2"]),
    ])
  func reads(_ diagram: String, _ expected: [String]) throws {
    let actual = try times(diagram)
    #expect(actual == expected)
  }

  @Test(
    "An error in a diagram is reported with its place",
    arguments: [
      ("-(ab", 1), ("-)a", 1), ("(a-b)", 2), ("a|b", 2), ("a'b", 1), ("((a))", 1), ("-^-^", 3),
      ("--!", 2), ("(a]", 2), ("a 200000000m b", 13), ("a 99999999999999999999s b", 24),
    ])
  func refuses(_ diagram: String, _ place: Int) {
    var problem: Diagnostic?
    do {
      _ = try Marbles(diagram).history()
    } catch {
      problem = error
    }
    #expect(problem?.code == .invalidMarbles)
    guard case .text(let range)? = problem?.part else {
      Issue.record("no place in the text")
      return
    }
    #expect(range.lowerBound == place)
  }

  @Test(
    "A diagram of a subscription is read as RxJS reads it, and drawn again",
    arguments: [
      ("^", 0, nil), ("--^---!", 2, 6), ("^ 10ms !", 0, 11), ("- (^!)", 1, 1), ("", nil, nil), ("---", nil, nil),
      ("--^", 2, nil),
    ] as [(String, Int?, Int?)])
  func subscriptions(_ diagram: String, _ start: Int?, _ end: Int?) throws {
    let subscription = try MarbleSubscription(diagram)
    #expect(subscription.start?.nanoseconds == start.map { Int64($0) * 1_000_000 })
    #expect(subscription.end?.nanoseconds == end.map { Int64($0) * 1_000_000 })
    let drawing = subscription.drawing()
    let again = try MarbleSubscription(drawing.diagram, frame: drawing.frame)
    #expect(again == subscription)
  }

  @Test("Random subscriptions are drawn and read back as they were", arguments: 0..<200)
  func randomSubscriptions(_ seed: UInt64) throws {
    var numbers = MarbleRendererTests.Random(seed: seed)
    let unit = [1, 1_000, 1_000_000, 60_000_000_000][numbers.next(4)]
    let start = StreamTime(nanoseconds: Int64(numbers.next(30) * unit + numbers.next(3)))
    let span = Interval(nanoseconds: Int64(numbers.next(30) * unit + numbers.next(3)))
    let subscription = MarbleSubscription(start: start, end: numbers.next(4) == 0 ? nil : start + span)
    let drawing = subscription.drawing()
    let again = try MarbleSubscription(drawing.diagram, frame: drawing.frame)
    #expect(again == subscription)
  }

  @Test(
    "An error in a diagram of a subscription is reported", arguments: ["-a", "^^", "!", "^!!", "^|", "(^", "^ -)"])
  func refusesSubscriptions(_ diagram: String) {
    #expect(throws: Diagnostic.self) { try MarbleSubscription(diagram) }
  }
}
