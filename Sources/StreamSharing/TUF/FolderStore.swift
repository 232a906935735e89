internal import StreamCore
internal import StreamFiles

/// Trusted metadata in a folder, a file for each role.
public struct FolderStore: MetadataStore {
  private let folder: String
  private let limit: Int

  /// - Parameters:
  ///   - folder: An existing folder.
  ///   - limit: Maximum length of a file, in bytes.
  public init(_ folder: String, limit: Int = 64 * 1024 * 1024) {
    self.folder = folder
    self.limit = limit
  }

  private func path(_ role: String) -> String { Path.join(folder, PercentEncoding.encode(role) + ".json") }

  public func load(_ role: String) throws(TrustError) -> [UInt8]? {
    try FolderFiles.read(path(role), atMost: limit, of: role)
  }

  public func store(_ bytes: [UInt8], as role: String) throws(TrustError) {
    try FolderFiles.write(bytes, to: path(role), of: role)
  }
}
