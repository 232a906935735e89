internal import StreamFiles
internal import StreamKit

/// A regular file that is found at a path.
struct FoundFile {
  let path: String
  let stamp: FileStamp
  var identity: FileStamp.Identity { stamp.identity }

  /// Nil if there is no regular file.
  init?(_ path: String) {
    guard let stamp = FileStamp(path), stamp.isRegular else { return nil }
    (self.path, self.stamp) = (path, stamp)
  }

  /// The open file; nil if it cannot be read, or if its path leads to another file by now.
  var content: FileDescriptor? {
    guard let file = try? FileDescriptor.open(path, waits: false) else { return nil }
    if FileStamp(file)?.identity == identity { return file }
    file.close()
    return nil
  }

  /// Whether it is compressed, or is about to be written by a program that compresses a file.
  var isCompressed: Bool {
    guard let file = content else { return false }
    defer { file.close() }
    return Compression(of: file) != nil || stamp.size == 0 && isNamedAsCompressed
  }

  var isNamedAsCompressed: Bool { FileFormat.uncompressed(path) != path }

  /// The content of a file as it is now.
  static func edges(of file: FileDescriptor) -> ContentEdges? {
    FileStamp(file).flatMap { try? ContentEdges(of: file, before: Int($0.size)) }
  }

  /// Whether some content, which may have been compressed, is all that it has.
  func isWhole(_ edges: ContentEdges) -> Bool {
    guard edges.offset > 0 else { return false }
    if isCompressed { return KnownContent(edges).isRecognized(compressedAs: path, .whole) }
    return stamp.size == edges.offset && has(edges)
  }

  /// Whether another file begins with its content.
  func isBeginning(of other: FileDescriptor) -> Bool {
    guard let file = content else { return false }
    defer { file.close() }
    return (try? ContentEdges(of: other, before: Int(stamp.size)))?.precede(in: file) == true
  }

  /// Whether it begins with what has been read of another file, which may have been compressed into it.
  func has(_ edges: ContentEdges) -> Bool {
    guard edges.offset > 0 else { return false }
    if isCompressed { return KnownContent(edges).isRecognized(compressedAs: path, .ends) }
    guard stamp.size >= edges.offset, let file = content else { return false }
    defer { file.close() }
    return edges.precede(in: file)
  }
}
