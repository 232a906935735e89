package import StreamCore
package import StreamFiles
package import StreamKit

/// How far a run has read a file that feeds an input.
package struct FeedPosition: Codable, Hashable, Sendable {
  /// The name of the input.
  package var input: String
  /// The file as the command line names it; `<stdin>` is standard input.
  package var file: String
  /// The name of the format.
  package var format: String
  /// The position after the record that was taken last: of a pipe, in everything that it has brought so far.
  package var place: FilePlace
  /// Number of records taken.
  package var recordCount: Int
  /// Whether the file has come to its end.
  package var isDone: Bool
  /// The content around the position, by which the file is recognized; nil for a pipe.
  package var fingerprint: FileFingerprint?
  /// True if the file was rotated and has been read to its end: it may be compressed or removed. Nil otherwise.
  package var wasRotated: Bool?
  /// True if the file is compressed: the position counts the bytes of its content. Nil otherwise.
  package var isCompressed: Bool?

  package init(
    input: String, file: String, format: String, place: FilePlace, recordCount: Int, isDone: Bool,
    fingerprint: FileFingerprint?
  ) {
    self.input = input
    self.file = file
    self.format = format
    self.place = place
    self.recordCount = recordCount
    self.isDone = isDone
    self.fingerprint = fingerprint
  }
}

/// A file recognized by its content: a copy on another machine is the same file, a new file of the same name is not.
package struct FileFingerprint: Codable, Hashable, Sendable {
  /// The digest of the first bytes of the file, up to `length` of them before the position.
  package let first: String
  /// The digest of the last bytes before the position, up to `length` of them.
  package let last: String

  /// The number of bytes at each end, at most.
  package static let length = 1024

  /// The fingerprint of an open file up to a position.
  ///
  /// - Throws: `SystemError` if the file cannot be read, or ends before the position.
  package init(of file: FileDescriptor, before offset: Int) throws(SystemError) {
    let count = min(offset, Self.length)
    first = try Self.digest(of: file, count, at: 0)
    last = try Self.digest(of: file, count, at: offset - count)
  }

  /// The number of bytes by which a compressed file is recognized.
  package static func compressedLength(of file: FileDescriptor) -> Int { min((try? file.status().size) ?? 0, length) }

  private static func digest(of file: FileDescriptor, _ count: Int, at offset: Int) throws(SystemError) -> String {
    var digest = ContentDigest()
    let bytes = try file.read(exactly: count, at: offset)
    digest.update(bytes)
    return digest.text
  }
}

extension FeedPosition {
  /// Moves an open file to the position, and checks that it is the same file.
  ///
  /// - Parameters:
  ///   - file: The open file, at its start.
  ///   - feedsAgain: Whether a pipe brings everything again from the start: what has been taken is skipped.
  /// - Throws: Why the file cannot be continued.
  package func resume(_ file: FileDescriptor, feedsAgain: Bool) throws(Diagnostic) {
    let problem: String?
    do throws(SystemError) {
      problem = try advance(file, feedsAgain: feedsAgain)
    } catch {
      throw error.diagnostic(reading: self.file, isFed: true)
    }
    guard let problem else { return }
    throw Diagnostic(
      .snapshotMismatch, problem, help: "put the old file back, or begin again with --state-mismatch reset")
  }

  /// Returns the reason why the file is another file; nil if it is at the position.
  private func advance(_ file: FileDescriptor, feedsAgain: Bool) throws(SystemError) -> String? {
    let status = try file.status()
    if isCompressed == true || Compression(of: file) != nil {
      guard isCompressed == true, status.kind == .regular, fingerprint != nil else {
        return "'\(self.file)' cannot be continued within compressed data"
      }
      guard try FileFingerprint(of: file, before: FileFingerprint.compressedLength(of: file)) == fingerprint else {
        return "'\(self.file)' is not the file that the saved state has read up to line \(place.line)"
      }
      return nil
    }
    guard status.kind == .regular else { return feedsAgain ? try skip(file) : nil }
    guard let fingerprint else {
      // A pipe has brought what has been read; the file has the rest, or everything.
      guard feedsAgain else { return nil }
      guard status.size >= place.offset else { return tooShort(status.size) }
      try file.seek(to: place.offset)
      return nil
    }
    guard status.size >= place.offset else { return tooShort(status.size) }
    guard try FileFingerprint(of: file, before: place.offset) == fingerprint else {
      return "'\(self.file)' is not the file that the saved state has read up to line \(place.line)"
    }
    try file.seek(to: place.offset)
    return nil
  }

  private func tooShort(_ size: Int) -> String {
    "'\(file)' has \(size.counted("byte")), and the saved state has read \(place.offset)"
  }

  /// Reads what has been taken, and forgets it.
  private func skip(_ file: FileDescriptor) throws(SystemError) -> String? {
    var rest = place.offset
    while rest > 0 {
      let bytes = try file.read(atMost: min(rest, 1 << 20))
      if bytes.isEmpty { return tooShort(place.offset - rest) }
      rest -= bytes.count
    }
    return nil
  }
}
