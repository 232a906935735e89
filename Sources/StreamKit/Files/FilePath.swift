internal import StreamCore

/// The paths of files in stream files.
enum FilePath {
  /// Rejects a path that the system cannot represent.
  ///
  /// - Parameter field: The field that contains the path.
  static func check(_ path: String?, field: String) throws(Diagnostic) {
    // The system would read the path up to the NUL, and open a different file than the host checked.
    guard let path, path.utf8.contains(0) else { return }
    throw Diagnostic(
      .outOfRange, "'\(field)' contains the character U+0000, which is not allowed in a path", at: JSONPointer([field]))
  }
}
