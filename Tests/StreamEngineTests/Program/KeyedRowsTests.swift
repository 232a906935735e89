import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// Programs that keep their cells by key.
@Suite struct KeyedRowsTests {
  /// Sums `value.n` for each `value.k`, of at most `limit` keys; gives `[key, sum]`, and closes a row at a sum of 100.
  private static func sums(limit: Int = 1_000, likely: CELType? = nil) throws -> ProgramInstance {
    try frame { builder in
      let value = builder.input(.dyn, likely: likely)
      let counter = builder.cell(.int(0), .int)
      let closed = builder.label()
      let key = try builder.add("value.k", binding: ["value": value])
      let row = builder.enterRow(of: key, counting: counter, limit: limit, orIfClosed: closed, site: 7)
      builder.count(counter)
      let sum = builder.cell(.int(0))
      let next = try builder.add("acc + value.n", binding: ["value": value, "acc": sum])
      builder.store(next, in: sum)
      let last = builder.label()
      builder.branch(unless: try builder.add("sum != 100", binding: ["sum": next]), to: last)
      builder.emit(try builder.add("[key, sum]", binding: ["key": row, "sum": next]))
      builder.place(last)
      builder.emit(try builder.add("[key, 'last']", binding: ["key": row]), isLast: true)
      builder.place(closed)
      builder.count(counter)
      builder.end()
    }
  }

  private static let record = CELType.record([RecordField("k", .int), RecordField("n", .int)])

  private static func pair(_ key: Value, _ number: Value) -> Value { ["k": key, "n": number] }

  @Test("Each key has cells of its own", arguments: [nil, record])
  func sums(likely: CELType?) throws {
    let frame = try Self.sums(likely: likely)
    var sums: [Int64: Int64] = [:]
    var state: UInt64 = 1
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let (key, number) = (Int64(state >> 40) % 300, Int64(state >> 33) % 50 + 200)
      sums[key, default: 0] += number
      let result = try frame.result(Self.pair(.int(key), .int(number)))
      #expect(result == [.int(key), .int(sums[key] ?? 0)])
    }
    #expect(frame.rowCount == sums.count)
    for row in 0..<frame.rowCount {
      #expect(frame.enterRow(row))
      #expect(
        try frame.result(Self.pair(frame.key(ofRow: row), 0)) == [
          frame.key(ofRow: row), .int(sums[key(frame, row)] ?? 0),
        ])
    }
  }

  private func key(_ frame: ProgramInstance, _ row: Int) -> Int64 {
    if case .int(let number) = frame.key(ofRow: row) { number } else { -1 }
  }

  @Test("Keys of any types, with sums of any types, beside each other", arguments: [nil, record])
  func mixes(likely: CELType?) throws {
    let frame = try Self.sums(likely: likely)
    let keys: [Value] = [
      1, "a", 2.5, .null, true, .list([1, "x"]), ["b": 1], .uint(.max), "a long text that is no small one",
    ]
    let firsts: [Value] = [1, 1.5, "s", .list([1])]
    for (place, key) in keys.enumerated() {
      let first = firsts[place % firsts.count]
      // The first value is added to 0, which only numbers can be.
      guard place % firsts.count < 2 else {
        #expect(frame.error(for: Self.pair(key, first)) != nil)
        continue
      }
      #expect(try frame.result(Self.pair(key, first)) == .list([key, first]))
    }
    for (place, key) in keys.enumerated() where place % firsts.count == 1 {
      #expect(try frame.result(Self.pair(key, 0.5)) == .list([key, 2.0]))
    }
    // Equal numbers are one key.
    #expect(try frame.result(Self.pair(1.0, 1)) == [1, 2])
    #expect(try frame.result(Self.pair(.uint(1), 1)) == [1, 3])
    // An overflow leaves the row unchanged.
    #expect(try frame.result(Self.pair(1, .int(.max - 3))) == [1, .int(.max)])
    #expect(frame.error(for: Self.pair(1, 1)) != nil)
    #expect(try frame.result(Self.pair(1, -1)) == [1, .int(.max - 1)])
  }

  @Test("A closed row takes nothing more")
  func closes() throws {
    let frame = try Self.sums()
    #expect(try frame.result(Self.pair(1, 60)) == [1, 60])
    #expect(try frame.result(Self.pair(2, 60)) == [2, 60])
    #expect(try frame.run(Self.pair(1, 40)) == .emittedLast)
    #expect(frame.currentRow == 0)
    frame.closeRow()
    #expect(try frame.run(Self.pair(1, 1)) == .dropped)
    #expect(try frame.result(Self.pair(2, 1)) == [2, 61])
    #expect(try frame.run(Self.pair(1, 1)) == .dropped)
    #expect(!frame.enterRow(0))
    #expect(frame.enterRow(1))
    #expect(frame.firstIndex(ofRow: 1) == 1)
  }

  @Test("One key more than the limit fails, and those before it go on")
  func limits() throws {
    let frame = try Self.sums(limit: 2)
    _ = try frame.result(Self.pair("a", 1))
    _ = try frame.result(Self.pair("b", 1))
    #expect(frame.error(for: Self.pair("c", 1)) == ProgramFailure(.refused("c", 2), site: 7))
    #expect(try frame.result(Self.pair("a", 1)) == ["a", 2])
    #expect(frame.rowCount == 2)
  }

  @Test("Rows go on in a program for other types")
  func respecializes() throws {
    let frame = try Self.sums(likely: Self.record)
    for key in 0..<50 { _ = try frame.result(Self.pair(.int(Int64(key)), .int(Int64(key)))) }
    let other = try Self.sums(likely: .record([RecordField("k", .int), RecordField("n", .double)]))
    let next = frame.continued(in: Program(body: other.program))
    #expect(frame.rowCount == 0)
    #expect(next.rowCount == 50)
    for key in 1..<50 as Range<Int64> {
      #expect(try next.result(Self.pair(.int(key), 1)) == [.int(key), .int(key + 1)])
    }
    #expect(try next.result(Self.pair(0, 1.5)) == [0, 1.5])
  }

  @Test("Without rows the cells hold what they began with")
  func removes() throws {
    let frame = try Self.sums()
    _ = try frame.result(Self.pair(1, 60))
    _ = try frame.result(Self.pair(2, 60))
    frame.removeRows()
    #expect(frame.rowCount == 0)
    #expect(try frame.result(Self.pair(1, 5)) == [1, 5])
  }
}
