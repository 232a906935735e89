internal import StreamFiles

/// A regular file that is found at a path.
struct FoundFile {
  let path: String
  let stamp: FileStamp
  var identity: FileStatus.Identity { stamp.identity }

  /// Nil if there is no regular file.
  init?(_ path: String) {
    guard let stamp = FileStamp(path), stamp.isRegular else { return nil }
    (self.path, self.stamp) = (path, stamp)
  }

  /// The open file; nil if it cannot be read.
  var content: FileDescriptor? { try? FileDescriptor.open(path, waits: false) }

  var isCompressed: Bool {
    guard let file = content else { return false }
    defer { file.close() }
    return Compression(of: file) != nil
  }

  /// Whether another file begins with its content.
  func isBeginning(of other: FileDescriptor) -> Bool {
    guard let file = content else { return false }
    defer { file.close() }
    return (try? ContentEdges(of: other, before: Int(stamp.size)))?.precede(in: file) == true
  }

  /// Whether it begins with what has been read of another file.
  func has(_ edges: ContentEdges) -> Bool {
    guard edges.offset > 0, stamp.size >= edges.offset, let file = content else { return false }
    defer { file.close() }
    return edges.precede(in: file)
  }
}
