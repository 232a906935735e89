internal import StreamCore

/// The first and the last bytes of what precedes a position in a file, by which the file is recognized.
package struct ContentEdges: Hashable, Sendable {
  /// The position, in bytes from the start of the file.
  package private(set) var offset = 0
  /// The first and the last bytes before the position, each at most `length` of them.
  private var first: [UInt8] = []
  private var last: [UInt8] = []

  /// The number of bytes at each end, at most.
  package static let length = 1024

  /// The start of a file.
  package init() {}

  /// Reads the edges of the content of a regular file.
  ///
  /// - Throws: `SystemError` if the file cannot be read, or ends before the position.
  package init(of file: FileDescriptor, before offset: Int) throws(SystemError) {
    let count = min(offset, Self.length)
    self.offset = offset
    first = try file.read(exactly: count, at: 0)
    last = try file.read(exactly: count, at: offset - count)
  }

  /// Advances past bytes that follow.
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    offset += bytes.count
    first += bytes.prefix(Self.length - first.count)
    last = bytes.count < Self.length ? (last + bytes).suffix(Self.length) : Array(bytes.suffix(Self.length))
  }

  /// Whether a regular file has these bytes at these places.
  package func precede(in file: FileDescriptor) -> Bool {
    offset == 0 || (try? ContentEdges(of: file, before: offset)) == self
  }

  package var fingerprint: FileFingerprint { FileFingerprint(first: first, last: last) }
}

/// A file recognized by its content: a copy on another machine is the same file, a new file of the same name is not.
package struct FileFingerprint: Codable, Hashable, Sendable {
  /// The digest of the first bytes of the file, up to `ContentEdges.length` of them before the position.
  package let first: String
  /// The digest of the last bytes before the position, as many.
  package let last: String

  init(first: [UInt8], last: [UInt8]) { (self.first, self.last) = (Self.digest(of: first), Self.digest(of: last)) }

  /// The fingerprint of an open file up to a position.
  ///
  /// - Throws: `SystemError` if the file cannot be read, or ends before the position.
  package init(of file: FileDescriptor, before offset: Int) throws(SystemError) {
    self = try ContentEdges(of: file, before: offset).fingerprint
  }

  /// The fingerprint of the bytes of a compressed file.
  package init(compressed file: FileDescriptor) throws(SystemError) {
    try self.init(of: file, before: min(file.status().size, ContentEdges.length))
  }

  static func digest(of bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.text
  }
}

/// The content of a file that has been read up to a position.
package struct ContentTrace: Sendable {
  /// The position, in bytes of the content.
  package private(set) var offset: Int
  /// Nil if they are not known, as those of what a pipe has brought before.
  package private(set) var edges: ContentEdges?
  /// Nil if the state of the run is not saved.
  package private(set) var hash: ContentHash?

  /// The start of a file.
  ///
  /// - Parameter keepsHash: Whether to compute the hash.
  package init(keepsHash: Bool) {
    self.init(offset: 0, edges: ContentEdges(), hash: keepsHash ? ContentHash() : nil)
  }

  package init(offset: Int, edges: ContentEdges?, hash: ContentHash?) {
    (self.offset, self.edges, self.hash) = (offset, edges, hash)
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    offset += bytes.count
    edges?.append(bytes)
    hash?.append(UnsafeRawBufferPointer(bytes))
  }

  /// Returns the trace up to a later position of a regular file.
  ///
  /// - Throws: `SystemError` if the file cannot be read, or ends before the position.
  package func appending(_ file: FileDescriptor, upTo end: Int) throws(SystemError) -> ContentTrace {
    var trace = self
    while trace.offset < end {
      let bytes = try file.read(exactly: min(end - trace.offset, 1 << 18), at: trace.offset)
      bytes.withUnsafeBufferPointer { trace.append($0) }
    }
    return trace
  }
}
