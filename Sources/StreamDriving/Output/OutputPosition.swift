internal import StreamCore
internal import StreamFiles

/// How far an output has come: what a saved run stores of it.
package struct OutputPosition: Codable, Equatable, Sendable {
  /// The name of the output; nil for the output of the stream itself.
  package var name: String?
  /// The path of the file as the arguments give it; nil for standard output and programs.
  package var path: String?
  /// The length of the file in bytes; for a pipe, the number of bytes written to it.
  package var bytes: Int
  /// Number of values written by the run.
  package var values: Int
  /// Whether it is a regular file, which can be shortened.
  package var isRegular = false
  /// The text that the run has made and not written, such as rows that wait for the columns of others. Nil if there is
  /// none.
  package var pending: String?
  /// The format of the values.
  package var format: String
  /// The state of the writer in the file.
  package var writer = WriterState()
  /// The checksum of the bytes before the position, up to 4096 of them; nil if the file could not be read.
  package var ending: String?
  /// The state of rotation; nil if files are not rotated.
  package var rotation: Rotation?

  /// The state of an output whose files are rotated.
  package struct Rotation: Codable, Equatable, Sendable {
    /// The name of the file that was rotated last, without its directory; nil if there is none.
    package var latest: String?
    /// The number of the period of the current file; nil if there is none.
    package var period: Int64?
  }
}

/// The state of a writer within a file: what it needs to continue the text.
package struct WriterState: Codable, Equatable, Sendable {
  /// Whether an array has a value.
  package var hasBegun = false
  /// The header of the rows, without its line break; nil if it has not been written.
  package var header: String?
  /// True if the header is that of a file that another run has written. Nil otherwise.
  package var isForeign: Bool?
  /// The columns of the rows that have not been written, and where these rows end. Nil if the columns are fixed.
  package var growth: ColumnGrowth?

  package init(
    hasBegun: Bool = false, header: String? = nil, isForeign: Bool? = nil, growth: ColumnGrowth? = nil
  ) {
    (self.hasBegun, self.header, self.isForeign, self.growth) = (hasBegun, header, isForeign, growth)
  }
}

extension OutputPosition {
  /// Maximum number of bytes before a position that its checksum covers.
  private static let endingBytes = 4096

  /// Returns the checksum of the bytes of a file before this length; nil if they cannot be read.
  ///
  /// NB: Read from the open file: a copy of the process, which saves the state, may find another file at its path.
  static func ending(of file: FileDescriptor, length: Int) -> String? {
    let count = min(length, endingBytes)
    guard let bytes = try? file.read(exactly: count, at: length - count) else { return nil }
    // FNV-1a: detects a different file, not a forgery.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  /// Throws a diagnostic if the file at a path does not begin with the content that it had at this position.
  func check(_ path: String) throws(Diagnostic) {
    let size = (try? FileStatus(path).size) ?? 0
    guard size >= bytes else { throw .shorterOutput(path, size, bytes) }
    guard let ending, let file = try? FileDescriptor.open(path) else { return }
    defer { file.close() }
    guard Self.ending(of: file, length: bytes) != ending else { return }
    throw Diagnostic(
      .cannotWrite, "'\(path)' has been changed since the state was saved: the bytes before its position differ",
      help: "restore the file, or begin with a new state")
  }

  /// Removes what follows this position in a file.
  ///
  /// - Throws: A diagnostic if the file is not as it was at the position; it is unchanged.
  func cut(_ file: FileDescriptor, _ path: String) throws(Diagnostic) {
    try check(path)
    do throws(SystemError) {
      try file.truncate(to: bytes)
    } catch {
      throw error.diagnostic(writing: path)
    }
  }
}

extension Diagnostic {
  /// A file has fewer bytes than at the last save.
  static func shorterOutput(_ name: String, _ size: Int, _ expected: Int) -> Diagnostic {
    Diagnostic(
      .cannotWrite, "'\(name)' has \(size.counted("byte")); it had \(expected) when the state was saved",
      help: name == "<stdout>"
        ? "append with '>>', since '>' empties the file" : "restore the file, or begin with a new state")
  }
}
