import StreamCore
import StreamEngine
import StreamTesting
import Synchronization
import Testing

@_spi(Driving) @testable import StreamKit

@Suite("Actions wait in the order of their times")
struct ActionQueueTests {
  private let performed = Recorder<Int>()

  private func add(_ number: Int, at time: Int64, to queue: inout ActionQueue) -> Int {
    queue.add(at: StreamTime(nanoseconds: time)) { [performed] in performed.append(number) }
  }

  private func perform(_ queue: inout ActionQueue, through time: Int64) {
    while let next = queue.next(through: StreamTime(nanoseconds: time)) { next.action() }
  }

  @Test("Those of one time in the order in which they were added, and only those that are due")
  func order() {
    var queue = ActionQueue()
    for (number, time) in [5, 3, 9, 3, 5, 1].enumerated() { _ = add(number, at: Int64(time), to: &queue) }
    #expect(queue.nextTime?.nanoseconds == 1)
    perform(&queue, through: 5)
    #expect(performed.values == [5, 1, 3, 0, 4])
    #expect(queue.nextTime?.nanoseconds == 9)
  }

  @Test("A removed action is not performed, is released at once, and does not count as the next")
  func removing() throws {
    var queue = ActionQueue()
    weak var content: Content?
    let first = {
      let held = Content()
      content = held
      return queue.add(at: StreamTime(nanoseconds: 1)) { _ = held }
    }()
    let second = add(2, at: 2, to: &queue)
    #expect(content != nil)
    _ = queue.remove(first)
    #expect(content == nil)
    #expect(queue.nextTime?.nanoseconds == 2)
    #expect(queue.remove(first) == nil)
    perform(&queue, through: 2)
    #expect(queue.remove(second) == nil)
    #expect(queue.isEmpty)
    #expect(queue.nextTime == nil)
    #expect(performed.values == [2])
  }

  private final class Content: Sendable {}

  @Test("Numbers are not used again after all actions are removed")
  func removingAll() {
    var queue = ActionQueue()
    let old = add(1, at: 1, to: &queue)
    #expect(queue.removeAll().count == 1)
    _ = add(2, at: 1, to: &queue)
    #expect(queue.remove(old) == nil)
    perform(&queue, through: 1)
    #expect(performed.values == [2])
  }

  @Test("As a sorted array does, in 100,000 random steps")
  func random() {
    var generator = SeededGenerator(seed: 7)
    var queue = ActionQueue()
    var expected: [(time: Int64, number: Int)] = []
    var numbers: [Int: Int] = [:]
    for step in 0..<100_000 {
      switch generator.next() % 4 {
      case 0, 1:
        let time = Int64(step) + Int64(generator.next() % 1_000)
        numbers[step] = add(step, at: time, to: &queue)
        expected.append((time, step))
      case 2:
        guard !expected.isEmpty else { continue }
        let removed = expected.remove(at: Int(generator.next() % UInt64(expected.count)))
        _ = queue.remove(numbers[removed.number] ?? 0)
      default: continue
      }
    }
    expected.sort { $0 < $1 }
    perform(&queue, through: .max)
    #expect(performed.values == expected.map(\.number))
  }
}
