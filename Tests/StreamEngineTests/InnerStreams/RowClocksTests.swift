import StreamCore
import StreamTesting
import Testing

@testable import StreamEngine

/// The clocks of rows beside a list that is sorted for each question.
@Suite struct RowClocksTests {
  private func entry(_ deadline: Int64, _ ticket: Int64, _ row: Int) -> RowClocks.Entry {
    RowClocks.Entry(deadline: StreamTime(nanoseconds: deadline), ticket: ticket, row: row)
  }

  @Test("The first clocks are those of a sorted list", arguments: 0..<50)
  func first(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var clocks = RowClocks()
    var expected: [Int: (queue: Int, entry: RowClocks.Entry)] = [:]
    var now: Int64 = 0
    for ticket in 0..<400 as Range<Int64> {
      let row = Int(generator.below(9))
      now += Int64(generator.below(3))
      switch generator.below(8) {
      case 0:
        clocks.stop(row)
        expected[row] = nil
      case 1, 2:
        let early = entry(now + Int64(generator.below(50)), ticket, row)
        clocks.start(early, in: 0)
        expected[row] = (0, early)
      default:
        let late = entry(now + 20, ticket, row)
        clocks.start(late, in: 1)
        expected[row] = (1, late)
      }
      for queue in 0...1 {
        #expect(clocks.first(of: queue) == expected.values.filter { $0.queue == queue }.map(\.entry).min())
      }
      #expect(clocks.running().mapValues(\.ticket) == expected.mapValues(\.entry.ticket))
    }
  }

  @Test("Obsolete clocks do not accumulate")
  func memory() {
    var clocks = RowClocks()
    // The clock of row 0 stays first, so the others are not removed from the front.
    clocks.start(entry(1, 0, 0), in: 1)
    for ticket in 1..<10_000 as Range<Int64> {
      clocks.start(entry(1 + ticket, ticket, 1 + Int(ticket % 3)), in: 1)
      #expect(clocks.entryCount <= 2 * 4 + 65)
    }
  }
}
