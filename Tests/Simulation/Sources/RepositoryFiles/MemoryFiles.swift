import Foundation
public import StreamSharing
import Synchronization

/// Files by path: the metadata or the targets of a repository, or a client's store.
public final class MemoryFiles: RepositoryTransport, MetadataStore {
  private struct State {
    var files: [String: [UInt8]]
    var reads: [String] = []
    var lost: Int?
  }

  private let state: Mutex<State>

  /// Creates files.
  ///
  /// - Parameters:
  ///   - files: The files by their paths, which are not percent-encoded.
  ///   - lost: The index of the read that is lost; nil for none.
  public init(_ files: [String: [UInt8]] = [:], losing lost: Int? = nil) {
    state = Mutex(State(files: files, lost: lost))
  }

  public var files: [String: [UInt8]] { state.withLock { $0.files } }
  /// The paths that were read, in order.
  public var reads: [String] { state.withLock { $0.reads } }

  public subscript(path: String) -> [UInt8]? {
    get { state.withLock { $0.files[path] } }
    set { state.withLock { $0.files[path] = newValue } }
  }

  public func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    let plain = path.removingPercentEncoding ?? path
    let (isLost, bytes) = state.withLock { state in
      defer { state.reads.append(plain) }
      return (state.lost == state.reads.count, state.files[plain])
    }
    if isLost { throw TrustError(.unreachable, path, "the request was lost") }
    if let bytes, bytes.count > limit { throw TrustError(.tooLarge, path, "more than \(limit) bytes") }
    return bytes
  }

  public func load(_ role: String) throws(TrustError) -> [UInt8]? { self[role] }
  public func store(_ bytes: [UInt8], as role: String) throws(TrustError) { self[role] = bytes }

  /// Reads all files below a folder; none if there is no such folder.
  public static func files(below folder: String) throws -> [String: [UInt8]] {
    guard FileManager.default.fileExists(atPath: folder) else { return [:] }
    var files: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      var isFolder: ObjCBool = false
      let place = folder + "/" + path
      guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      files[path] = Array(try Data(contentsOf: URL(fileURLWithPath: place)))
    }
    return files
  }
}
