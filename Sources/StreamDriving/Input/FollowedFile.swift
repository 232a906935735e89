internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// An open file that grows, or that has grown until it was rotated.
final class FollowedFile {
  /// The kind of a file, by which its end is known.
  enum Kind {
    /// The file at a path. It has no end.
    case current
    /// Nothing: there is no file at the path yet.
    case missing
    /// A file that was at the path. Its writer may have it open until a time, in nanoseconds.
    case rotated(until: Int64)
    /// The copy of a file that was truncated. Only its whole lines count.
    case copy
    /// A file that does not grow.
    case closed
  }

  /// The path that is followed.
  let path: String
  let file: FeedFile
  private(set) var kind: Kind
  let identity: FileStamp.Identity?
  /// The stamp of the file when it was at the path last. Those that are at the path after it change later.
  var stamp: FileStamp?
  /// The ends of what has been read, and the stamp of the file when it had them last.
  private var verified: (edges: ContentEdges, stamp: FileStamp?)
  /// Whether the content that has been read is gone.
  private(set) var isTruncated = false

  init(_ path: String, _ file: FeedFile, _ kind: Kind = .current, stamp: FileStamp? = nil) {
    (self.path, self.file, self.kind) = (path, file, kind)
    let current = FileStamp(file.descriptor)
    identity = current?.identity
    self.stamp = stamp ?? current
    verified = (file.pieces.readEdges ?? ContentEdges(), nil)
  }

  var isCurrent: Bool { if case .current = kind { true } else { false } }
  var isRotated: Bool { if case .rotated = kind { true } else { false } }
  var isMissing: Bool { if case .missing = kind { true } else { false } }
  /// Whether its bytes are read as they are written.
  var grows: Bool {
    switch kind {
    case .current, .rotated, .copy: true
    case .missing, .closed: false
    }
  }

  /// The ends of what has been read, in the bytes that were read, before the file was truncated.
  var edges: ContentEdges { isTruncated ? verified.edges : file.pieces.readEdges ?? ContentEdges() }

  /// Whether bytes have not been read.
  var hasUnread: Bool {
    guard grows, let size = FileStamp(file.descriptor)?.size, let offset = file.descriptor.offset else { return false }
    return Int(size) > offset
  }

  /// Whether there is something to do: to read on, to end, or to read the file from its start.
  func isDue(at now: Int64) -> Bool {
    switch kind {
    case .missing: return false
    case .closed, .copy: return true
    case .rotated(let end) where now >= end: return true
    case .current, .rotated: return hasUnread || isGone()
    }
  }

  /// Whether the content that has been read is no longer in the file.
  ///
  /// NB: A file that was truncated may have become as long as before in the meantime, or longer.
  func isGone() -> Bool {
    guard grows, !isTruncated, let stamp = FileStamp(file.descriptor), stamp != verified.stamp else {
      return isTruncated
    }
    verified.stamp = stamp
    isTruncated = !verified.edges.precede(in: file.descriptor)
    return isTruncated
  }

  /// The content that has been read is another file's, though the present content begins alike.
  func truncate() { isTruncated = true }

  /// Forgets the bytes that have just been read, unless the content before them is still there: they may be those of a file
  /// that was truncated and written again since it was last checked.
  func verifyRead() {
    guard grows, edges.offset != verified.edges.offset else { return }
    if verified.edges.precede(in: file.descriptor) {
      verified.edges = edges
    } else {
      isTruncated = true
      file.pieces.discard()
    }
  }

  /// The file has left its path. Its writer may have it open until a time.
  func rotate(until end: Int64) { kind = .rotated(until: end) }

  /// The present end of the file is its end.
  func end() {
    file.pieces.endFollowing()
    kind = .closed
  }
}
