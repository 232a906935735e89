import StreamCore
import StreamTesting

/// Puts scripts together at random, the same for the same seed.
struct ScriptGenerator {
  private var random: SeededGenerator
  private(set) var script = Script()
  /// Milliseconds since the start.
  private(set) var time = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// One of these; the list is not empty.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(in: 0...elements.count - 1)] }

  /// Advances time by one of these numbers of milliseconds.
  mutating func wait(_ milliseconds: [Int]) { time += pick(milliseconds) }

  mutating func send(_ value: Value, to input: String) { script.add(value, to: input, at: time) }

  /// Replaces the text of a field letter by letter, with an occasional typing error.
  mutating func type(_ text: String, over present: inout String, in input: String, pauses: [Int]) {
    if !present.isEmpty, number(in: 0...2) > 0 {
      present = String(text.commonPrefix(with: present))
      send(.string(present), to: input)
    }
    for character in text.dropFirst(present.count) {
      wait(pauses)
      if number(in: 0...9) == 0 {
        send(.string(present + "x"), to: input)
        wait(pauses)
        send(.string(present), to: input)
        wait(pauses)
      }
      present.append(character)
      send(.string(present), to: input)
    }
  }

  /// Adds results of a function.
  mutating func answer(_ function: String, count: Int, _ make: (inout ScriptGenerator) -> Script.Answer) {
    script.answers[function] = (0..<count).map { _ in make(&self) }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
