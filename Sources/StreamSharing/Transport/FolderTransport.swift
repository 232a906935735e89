internal import StreamFiles

/// A repository in a folder.
public struct FolderTransport: RepositoryTransport {
  private let folder: String

  public init(_ folder: String) { self.folder = folder }

  public func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    var place = folder
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = PercentEncoding.decode(part), FolderFiles.isName(name) else {
        throw TrustError(.unsafeName, path, "the path leaves the folder of the repository")
      }
      place = Path.join(place, name)
    }
    return try FolderFiles.read(place, atMost: limit, of: path)
  }
}
