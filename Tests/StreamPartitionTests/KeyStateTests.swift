import StreamCore
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

  @Test func equalKeysHaveEqualTexts() {
    #expect(KeyText.bytes(of: .double(1)) == Array("1".utf8))
    #expect(KeyText.bytes(of: .uint(1)) == Array("1".utf8))
    #expect(KeyText.bytes(of: "a\"b") == Array(#""a\"b""#.utf8))
    for key in [1, 1.5, "a", .null, true, ["x", 2], ["k": 1]] as [Value] {
      #expect(KeyText.value(of: KeyText.bytes(of: key)) == key)
    }
  }

  @Test func theTableFindsWhatItHas() {
    var table = KeyTable()
    var expected: [[UInt8]: Int] = [:]
    var random = SystemRandomNumberGenerator()
    for step in 0..<20_000 {
      let key = Array("key-\(Int.random(in: 0..<3_000, using: &random))".utf8)
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
    for (key, slot) in expected { #expect(key.withUnsafeBytes { table.slot(of: $0) } == slot) }
  }
}
