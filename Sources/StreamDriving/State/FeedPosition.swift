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
  /// The ends of the content before the position, by which the file is recognized; nil for a pipe.
  package var fingerprint: FileFingerprint?
  /// A hash of the content before the position. Nil in a state of an older version.
  package var content: ContentMark?
  /// The file's device, number, size and time of change when the position was saved. Nil for a pipe, and in a state of an
  /// older version.
  package var stamp: FileStamp?
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

extension FeedPosition {
  /// Whether there was no file at the path.
  var isOfNothing: Bool { stamp != nil && fingerprint == nil }

  /// Whether nothing has been read, or only the header of a table.
  var hasNoValue: Bool { place.offset == 0 || place.columns != nil && place.line <= 2 }

  /// Whether it is a position in the file at a path, which may have been renamed.
  func isOf(_ path: String) -> Bool {
    if file == path { return true }
    guard let stamp, FileStamp(path)?.identity == stamp.identity,
      let found = try? FileDescriptor.open(path, waits: false)
    else {
      return false
    }
    defer { found.close() }
    return known.isRecognized(in: found)
  }

  /// The content before the position.
  var known: KnownContent {
    KnownContent(
      offset: place.offset, fingerprint: fingerprint, mark: content, isCompressed: isCompressed == true)
  }

  /// Moves an open file to the position, and checks that it is the same file.
  ///
  /// - Parameters:
  ///   - file: The open file, at its start.
  ///   - feedsAgain: Whether a pipe brings everything again from the start: what has been taken is skipped.
  /// - Returns: How the reading of the file begins.
  /// - Throws: Why the file cannot be continued.
  package func resume(_ file: FileDescriptor, feedsAgain: Bool) throws(Diagnostic) -> ContentStart {
    let problem: String
    do throws(SystemError) {
      if let start = try start(in: file, feedsAgain: feedsAgain) { return start }
      problem = "'\(self.file)' cannot be continued within compressed data"
    } catch {
      switch error {
      case .isOther: problem = "'\(self.file)' is not the file that the saved state has read up to line \(place.line)"
      case .endOfFile:
        let size = (try? file.status().size) ?? 0
        problem = "'\(self.file)' has \(size.counted("byte")), and the saved state has read \(place.offset)"
      default: throw error.diagnostic(reading: self.file, isFed: true)
      }
    }
    throw Diagnostic(
      .snapshotMismatch, problem, help: "put the old file back, or begin again with --state-mismatch reset")
  }

  /// Returns how reading begins; nil if it cannot begin at the position.
  private func start(in file: FileDescriptor, feedsAgain: Bool) throws(SystemError) -> ContentStart? {
    let isRegular = try file.status().kind == .regular
    // A file that has been read to its end is not read again to check it, unless it has changed since.
    if isDone, let stamp, stamp == FileStamp(file) { return known.behind(keepsHash: true) }
    if isRegular, fingerprint != nil { return try known.start(in: file, keepsHash: true) }
    // A pipe has brought what has been read, or brings it. Another file has the rest, or everything.
    guard feedsAgain else {
      return isCompressed == true || Compression(of: file) != nil ? nil : known.behind(keepsHash: true)
    }
    return try isRegular ? known.start(in: file, keepsHash: true) : known.again(keepsHash: true)
  }
}
