/// How the reading of a file begins.
package struct ContentStart: Sendable {
  /// The content before the first byte that is read; nil if nothing is kept of the content, or if content is skipped.
  let trace: ContentTrace?
  /// The content that the file brings again; nil for none.
  let skipped: SkippedContent?
  /// The hash from which a mark of the content begins; nil for the start of the file.
  let from: ContentHash?

  /// Begins where the file is.
  ///
  /// - Parameter trace: The trace of the content before this place; nil if nothing is to be kept of the content.
  package init(_ trace: ContentTrace? = nil, from: ContentHash? = nil) {
    (self.trace, skipped, self.from) = (trace, nil, from)
  }

  /// Begins at the start of the content, and skips what has been read of it.
  ///
  /// - Parameters:
  ///   - count: Number of bytes to skip, more than 0.
  ///   - mark: The content to be skipped; nil if it is not known.
  ///   - keepsHash: Whether to compute a hash of the content.
  package init(skipping count: Int, _ mark: ContentMark?, keepsHash: Bool) {
    (trace, from) = (nil, mark?.from)
    skipped = SkippedContent(count, mark, keepsHash: keepsHash)
  }
}

/// Content that a file brings again, and that is not wanted.
struct SkippedContent: Sendable {
  /// Number of bytes that are still to be skipped.
  private(set) var rest: Int
  /// Number of bytes that have been skipped.
  private var offset = 0
  private var hash: ContentHash?
  /// The hash that the content must have; nil if it is not known.
  private let expected: ContentHash?

  init(_ count: Int, _ mark: ContentMark?, keepsHash: Bool) {
    rest = count
    hash = mark == nil && !keepsHash ? nil : mark?.from ?? ContentHash()
    expected = mark?.hash
  }

  /// The content that has been skipped.
  var trace: ContentTrace { ContentTrace(offset: offset, edges: nil, hash: hash) }

  /// Skips bytes. Returns their number.
  ///
  /// - Throws: `SystemError.isOther` if they are not those that are expected.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(SystemError) -> Int {
    let count = min(rest, bytes.count)
    // The hash may begin within the content.
    var known = bytes[..<count].dropFirst(max(0, (hash?.offset ?? 0) - offset))
    (rest, offset) = (rest - count, offset + count)
    if let expected, let hash, hash.offset <= expected.offset {
      let first = known.prefix(expected.offset - hash.offset)
      append(first)
      if let hash = self.hash, hash.offset == expected.offset, hash != expected { throw .isOther }
      known = known.dropFirst(first.count)
    }
    append(known)
    return count
  }

  private mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    hash?.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes)))
  }
}
