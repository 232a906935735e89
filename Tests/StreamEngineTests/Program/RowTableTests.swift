import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamEngine

/// The hash table of rows, beside a dictionary.
@Suite struct RowTableTests {
  @Test("Keys that come and go are found in their rows", arguments: 0..<8)
  func agrees(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let range = [3, 40, 2_000][Int.random(in: 0..<3, using: &generator)]
    var table = RowTable(width: 1)
    var rows: [Value: Int] = [:]
    for number in 0..<20_000 {
      let key = Self.key(Int.random(in: 0..<range, using: &generator), seed)
      let hash = RowTable.hash(key)
      let found = table.row(of: key, hash: hash)
      #expect(found == rows[key])
      if let row = rows[key], Bool.random(using: &generator) {
        table.removeKey(of: row)
        table.recycle(row)
        rows[key] = nil
      } else if rows[key] == nil {
        let row = table.add(key, hash: hash, firstIndex: Int64(number))
        #expect(!rows.values.contains(row) || range > 40)
        let (added, firstIndex) = (table.row(row).pointee, table.firstIndex(of: row))
        #expect(added == key)
        #expect(firstIndex == Int64(number))
        rows[key] = row
      }
    }
    let count = table.keyCount
    #expect(count == rows.count)
    #expect(Set(rows.values).count == rows.count)
    for (key, row) in rows {
      let found = table.row(of: key, hash: RowTable.hash(key))
      #expect(found == row)
    }
    for number in 0..<range where rows[Self.key(number, seed)] == nil {
      let key = Self.key(number, seed)
      let found = table.row(of: key, hash: RowTable.hash(key))
      #expect(found == nil)
    }
  }

  private static func key(_ number: Int, _ seed: UInt64) -> Value {
    switch (UInt64(number) + seed) % 4 {
    case 0: .string("the key with number \(number)")
    case 1: .double(Double(number) + 0.5)
    default: .int(Int64(number) << 40)
    }
  }

  @Test("Equal keys of different types share a row, which keeps the first one")
  func equalKeys() {
    var table = RowTable(width: 1)
    let groups: [[Value]] = [
      [3.0, 3, .uint(3)], [4, 4.0], [["x", 1], ["x", 1.0]], [["a": [0]], ["a": [-0.0]]],
      [.int((1 << 53) + 1)], [.double(0x1p53), .int(1 << 53)],
    ]
    for group in groups {
      let row = table.add(group[0], hash: RowTable.hash(group[0]), firstIndex: 0)
      for key in group {
        let found = table.row(of: key, hash: RowTable.hash(key))
        #expect(found == row)
        if case .int(let number) = key {
          let found = table.row(of: number, hash: RowTable.hash(number))
          #expect(found == row)
        }
      }
      let kept = table.row(row).pointee
      #expect(kept == group[0])
    }
  }

  @Test("A closed row keeps its key and its firstIndex; the last row given back is used first")
  func reuse() {
    var table = RowTable(width: 1)
    func add(_ key: Value, _ firstIndex: Int64) -> Int {
      table.add(key, hash: RowTable.hash(key), firstIndex: firstIndex)
    }
    let rows = [add(0, 0), add(1, 1), add(2, 2)]
    #expect(rows == [0, 1, 2])
    table.close(1)
    let closed = (
      table.isClosed(1), table.firstIndex(of: 1), table.row(of: 1 as Value, hash: RowTable.hash(1 as Value))
    )
    #expect(closed == (true, 1, 1))
    for row in [0, 2] {
      table.removeKey(of: row)
      table.recycle(row)
    }
    let again = [add(7, 9), add(8, 9), add(9, 9)]
    #expect(again == [2, 0, 3])
  }
}
