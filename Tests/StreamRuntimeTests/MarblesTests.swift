import StreamCore
import StreamRuntime
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
      ("[ab]-c|", ["a@0", "b@0", "c@2", "|@3"]),
      ("a 10ms b", ["a@0", "b@11"]),
      ("10ms b 1s c", ["b@10", "c@1011"]),
      ("--^-a", ["a@2"]),
      ("a 'long name' |", ["a@0", "long name@1", "|@2"]),
      ("-#", ["#@1"]),
      ("", []),
      ("1-2", ["1@0", "2@2"]),
    ])
  func reads(_ diagram: String, _ expected: [String]) throws {
    let actual = try times(diagram)
    #expect(actual == expected)
  }

  @Test("What is wrong with a diagram is told with its place", arguments: [
    ("-(ab", 1), ("-)a", 1), ("(a-b)", 2), ("a|b", 2), ("a'b", 1), ("((a))", 1),
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
}
