#if !canImport(CryptoKit)
/// The hash function SHA-256 (FIPS 180-4, section 6.2), with the interface of CryptoKit's type of this name.
///
/// It serves content identifiers, not secrets: nothing here runs in constant time.
struct SHA256 {
  /// The intermediate hash value H, of eight words.
  private var hash: SIMD8<UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes that do not fill a block yet, at most 63.
  private var pending: [UInt8] = []
  /// The length of the message so far, in bytes.
  private var count: UInt64 = 0

  private static let blockBytes = 64

  /// Appends bytes to the message.
  mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let head = rest.prefix(Self.blockBytes - pending.count)
      pending += head
      rest = rest.dropFirst(head.count)
      guard pending.count == Self.blockBytes else { return }
      pending.withUnsafeBytes { compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count / Self.blockBytes * Self.blockBytes
    compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    pending += rest.dropFirst(whole)
  }

  /// Returns the 32 bytes of the digest of the message so far.
  func finalize() -> [UInt8] {
    var padded = self
    // A one bit, zeros, and the message's length in bits fill the last block or the last two.
    let zeros = (Self.blockBytes * 2 - 9 - pending.count) % Self.blockBytes
    var padding = [0x80] + [UInt8](repeating: 0, count: zeros)
    withUnsafeBytes(of: (count &* 8).bigEndian) { padding += $0 }
    padding.withUnsafeBytes { padded.update(bufferPointer: $0) }
    return (0..<8).flatMap { word in withUnsafeBytes(of: padded.hash[word].bigEndian, Array.init) }
  }

  /// Hashes whole blocks.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    guard !blocks.isEmpty else { return }
    Self.constants.withUnsafeBufferPointer { constants in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.blockBytes) { schedule in
        for start in stride(from: 0, to: blocks.count, by: Self.blockBytes) {
          for t in 0..<16 {
            schedule[t] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: start + t * 4, as: UInt32.self))
          }
          for t in 16..<64 {
            schedule[t] =
              Self.lowerSigma1(schedule[t - 2]) &+ schedule[t - 7] &+ Self.lowerSigma0(schedule[t - 15])
              &+ schedule[t - 16]
          }
          hash &+= Self.rounds(hash, schedule: schedule, constants: constants)
        }
      }
    }
  }

  /// Returns the working variables a to h after the 64 rounds of one block.
  private static func rounds(
    _ hash: SIMD8<UInt32>, schedule: UnsafeMutableBufferPointer<UInt32>, constants: UnsafeBufferPointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for t in stride(from: 0, to: 64, by: 8) {
      round(a, b, c, &d, e, f, g, &h, schedule[t] &+ constants[t])
      round(h, a, b, &c, d, e, f, &g, schedule[t + 1] &+ constants[t + 1])
      round(g, h, a, &b, c, d, e, &f, schedule[t + 2] &+ constants[t + 2])
      round(f, g, h, &a, b, c, d, &e, schedule[t + 3] &+ constants[t + 3])
      round(e, f, g, &h, a, b, c, &d, schedule[t + 4] &+ constants[t + 4])
      round(d, e, f, &g, h, a, b, &c, schedule[t + 5] &+ constants[t + 5])
      round(c, d, e, &f, g, h, a, &b, schedule[t + 6] &+ constants[t + 6])
      round(b, c, d, &e, f, g, h, &a, schedule[t + 7] &+ constants[t + 7])
    }
    return [a, b, c, d, e, f, g, h]
  }

  /// Performs one round. The variables rotate by one position in each round: eight rounds name them in turn, so that
  /// none is copied.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ addend: UInt32
  ) {
    let choice = (e & f) ^ (~e & g)
    let majority = (a & b) ^ (a & c) ^ (b & c)
    h = h &+ upperSigma1(e) &+ choice &+ addend
    d = d &+ h
    h = h &+ upperSigma0(a) &+ majority
  }

  private static func upperSigma0(_ x: UInt32) -> UInt32 { rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22) }
  private static func upperSigma1(_ x: UInt32) -> UInt32 { rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25) }
  private static func lowerSigma0(_ x: UInt32) -> UInt32 { rotate(x, 7) ^ rotate(x, 18) ^ (x &>> 3) }
  private static func lowerSigma1(_ x: UInt32) -> UInt32 { rotate(x, 17) ^ rotate(x, 19) ^ (x &>> 10) }
  private static func rotate(_ x: UInt32, _ bits: UInt32) -> UInt32 { x &>> bits | x &<< (32 - bits) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
#endif
