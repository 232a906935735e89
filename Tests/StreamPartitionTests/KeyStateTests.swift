import CEL
@_spi(Engine) import StreamCore
import StreamDriving
import StreamEngine
import StreamKit
import Testing

@testable import StreamPartition

/// Keys and states as bytes.
@Suite struct KeyStateTests {
  @Test func checksumIsThatOfZlib() {
    #expect(Checksum.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Checksum.crc32([]) == 0)
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0 * 7 & 255) }
      var plain = UInt32.max
      for byte in bytes {
        plain ^= UInt32(byte)
        for _ in 0..<8 { plain = plain & 1 == 1 ? plain >> 1 ^ 0xEDB8_8320 : plain >> 1 }
      }
      #expect(Checksum.crc32(bytes) == ~plain)
    }
  }

  @Test(
    arguments: [
      Value.null, .bool(true), .int(.min), .int(-1), .int(.max), .uint(.max), .double(-0.0), .double(.infinity), "",
      "äöü\u{0}",
      .bytes([0, 255]), [], [1, "a", [.null, 2.5]], ["a": 1, "b": ["c": []]],
      .timestamp(Timestamp(seconds: -5, nanoseconds: 7)),
      .duration(.nanoseconds(-1)),
    ] as [Value])
  func valuesComeBack(_ value: Value) throws {
    var bytes: [UInt8] = []
    try BinaryValue.append(value, to: &bytes)
    let (read, rest) = try bytes.withUnsafeBytes { all in
      var reader = ByteReader(all)
      return (try BinaryValue.read(&reader), reader.count)
    }
    #expect(read == value && JSONWriter.compact(read) == JSONWriter.compact(value))
    #expect(rest == 0)
    for count in 0..<bytes.count {
      #expect(throws: (any Error).self) {
        try bytes[..<count].withUnsafeBytes { all in
          var reader = ByteReader(all)
          _ = try BinaryValue.read(&reader)
        }
      }
    }
  }

  @Test(
    arguments: [
      [.int(1), .double(1), .uint(1)], [.int(0), .double(-0.0)], [["a": 1, "b": [2]], ["b": [2], "a": 1]],
      [[["x": 1, "y": 2]], [["y": 2.0, "x": 1]]], [["u", 1], ["u", 1.0], ["u", .uint(1)]],
      [.uint(1 << 63), .double(0x1p63)], [[-0.0], [0]], [["a": 1.5, "b": 2.0], ["b": 2, "a": 1.5]], ["a\"b"], [.null],
      [true], [1.5], [.timestamp(Timestamp(seconds: 5))],
    ] as [[Value]])
  func equalKeysHaveEqualTexts(_ keys: [Value]) throws {
    for key in keys {
      #expect(MapKey(key) == MapKey(keys[0]))
      #expect(MapKey(key).hashValue == MapKey(keys[0]).hashValue)
      #expect(try KeyText.bytes(of: key) == KeyText.bytes(of: keys[0]))
      #expect(KeyText.value(of: try KeyText.bytes(of: key)) == KeyText.canonical(key))
      if KeyText.keepsForm(of: key) { #expect(KeyText.value(of: try KeyText.bytes(of: key)) == key) }
    }
  }

  @Test(arguments: [[[1], [1.5]], [.int((1 << 53) + 1), .double(0x1p53)], ["1", 1], [.null, "null"]] as [[Value]])
  func differentKeysHaveDifferentTexts(_ keys: [Value]) throws {
    #expect(MapKey(keys[0]) != MapKey(keys[1]))
    #expect(try KeyText.bytes(of: keys[0]) != KeyText.bytes(of: keys[1]))
  }

  /// Otherwise all such keys would be one.
  @Test func aKeyWithoutATextIsRefused() throws {
    #expect(throws: Diagnostic.self) { try KeyText.bytes(of: .vacant) }
  }

  @Test func anOptionalKeyIsItsValue() throws {
    let plan = try ExpressionText("optional.of(1)", file: "key").plan(over: [])
    let key = try plan.evaluate(Activation(slotCount: 1))
    #expect(try KeyText.bytes(of: key) == KeyText.bytes(of: 1))
  }

  @Test func theTableFindsWhatItHas() {
    #expect(MemoryLayout<KeyTable.Entry>.stride == 64)
    let table = KeyTable()
    var expected: [[UInt8]: Int] = [:]
    var random = SystemRandomNumberGenerator()
    for step in 0..<20_000 {
      let number = Int.random(in: 0..<3_000, using: &random)
      // Long keys are stored elsewhere.
      let key = Array("key-\(number)".utf8) + Array(repeating: 0x30, count: number % 60)
      let found = key.withUnsafeBytes { table.slot(of: $0) }
      #expect(found == expected[key])
      if let found, step % 3 == 0 {
        table.remove(found)
        expected[key] = nil
      } else if found == nil {
        expected[key] = key.withUnsafeBytes { table.add($0) }
      }
    }
    #expect(table.count == expected.count)
    #expect(Set(table.slots) == Set(expected.values))
    for (key, slot) in expected {
      #expect(key.withUnsafeBytes { table.slot(of: $0) } == slot)
      #expect(table.key(of: slot) == key)
    }
  }
}
