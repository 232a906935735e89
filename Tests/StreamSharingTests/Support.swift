#if Sharing
import CLibrary
import Foundation
import StreamCore
import Synchronization
import Testing

@testable import StreamSharing

/// Files by path, as a repository or as a client's store; counts what is read.
final class MemoryFiles: RepositoryTransport, MetadataStore {
  private let state: Mutex<(files: [String: [UInt8]], reads: [String])>

  init(_ files: [String: [UInt8]] = [:]) { state = Mutex((files, [])) }

  var files: [String: [UInt8]] { state.withLock { $0.files } }
  /// The paths that were asked for, in order.
  var reads: [String] { state.withLock { $0.reads } }

  subscript(path: String) -> [UInt8]? {
    get { state.withLock { $0.files[path] } }
    set { state.withLock { $0.files[path] = newValue } }
  }

  func read(_ path: String, atMost limit: Int) async throws(TrustError) -> [UInt8]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let plain = parts.map { PercentEncoding.decode($0) ?? String($0) }.joined(separator: "/")
    let bytes = state.withLock { state in
      state.reads.append(path)
      return state.files[plain] ?? state.files[path]
    }
    if let bytes, bytes.count > limit { throw TrustError(.tooLarge, path, "more than \(limit) bytes") }
    return bytes
  }

  func load(_ role: String) throws(TrustError) -> [UInt8]? { self[role] }
  func store(_ bytes: [UInt8], as role: String) throws(TrustError) { self[role] = bytes }
}

/// A folder for a test, which is removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "streamsharing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A repository in a folder with all its keys, and clients that follow it.
struct Fixture {
  static let start: Int64 = 1_800_000_000

  let folder: TemporaryFolder
  let keys: [RoleName: RoleAuthority]
  var repository: Repository

  init(scheme: SigningKey.Scheme = .ed25519, lifetimes: Lifetimes = Lifetimes()) throws {
    folder = try TemporaryFolder()
    var keys: [RoleName: RoleAuthority] = [:]
    for role in RoleName.allCases { keys[role] = RoleAuthority([try SigningKey.generate(scheme)]) }
    self.keys = keys
    repository = try Repository.create(in: folder.path, authorities: keys, lifetimes: lifetimes, now: Self.start)
  }

  func key(_ role: RoleName) -> SigningKey {
    guard let key = keys[role]?.keys.first else { preconditionFailure("every role has a key") }
    return key
  }

  /// The current metadata of the repository.
  func metadata() throws -> MemoryFiles { try files("metadata") }

  /// The targets of the repository, as they are now.
  func targets() throws -> MemoryFiles { try files("targets") }

  private func files(_ part: String) throws -> MemoryFiles {
    let root = "\(folder.path)/\(part)"
    var files: [String: [UInt8]] = [:]
    for path in try allFiles(below: root) {
      let name = String(path.dropFirst(root.count + 1))
      files[name] = try FolderFiles.read(path, atMost: .max, of: name)
    }
    return MemoryFiles(files)
  }

  /// A client's store that trusts the first root.
  func trustingStore() throws -> MemoryFiles {
    let store = MemoryFiles()
    try RepositoryClient.trust(try #require(try metadata()["1.root.json"]), in: store)
    return store
  }
}

/// The paths of all files below a folder.
func allFiles(below folder: String) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.sorted().filter { path in
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }
}

/// Refreshes a client. Returns the kind of refusal; nil if all went well.
@discardableResult
func refresh(
  _ store: MemoryFiles, from metadata: MemoryFiles, at time: Int64 = Fixture.start + 60,
  limits: RepositoryLimits = RepositoryLimits()
) async -> TrustError.Kind? {
  do throws(TrustError) {
    var client = try RepositoryClient(metadata: metadata, store: store, limits: limits, now: time)
    try await client.refresh()
    return nil
  } catch {
    return error.kind
  }
}

/// Changes the signed part of metadata, and signs it again.
func resigned(
  _ bytes: [UInt8], by keys: [SigningKey], _ change: (inout ValueMap) -> Void
) throws -> [UInt8] {
  let document = try MetadataReader(bytes: bytes, subject: "test")
  var signed = try document["signed"].map
  change(&signed)
  let message = try CanonicalJSON.bytes(.map(signed), of: "test")
  var signatures: [Value] = []
  for key in keys { signatures.append(["keyid": .string(key.id), "sig": .string(try key.signature(of: message))]) }
  return Array(JSONWriter.compact(["signatures": .list(signatures), "signed": .map(signed)]).utf8)
}

/// A variable of the environment.
func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// The version that a store trusts of a role.
func version(of role: String, in store: MemoryFiles) throws -> Int64? {
  guard let bytes = store[role] else { return nil }
  return try MetadataReader(bytes: bytes, subject: role)["signed"]["version"].integer(in: 1 ... .max)
}
#endif
