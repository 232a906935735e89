/// CRC-32 (IEEE 802.3), as in zlib: finds damage by chance, not by intent.
///
/// - SeeAlso: ISO 3309; the table is that of the reflected polynomial 0xEDB88320, for four bytes at a time (S. Koopman
///   and others call it "slicing").
enum Checksum {
  private static let tables: [[UInt32]] = {
    var first = [UInt32](repeating: 0, count: 256)
    for index in 0..<256 {
      var rest = UInt32(index)
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
      first[index] = rest
    }
    var all = [first]
    for level in 1..<4 {
      all.append(all[level - 1].map { $0 >> 8 ^ first[Int($0 & 0xFF)] })
    }
    return all
  }()

  static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = UInt32.max
    var place = 0
    let tables = tables
    while place + 4 <= bytes.count {
      state ^= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      state =
        tables[3][Int(state & 0xFF)] ^ tables[2][Int(state >> 8 & 0xFF)] ^ tables[1][Int(state >> 16 & 0xFF)]
        ^ tables[0][Int(state >> 24)]
      place += 4
    }
    while place < bytes.count {
      state = state >> 8 ^ tables[0][Int((state ^ UInt32(bytes[place])) & 0xFF)]
      place += 1
    }
    return ~state
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes(crc32) }
}
