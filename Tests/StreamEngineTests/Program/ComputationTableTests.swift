import CEL
import Testing

@testable import StreamEngine

/// The table of what was computed, against a plain list.
@Suite struct ComputationTableTests {
  private typealias Computation = ComputationTable.Computation

  @Test("It knows what a plain list knows", arguments: [1, 2, 3, 4, 5])
  func knowsWhatPlain(seed: UInt64) {
    var random = Random(seed)
    var table = ComputationTable()
    var list: [(computation: Computation, register: Int, isKnown: Bool)] = []
    for round in 0..<2_000 {
      let computation = Computation(
        opcode: random.next(2) == 0 ? .addInt : .lessInt, b: random.next(12), c: random.next(4), immediate: 0)
      let known = list.last { $0.isKnown && $0.computation == computation }
      let found = table.entry(computation)
      #expect(found?.register == known?.register)
      switch random.next(20) {
      case 0:
        let count = random.next(list.count + 1)
        table.forget(to: count)
        list.removeLast(list.count - count)
      case 1:
        let register = random.next(12)
        table.forget { $0.b == register }
        for place in list.indices where list[place].computation.b == register { list[place].isKnown = false }
      default:
        guard known == nil else { continue }
        table.remember(computation, round)
        list.append((computation, round, true))
      }
      #expect(table.count == list.count)
    }
  }

  private struct Random {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }
}
