import StreamCore
import Testing

@Suite("Digests of content")
struct ContentDigestTests {
  static let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

  @Test(
    "The published examples of SHA-256 come out",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func matchesPublishedExamples(text: String, expected: String) {
    var digest = ContentDigest()
    digest.update(text)
    #expect(digest.text == expected)
    #expect(digest.bytes.count == 32)
  }

  @Test("Every length of the last block is padded")
  func lengths() {
    var digests = ContentDigest()
    for count in 0..<300 {
      var digest = ContentDigest()
      digest.update((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      digests.update(digest.bytes)
    }
    // By Python's hashlib: the digest of all 300 digests.
    #expect(digests.text == "50bc5e42928c8ca95524abf991def638f5d9442302d12e3e1163eda6f27ad480")
  }

  @Test("The digest does not depend on how the bytes are split", arguments: [1, 7, 55, 56, 63, 64, 65])
  func isIncremental(piece: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = ContentDigest()
    whole.update(bytes)
    var pieces = ContentDigest()
    for start in stride(from: 0, to: bytes.count, by: piece) {
      pieces.update(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
    #expect(pieces.bytes == whole.bytes)
  }

  @Test("A digest can be read, and go on")
  func goesOn() {
    var digest = ContentDigest()
    digest.update("a")
    let first = digest.text
    digest.update("bc")
    #expect(first == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
    #expect(digest.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
