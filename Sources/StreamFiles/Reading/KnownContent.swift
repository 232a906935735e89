/// The content of a file before a position, as a saved state knows it.
package struct KnownContent: Codable, Hashable, Sendable {
  /// The position, in bytes of the content.
  package let offset: Int
  /// The ends of the content, or of a compressed file its first bytes; nil if they are not known.
  package let fingerprint: FileFingerprint?
  /// Nil if no hash is known.
  let mark: ContentMark?
  package let isCompressed: Bool

  package init(offset: Int, fingerprint: FileFingerprint?, mark: ContentMark?, isCompressed: Bool = false) {
    (self.offset, self.fingerprint) = (offset, fingerprint)
    (self.mark, self.isCompressed) = (mark, isCompressed)
  }

  package init(_ edges: ContentEdges) {
    self.init(offset: edges.offset, fingerprint: edges.fingerprint, mark: nil)
  }

  /// A compressed file, recognized by its bytes; nil if the file is not compressed.
  package init?(compressed file: FileDescriptor) {
    guard Compression(of: file) != nil, let size = try? file.status().size,
      let fingerprint = try? FileFingerprint(compressed: file)
    else { return nil }
    self.init(offset: Int(size), fingerprint: fingerprint, mark: nil, isCompressed: true)
  }

  /// Whether a regular file has the ends of the content. The rest is not compared.
  package func isRecognized(in file: FileDescriptor) -> Bool {
    let found =
      isCompressed ? try? FileFingerprint(compressed: file) : try? FileFingerprint(of: file, before: offset)
    guard let found, isCompressed == (Compression(of: file) != nil) else { return false }
    return fingerprint == nil || found == fingerprint
  }

  /// Moves a regular file, which is at its start, behind the content.
  ///
  /// - Parameter keepsHash: Whether to keep a hash of the content from now on.
  /// - Throws: `SystemError.isOther` if the file has other content, `endOfFile` if it is shorter.
  package func start(in file: FileDescriptor, keepsHash: Bool) throws(SystemError) -> ContentStart {
    if isCompressed || Compression(of: file) != nil {
      // The first bytes of a compressed file can depend on content behind the position, so that the hash decides.
      guard isCompressed, mark != nil || fingerprint == nil || isRecognized(in: file) else { throw .isOther }
      return again(keepsHash: keepsHash)
    }
    let edges = try ContentEdges(of: file, before: offset)
    if let fingerprint, fingerprint != edges.fingerprint { throw .isOther }
    if let mark, try !mark.precedes(in: file) { throw .isOther }
    try file.seek(to: offset)
    return behind(edges, keepsHash: keepsHash)
  }

  /// The start of a file that brings the content again.
  package func again(keepsHash: Bool) -> ContentStart {
    offset == 0
      ? ContentStart(ContentTrace(keepsHash: keepsHash))
      : ContentStart(skipping: offset, mark, keepsHash: keepsHash)
  }

  /// The start of a file that is behind the content.
  ///
  /// - Parameter edges: The ends of the content; nil, the default, if they are not known.
  package func behind(_ edges: ContentEdges? = nil, keepsHash: Bool) -> ContentStart {
    guard keepsHash else { return ContentStart(ContentTrace(offset: offset, edges: edges, hash: nil)) }
    if let mark, mark.hash.offset == offset {
      return ContentStart(ContentTrace(offset: offset, edges: edges, hash: mark.hash), from: mark.from)
    }
    // Only the hash of the content after the offset can be known.
    let hash = ContentHash(at: offset)
    return ContentStart(ContentTrace(offset: offset, edges: edges, hash: hash), from: offset > 0 ? hash : nil)
  }
}

extension KnownContent {
  /// The parts of a compressed file that are compared.
  package enum Part: Sendable {
    /// The first bytes of the content.
    case beginning
    /// The ends of the content before the position.
    case ends
    /// The same, and the end of the file at the position.
    case whole
  }

  /// Whether a file that was not compressed has become this one: whether the decompressed content is the same.
  ///
  /// It is decompressed up to the position, unless only its beginning is compared. Damaged files are not recognized.
  package func isRecognized(compressedAs path: String, _ part: Part) -> Bool {
    guard !isCompressed, offset > 0, let fingerprint, let file = try? FileDescriptor.open(path, waits: false) else {
      return false
    }
    defer { file.close() }
    guard let format = Compression(of: file), let program = try? Decompressor(format, [], file) else { return false }
    var edges = ContentEdges()
    for end in [min(offset, ContentEdges.length), offset] {
      while edges.offset < end {
        guard let bytes = try? program.output.read(atMost: min(end - edges.offset, 1 << 16)), !bytes.isEmpty else {
          return false
        }
        bytes.withUnsafeBufferPointer { edges.append($0) }
      }
      if edges.fingerprint.first != fingerprint.first { return false }
      if part == .beginning { return true }
    }
    guard edges.fingerprint == fingerprint else { return false }
    return part == .ends || (try? program.output.read(atMost: 1))?.isEmpty == true
  }
}
