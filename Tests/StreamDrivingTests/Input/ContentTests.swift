import StreamCore
import TestSupport
import Testing

@testable import StreamFiles

/// The content of files, by which they are recognized.
@Suite struct ContentTests {
  private let folder = Fixture.Folder()
  private static let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

  private func file(_ bytes: [UInt8], _ name: String = "file") throws -> FileDescriptor {
    Fixture.write(bytes, to: folder.path(name))
    return try FileDescriptor.open(folder.path(name))
  }

  private static func hash(_ bytes: [UInt8], piece: Int) -> ContentHash {
    var hash = ContentHash()
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(piece)).withUnsafeBytes { hash.append($0) }
      rest = rest.dropFirst(piece)
    }
    return hash
  }

  @Test("A hash does not depend on the pieces, and continues after it was encoded")
  func pieces() throws {
    let whole = Self.hash(Self.bytes, piece: 5_000)
    for piece in [1, 7, 31, 32, 33, 4_999] { #expect(Self.hash(Self.bytes, piece: piece) == whole) }
    for count in [0, 1, 32, 1_000, 4_999] {
      let first = Self.hash(Array(Self.bytes.prefix(count)), piece: 100)
      var hash = try ValueDecoder().decode(ContentHash.self, from: ValueEncoder().encode(first))
      #expect(hash == first)
      Array(Self.bytes.dropFirst(count)).withUnsafeBytes { hash.append($0) }
      #expect(hash == whole)
    }
  }

  @Test("A hash finds each changed byte, exchanged words, and a byte less")
  func changes() {
    let whole = Self.hash(Self.bytes, piece: 5_000)
    for place in [0, 1, 31, 32, 2_500, 4_991, 4_999] {
      var changed = Self.bytes
      changed[place] ^= 1
      #expect(Self.hash(changed, piece: 5_000) != whole)
    }
    var exchanged = Self.bytes
    for place in 0..<8 { exchanged.swapAt(800 + place, 832 + place) }
    #expect(Self.hash(exchanged, piece: 5_000) != whole)
    #expect(Self.hash(Self.bytes.dropLast(), piece: 5_000) != whole)
  }

  @Test(
    "A text that is not a hash is refused",
    arguments: ["", "5", "-1 \(String(repeating: "0", count: 64))", "5 12", "5 \(String(repeating: "g", count: 64))"])
  func refuses(_ text: String) {
    #expect(throws: (any Error).self) { try ValueDecoder().decode(ContentHash.self, from: .string(text)) }
  }

  @Test(
    "The edges of what was read are those of the file, whatever the pieces",
    arguments: [0, 1, 1_023, 1_024, 1_025, 5_000])
  func edges(_ count: Int) throws {
    let file = try file(Self.bytes)
    defer { file.close() }
    for piece in [1, 100, 1_024, 2_000, 5_000] {
      var edges = ContentEdges()
      var rest = Self.bytes.prefix(count)
      while !rest.isEmpty {
        Array(rest.prefix(piece)).withUnsafeBufferPointer { edges.append($0) }
        rest = rest.dropFirst(piece)
      }
      let found = try ContentEdges(of: file, before: count)
      #expect(edges == found)
      #expect(edges.precede(in: file))
    }
  }

  @Test("A position is found in a file that has the content before it, and in no other", arguments: [10, 2_000, 4_000])
  func positions(_ offset: Int) throws {
    let original = try file(Self.bytes)
    defer { original.close() }
    let known = KnownContent(
      offset: offset, fingerprint: try FileFingerprint(of: original, before: offset),
      mark: ContentMark(hash: Self.hash(Array(Self.bytes.prefix(offset)), piece: 512)))
    _ = try known.start(in: original, keepsHash: true)
    #expect(original.offset == offset)
    for place in [0, offset / 2, offset - 1] {
      var bytes = Self.bytes
      bytes[place] ^= 1
      let changed = try file(bytes, "changed")
      defer { changed.close() }
      #expect(throws: SystemError.isOther) { try known.start(in: changed, keepsHash: true) }
    }
    let short = try file(Array(Self.bytes.prefix(offset - 1)), "short")
    defer { short.close() }
    #expect(throws: SystemError.endOfFile) { try known.start(in: short, keepsHash: true) }
  }

  @Test("A mark may begin within the content: what precedes it is not compared")
  func marks() throws {
    let from = Self.hash(Array(Self.bytes.prefix(1_000)), piece: 1_000)
    let mark = ContentMark(from: from, hash: Self.hash(Array(Self.bytes.prefix(3_000)), piece: 1_000))
    for (place, isFound) in [(999, true), (1_000, false), (2_999, false), (3_000, true)] {
      var bytes = Self.bytes
      bytes[place] ^= 1
      let file = try file(bytes)
      defer { file.close() }
      let found = try mark.precedes(in: file)
      #expect(found == isFound)
    }
  }

  @Test("A file is recognized after it was compressed", arguments: ["gzip", "zstd -q --rm", "xz"])
  func compressed(_ program: String) throws {
    let text = Array((0..<2_000).map { "\($0)\n" }.joined().utf8)
    let original = try file(text)
    defer { original.close() }
    func known(_ offset: Int, _ file: FileDescriptor) throws -> KnownContent {
      KnownContent(try ContentEdges(of: file, before: offset))
    }
    let other = try file(text.reversed(), "other")
    defer { other.close() }
    _ = Subprocess.shell("\(program) file", in: folder.path)
    let path = folder.path(Fixture.names(in: folder.path, ending: "").first { $0.hasPrefix("file.") } ?? "")
    for offset in [1, 1_024, 5_000, text.count] {
      for part in [KnownContent.Part.beginning, .ends, .whole] {
        let isFound = try known(offset, original).isRecognized(compressedAs: path, part)
        #expect(isFound == (part != .whole || offset == text.count))
        let isOther = try known(offset, other).isRecognized(compressedAs: path, part)
        #expect(!isOther)
      }
    }
    #expect(!KnownContent(ContentEdges()).isRecognized(compressedAs: path, .ends))
  }
}
