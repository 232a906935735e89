/// Reads files of a repository: from a folder, over HTTP, or as an app decides.
public protocol RepositoryTransport: Sendable {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The path within the repository, in which each name is percent-encoded, for example `7.snapshot.json`.
  ///   - limit: Maximum number of bytes.
  /// - Returns: The bytes; nil if there is no such file.
  /// - Throws: `tooLarge` as soon as more bytes arrive, `unreachable` if the repository does not answer, or not in time.
  func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]?
}
